"""Modules that no hook loads."""

COSTLY_MODULES = (
    "argparse", "collections", "contextlib", "dataclasses", "datetime", "enum", "fnmatch", "functools",
    "hashlib", "importlib", "inspect", "json", "logging", "numpy", "onnxruntime", "os", "pathlib",
    "psycopg", "pydantic", "random", "re", "shlex", "signal", "socket", "subprocess", "tempfile", "threading",
    "tinydb", "tokenizers", "typing", "uuid",
)  # fmt: skip
"""What costs a hook a noticeable part of its time, or does not belong there at all."""
