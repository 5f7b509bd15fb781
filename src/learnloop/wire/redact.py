"""Secrets are taken out of captured text before it touches the disk.

`re` costs a hook most of its start-up, so it is loaded only when a cheap substring test fires.
"""

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Sequence

_ASSIGNED = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "api_key", "apikey", "api-key",
    "access_key", "access-key", "private_key", "private-key", "client_secret", "credential",
)  # fmt: skip
_SIGNS = ("=", ":", '"', "'", " =", " :", " is ")

RULES: "tuple[tuple[str, Sequence[Sequence[str]], str], ...]" = (
    (
        "private key",
        [["-----begin", "private key"]],
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    ("password", [["://", "@"]], r"\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@'\"]*:(?P<secret>[^\s/@'\"]+)@"),
    ("token", [["eyj"]], r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    (
        "API key",
        [["sk-"], ["sk_"], ["pk_live"], ["rk_live"]],
        r"\b(?:sk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,}|[spr]k_(?:live|test)_[A-Za-z0-9]{16,})",
    ),
    ("AWS key", [["akia"], ["asia"]], r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    (
        "GitHub token",
        [["ghp_"], ["gho_"], ["ghu_"], ["ghs_"], ["ghr_"], ["github_pat_"]],
        r"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    ),
    ("GitLab token", [["glpat-"]], r"glpat-[A-Za-z0-9_-]{16,}"),
    (
        "Slack token",
        [["xox"], ["hooks.slack.com/"]],
        r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/]{20,})",
    ),
    ("Google key", [["aiza"], ["ya29."]], r"\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]{20,}"),
    (
        "package token",
        [["npm_"], ["pypi-"], ["hf_"]],
        r"\b(?:npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,})",
    ),
    ("bot token", [[":aa"]], r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"),
    (
        "authorization",
        [["bearer "], ["basic "], ["authorization"]],
        r"(?i)\b(?:bearer|authorization:\s*(?:basic|token|digest))\s+(?P<secret>[A-Za-z0-9._~+/=-]{12,})",
    ),
    (
        "secret",
        [[name + sign] for name in _ASSIGNED for sign in _SIGNS],
        r"(?i)(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|"
        r"client[_-]?secret|credentials?)[\"']?\s*(?:[:=]=?|\bis)\s*"
        r"(?P<secret>\"[^\"\n]{4,}\"|'[^'\n]{4,}'"
        r"|(?!\$|(?:none|null|true|false)\b|[a-z_][\w.]*[(\[])"
        r"(?:(?<==)(?:[^\s\"',;&)}\]]|&(?![\w.-]+=|&|\s|$)){4,}|(?=[^\s]*[0-9!#%^*+~])[^\s\"',;&)}\]]{6,}))",
    ),
    (
        "secret",
        [["--password"], ["--token"], ["--secret"], ["--api-key"], ["sshpass"]],
        r"(?:--(?:password|token|secret|api-key)|\bsshpass -p)[ =]?(?P<secret>[^\s$-][^\s]{3,})",
    ),
)
"""Each kind of secret: its name, groups of lower-case substrings, and a pattern.

The pattern is tried where all substrings of a group are in the text. What its group `secret` matches
(everything, where there is none) becomes `[name removed]`.
"""


HINTS = (
    "private key", "://", "eyj", "sk-", "sk_", "k_live", "akia", "asia", "ghp_", "gho_", "ghu_", "ghs_",
    "ghr_", "github_pat_", "glpat-", "xox", "hooks.slack.com/", "aiza", "ya29.", "npm_", "pypi-", "hf_",
    ":aa", "bearer ", "basic ", "authorization", "passw", "passphrase", "sshpass", "pwd", "secret", "token",
    "key", "credential",
)  # fmt: skip
"""Every group of triggers contains one of these: most texts hold none, and no rule has to be asked."""


def redact(text: str, extras: "Sequence[str]" = ()) -> str:
    """The text without secrets; `extras` are a person's own: plain text, or a pattern after `re:`."""
    lowered = text.lower()
    for hint in HINTS:
        if hint in lowered:
            text = _by_rules(text, lowered)
            break
    for extra in extras:
        text = _extra(extra, text)
    return text


def _by_rules(text: str, lowered: str) -> str:
    for name, triggers, pattern in RULES:
        for group in triggers:
            if all(part in lowered for part in group):
                text = _apply(name, pattern, text)
                break
    return text


def _extra(extra: str, text: str) -> str:
    """One of the person's own; a pattern that does not compile is left out here and told by doctor."""
    if not extra.startswith("re:"):
        return text.replace(extra, "[removed]") if extra else text
    try:
        return _apply("", extra[3:], text)
    except Exception:  # re.error, without having loaded `re` here
        return text


def _apply(name: str, pattern: str, text: str) -> str:
    import re

    replacement = f"[{name} removed]" if name else "[removed]"
    compiled = re.compile(pattern, re.DOTALL)
    at = compiled.groupindex.get("secret", 0)
    parts, end = [], 0
    for match in compiled.finditer(text):
        start, stop = match.span(at)
        if start < 0:  # the alternative without that group
            start, stop = match.span()
        if start < stop:
            parts += [text[end:start], replacement]
            end = stop
    return "".join(parts) + text[end:] if parts else text
