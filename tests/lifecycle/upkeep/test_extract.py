from __future__ import annotations

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from vault.lifecycle.upkeep.extract import Statement, put_together

ONE = datetime(2026, 9, 2, 8, tzinfo=UTC)
OTHER = datetime(2026, 10, 30, tzinfo=UTC)


def test_statements_follow_each_other_as_sentences():
    extract = put_together([Statement("Has a dog"), Statement("The dog is called Rufus.")])

    assert extract.text == "Has a dog. The dog is called Rufus."
    assert [extract.text[start:end] for start, end in extract.places] == [
        "Has a dog",
        "The dog is called Rufus.",
    ]


def test_what_happened_at_different_times_is_led_by_its_day():
    extract = put_together([Statement("Paid 40 euros", ONE), Statement("Paid 60 euros", OTHER)])

    assert extract.text == "On 2026-09-02: Paid 40 euros. On 2026-10-30: Paid 60 euros."
    assert extract.occurred_at is None


def test_what_happened_at_one_time_keeps_it_as_a_label():
    extract = put_together([Statement("Paid 40 euros", ONE), Statement("Bought bread", ONE)])

    assert (extract.text, extract.occurred_at) == ("Paid 40 euros. Bought bread.", ONE)


def test_one_without_a_time_gets_none():
    extract = put_together([Statement("Paid 40 euros", ONE), Statement("Bought bread")])

    assert extract.text == "On 2026-09-02: Paid 40 euros. Bought bread."


def test_a_sentence_of_another_script_keeps_its_own_end():
    assert (
        put_together([Statement("猫を飼っている。"), Statement("犬もいる")]).text
        == "猫を飼っている。 犬もいる."
    )


SENTENCE = r"[A-Z][a-zé]{2,8} (has|owes|met) [0-9]{1,5} [a-z]{2,8}( on 20[0-9]{2}-0[1-9]-1[0-9])?"
SAID = st.lists(
    st.tuples(
        st.from_regex(SENTENCE, fullmatch=True),
        st.one_of(st.none(), st.datetimes(timezones=st.just(UTC))),
    ),
    min_size=2,
    max_size=6,
)  # fmt: skip


@given(SAID)
def test_every_number_name_and_date_of_the_originals_is_in_the_whole(said):
    extract = put_together([Statement(text, when) for text, when in said])

    for text, when in said:
        assert text in extract.text
        for token in re.findall(r"[A-Z]\w+|\d[\d-]*", text):
            assert token in extract.text
        assert when is None or extract.occurred_at == when or when.date().isoformat() in extract.text
