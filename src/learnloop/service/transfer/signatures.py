"""Signatures of exported documents, made with a key that never leaves the data folder."""

import hmac
import json
import os
from pathlib import Path
from typing import Any

from learnloop.store import files

KEY_FILE = "export.key"
_KEY_BYTES = 32


class Signer:
    """Signs documents of one store, and recognises what this store signed."""

    def __init__(self, root: str) -> None:
        self._key = _key(root)

    def sign(self, document: dict[str, Any]) -> str:
        """The signature of a JSON document; any change to it changes the signature."""
        canonical = json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii")
        return hmac.new(self._key, canonical, "sha256").hexdigest()

    def is_own(self, document: dict[str, Any], signature: object) -> bool:
        """Whether this store made a signature, and for exactly this document."""
        if not isinstance(signature, str):
            return False
        given = signature.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(given, self.sign(document).encode())


def _key(root: str) -> bytes:
    """The key of a store, created when it is first needed."""
    path = Path(root, KEY_FILE)
    key = files.read(path)
    if not key or len(key) != _KEY_BYTES:
        key = os.urandom(_KEY_BYTES)
        files.replace(path, [key])
    return key
