"""JSON through the interpreter's own C scanner: `import json` alone would double a hook's start-up."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    class _Context:
        strict = False
        object_hook = None
        object_pairs_hook = None
        array_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float

        def __init__(self) -> None:
            self.memo: dict[str, str] = {}

    _scan = make_scanner(_Context())  # type: ignore[arg-type]  # typeshed takes the type for its argument

    def _refuse(value: "Any") -> "Any":
        raise TypeError(f"{type(value).__name__} is no JSON value")

    _encode = make_encoder(None, _refuse, encode_basestring_ascii, None, ":", ",", False, False, True)

    def decode(text: str) -> "Any":
        """The value that a JSON text stands for; raises ValueError or RecursionError on anything else."""
        start, end = 0, len(text)
        while start < end and text[start] in " \t\r\n":
            start += 1
        try:
            value, stop = _scan(text, start)
        except (StopIteration, SystemError, KeyError):  # the latter two: its own error is not loaded
            raise ValueError("not a JSON value") from None
        if text[stop:].strip(" \t\r\n"):
            raise ValueError("text after the JSON value")
        return value

    def encode(value: "Any") -> str:
        """Compact ASCII JSON of dicts, lists, strings, numbers, booleans and None."""
        return "".join(_encode(value, 0))

    # Since 3.12 the scanner imports `json` for its error, through the builtins of its caller's globals, and
    # raises KeyError if the import brings nothing. Functions keep the builtins that they were made with.
    globals()["__builtins__"] = {"__import__": lambda *_: None}

except (ImportError, TypeError):
    # The private scanner may change; the public module is slower and always there.
    import json

    def decode(text: str) -> "Any":
        """The value that a JSON text stands for; raises ValueError or RecursionError on anything else."""
        return json.loads(text, strict=False)

    def encode(value: "Any") -> str:
        """Compact ASCII JSON of dicts, lists, strings, numbers, booleans and None."""
        return json.dumps(value, separators=(",", ":"))
