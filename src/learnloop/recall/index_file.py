"""The bytes of an index: sections of records behind keys, one for each project. Pure.

`wire.index` describes the format and reads it.
"""

import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from learnloop.wire import codec, index, search

_PROJECTS_A_BUCKET = 8
_FILTER_BITS_A_KEY = 16


def whole(header: Mapping[str, Any], body: bytearray) -> bytes:
    """The file: its header with a checksum, and the body."""
    full = {**header, "version": index.VERSION, "body": len(body)}
    data = codec.encode(full).encode("ascii")
    return b"%s%08d %08x\n" % (index.MAGIC, len(data), index.checksum(data)) + data + bytes(body)


def section(
    body: bytearray, head: Mapping[str, Any], records: Iterable[Any], table: Mapping[int, Sequence[int]]
) -> list[int]:
    """Add a section with a filter over its keys; [offset, length] of its head."""
    *buckets, records_at = unfiltered(body, records, table)
    filter_ = _add(body, _filter(table))
    return _segment(body, {**head, "filter": filter_, "buckets": buckets, "records": records_at})


def unfiltered(body: bytearray, records: Iterable[Any], table: Mapping[int, Sequence[int]]) -> list[int]:
    """Add records by number and what stands under each key.

    Returns where the table of buckets is, how many there are, and where that of records is.
    """
    ends = [_segment(body, record) for record in records]
    offsets = [place[0] for place in ends] + [len(body)]
    return [*_buckets(body, table), _add(body, _numbers(offsets))[0]]


def project_table(body: bytearray, places: Mapping[str, list[int]]) -> list[list[int] | None]:
    """The place of each project's section, in buckets by the hash of its folder."""
    if not places:
        return []
    buckets: list[dict[str, list[int]]] = [{} for _ in range(len(places) // _PROJECTS_A_BUCKET + 1)]
    for project, place in places.items():
        at = search.target_key("", project) % len(buckets)
        buckets[at][project] = place
    return [_segment(body, bucket) if bucket else None for bucket in buckets]


def _segment(body: bytearray, value: Any) -> list[int]:
    """Add a JSON value with its checksum; [offset, length]."""
    data = codec.encode(value).encode("ascii")
    return _add(body, b"%08x" % index.checksum(data) + data)


def _filter(table: Mapping[int, Any]) -> bytes:
    """A bit filter over the keys, so that most words without records cost one lookup."""
    size = 64
    while size < len(table) * _FILTER_BITS_A_KEY:
        size *= 2
    bits = bytearray(size // 8)
    for key in table:
        bit = key & (size - 1)
        bits[bit >> 3] |= 1 << (bit & 7)
    return bytes(bits)


def _buckets(body: bytearray, table: Mapping[int, Sequence[int]]) -> list[int]:
    """Add the postings in buckets by key, and the table of where each bucket begins; its place and length."""
    count = max(len(table), 1)
    buckets: list[list[int]] = [[] for _ in range(count)]
    for key, numbers in sorted(table.items()):
        buckets[key * count >> 32] += [key, len(numbers), *numbers]
    begins = [_add(body, _numbers(bucket))[0] for bucket in buckets]
    return [_add(body, _numbers([*begins, len(body)]))[0], count]


def _numbers(values: Iterable[int]) -> bytes:
    """Numbers of 32 bits each, in this machine's order."""
    return array.array("I", values).tobytes()


def _add(body: bytearray, data: bytes) -> list[int]:
    offset = len(body)
    body += data
    return [offset, len(data)]
