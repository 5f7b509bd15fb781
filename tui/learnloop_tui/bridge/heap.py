"""Memory of the C library: worker threads share one heap."""

import contextlib
import ctypes

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
_LARGE = 1 << 20


def share_memory() -> None:
    """Have threads allocate from one heap, where the C library can, and what is large from none.

    A heap keeps its holes to itself; what has a place of its own is given back when it is freed.
    """
    with contextlib.suppress(OSError, AttributeError):  # only glibc has it
        library = ctypes.CDLL(None)
        library.mallopt(_M_ARENA_MAX, 1)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)
