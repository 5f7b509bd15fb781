"""Hooks of MkDocs: pictures from screenshots/ in the reader's theme, and nothing loaded from elsewhere."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).resolve().parent.parent
_SHIM = "assets/javascripts/frame_worker.js"
"""Lets search work on pages opened from the disk; the theme would load it from a network."""
_SHIM_URL = "https://unpkg.com/iframe-worker/shim"
_PICTURE = re.compile(r"!\[([^\]]*)\]\(\.\./(screenshots/([\w-]+)\.svg)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pictures that pages show; they stay where repository pages find them too."""
    shown = {
        match[3] for page in files.documentation_pages() for match in _PICTURE.finditer(page.content_string)
    }
    for name in sorted(shown | {f"{name}-light" for name in shown}):
        path = f"screenshots/{name}.svg"
        if (ROOT / path).exists():
            files.append(File(path, str(ROOT), config.site_dir, config.use_directory_urls))
    security = (ROOT / "SECURITY.md").read_text("utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "security.md", content=security))
    shim = (ROOT / "scripts" / "frame_worker.js").read_text("utf-8")
    files.append(File.generated(config, _SHIM, content=shim))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Take the theme's shim from the site itself."""
    return output.replace(_SHIM_URL, get_relative_url(_SHIM, page.url))


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """Likewise on the page for what is not there."""
    return output.replace(_SHIM_URL, _SHIM)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let a picture with a light twin follow the theme, and find the page that is kept at the root."""
    return _PICTURE.sub(_both, markdown).replace("](../SECURITY.md", "](security.md")


def _both(match: re.Match[str]) -> str:
    alt, path, name = match.groups()
    light = f"screenshots/{name}-light.svg"
    if not (ROOT / light).exists():
        return f"![{alt}]({path})"
    return f"![{alt}]({path}#only-dark)\n![{alt}]({light}#only-light)"
