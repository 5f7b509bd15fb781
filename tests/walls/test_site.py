"""The documentation site: whole, without dead links, from the disk, searched and seen in a real browser."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests import browser

ROOT = Path(__file__).resolve().parents[2]
MKDOCS = ROOT / ".venv-site" / "bin" / "mkdocs"
CHECK = """<script>addEventListener("load", () => {
  const images = [...document.images], broken = images.filter(image => !image.naturalWidth)
  document.title = `${broken.length} of ${images.length} broken`
})</script>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not MKDOCS.exists(), reason="the site has an environment of its own: run make site once"
    ),
]


def build(config: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(MKDOCS), "build", "--config-file", str(config), "--site-dir", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT / "mkdocs.yml", folder)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_document_is_a_page(site: Path) -> None:
    documents = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert {path.stem for path in site.glob("*.html")} == documents | {"404", "security"}


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.glob("*.html"):
        assert (
            re.findall(r"(?:src=|<link [^>]*href=)\"?(?:https?:)?//[^\" >]+", page.read_text("utf-8")) == []
        )


def test_a_dead_link_fails_the_build(tmp_path: Path) -> None:
    for name in ("docs", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("mkdocs.yml", "SECURITY.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "screenshots").symlink_to(ROOT / "screenshots")
    for link in ("nowhere.md", "faq.md#nowhere"):
        (tmp_path / "docs" / "index.md").write_text(f"# Home\n\n[gone]({link})\n", "utf-8")
        built = build(tmp_path / "mkdocs.yml", tmp_path / "site")
        assert built.returncode == 1
        assert "nowhere" in built.stderr


@browser.needs_browser
def test_search_finds_a_word_without_a_server(site: Path) -> None:
    shown = browser.document(f"{(site / 'index.html').as_uri()}?q=quarantine")
    results = re.findall(r'<li class="md-search-result__item">.*?</li>', shown, re.S)
    assert any("Troubleshooting" in each for each in results), shown[-2000:]


@browser.needs_browser
def test_pictures_load_light_and_dark(site: Path, tmp_path: Path) -> None:
    page = site / "panes.html"
    checked = page.with_name("checked.html")
    checked.write_text(page.read_text("utf-8").replace("</head>", f"{CHECK}</head>"), "utf-8")
    title = re.search("<title>(.*?)</title>", browser.document(checked.as_uri()))
    checked.unlink()
    assert title is not None
    assert title[1] == "0 of 16 broken"
    light = browser.picture(page.as_uri(), tmp_path / "light.png", browser.LIGHT)
    dark = browser.picture(page.as_uri(), tmp_path / "dark.png", browser.DARK)
    assert light != dark
