"""Whether a prompt only goes on with the task before it. Pure."""

import re

from learnloop.learn.hear import outcomes

_MOST_WORDS, _MOST_CHARS = 12, 80
"""An answer is not longer; what is longer asks for something."""
_PRAISE_WORDS = 6
_READ = 300
_NUMBER = r"(?:\#?\d{1,3}|[a-e])"
_POINTS_AT_LIST = re.compile(
    rf"""\W*(?:(?:please|ok(?:ay)?|yes|yep|yup)\W+)*(?:(?:add?ress|do|fix|implement|apply|take|choose|pick|use
    |handle|tackle|let'?s\s+(?:do|go\s+with|address)|(?:go|start)\s+with)\s+)?(?:only\s+|just\s+)?
    (?:(?:all|both|everything)(?:\s+of\s+(?:them|it|these))?
    |(?:[a-z]{{2,10}}\s+)?{_NUMBER}(?:(?:\s*[,&+/-]\s*|\s+)(?:(?:and|or|to|then)\s+)?{_NUMBER})*)
    (?:\s+(?:please|now|only|first|too|next|as\s+well))*\W*""",
    re.I | re.X,
)
_AGREES = re.compile(
    r"""\W*(?:@\w+\s+)?(?:(?:ok(?:ay)?|k+|y|ye?[sa]h?|yess?|y[eu]p|sure|correct|right|agreed?|exactly|sounds?\s+good|lgtm
    |alright(?:y)?|got\s+it|cool|nice|perfect|great|awesome|thanks?(?:\s+you)?|please|go|do\s+so|done
    |make\s+it\s+so|ship\s+it|(?:looks|seems?)\s+(?:good|ok|fine)|try\s+again|wait|hm+|uh+|start|begin|now)\b\W*)+""",
    re.I | re.X,
)
_ABOUT_IT = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|yep|yup|now|please|then)\W+)*[a-z]+\s+(?:it|that|this|them|those)"
    r"(?:\s+(?:now|please|too|again|up|then))*\W*",
    re.I,
)
_SAYS_YES = re.compile(r"\W*(?:yes|yep|yup|yeah)\b", re.I)
PICTURE = re.compile(r"\[Image(?:[ #:][^\]\n]{0,400})?\]")
"""What a client writes in place of a picture."""


def goes_on(words: str, *, answers: bool, praises: bool) -> bool:
    """Whether a prompt belongs to the task before it.

    `answers`: the agent's last words were a question. `praises`: the prompt was heard as praise.
    """
    words = PICTURE.sub("", words).strip()
    count = len(words.split())
    is_short = count <= _MOST_WORDS and len(words) <= _MOST_CHARS
    is_answer = (answers or bool(_SAYS_YES.match(words))) and is_short and words[-1:] not in "?？"
    is_praise = praises and count <= _PRAISE_WORDS
    forms = (_AGREES, _ABOUT_IT, _POINTS_AT_LIST)
    is_formula = any(form.fullmatch(words) for form in forms) if len(words) <= _READ else False
    return not words or is_answer or is_praise or is_formula or outcomes.is_go_ahead(words)
