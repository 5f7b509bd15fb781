"""Bits of texts never rule out a word that is there."""

from hypothesis import given
from hypothesis import strategies as st

from learnloop.store import memory_catalog


@given(texts=st.lists(st.text(), min_size=1, max_size=3), data=st.data())
def test_no_part_of_a_text_is_ruled_out(texts: list[str], data: st.DataObject) -> None:
    low = data.draw(st.sampled_from(texts)).lower()
    begin = data.draw(st.integers(0, len(low)))
    end = data.draw(st.integers(begin, len(low)))
    assert memory_catalog.may_hold(
        memory_catalog.word_bits(texts), memory_catalog.word_bits([low[begin:end]])
    )


def test_most_other_words_are_ruled_out() -> None:
    bits = memory_catalog.word_bits(["Add a guest checkout to the cart page", "npm test"])
    assert memory_catalog.may_hold(bits, memory_catalog.word_bits(["CHECKOUT", "pm te", "a"]))
    assert not memory_catalog.may_hold(bits, memory_catalog.word_bits(["zebrafish"]))
    assert not memory_catalog.may_hold(bits, memory_catalog.word_bits(["checkout", "walrus"]))
