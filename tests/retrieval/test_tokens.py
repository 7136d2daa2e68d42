import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault.retrieval.tokens import MAX_TOKENS, document_tokens, normalise, query_tokens, stems

MEMORIES = [
    "Discount is 100% today",
    "Discount is 100 euros",
    "see file_name",
    "see fileXname",
    "path C:\\temp",
]


def found(query: str, memories: list[str] = MEMORIES) -> list[int]:
    asked = query_tokens(query)
    return [i for i, text in enumerate(memories) if asked.matches(document_tokens(text))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [("100%", [0]), ("file_name", [2]), ("%", [0]), ("_", [2]), ("\\", [4]), ("' OR 1=1 --", [])],
)
def test_symbols_are_searched_as_what_they_are(query, expected):
    assert found(query) == expected


@pytest.mark.parametrize("query", ["", "  ", "...", "'\"", "the of and", "\u200b"])
def test_a_query_without_a_word_matches_nothing(query):
    assert found(query) == []


def test_any_word_of_a_query_is_enough():
    assert found("a discount on shipping") == [0, 1]


def test_a_number_in_a_query_is_insisted_on():
    assert found("discount 100") == [0, 1]
    assert found("discount 200") == []


def test_an_invoice_number_is_found_whole_and_by_its_parts():
    memory = ["Rejected: INV-2026/8841, see AP."]

    assert found("inv-2026/8841", memory) == found("8841", memory) == found("INV", memory) == [0]


def test_a_neighbouring_number_is_another_identifier():
    assert found("inv-2026/8842", ["Rejected: INV-2026/8841"]) == []


def test_a_code_keeps_its_letters_and_digits_together():
    assert "x:e12" in document_tokens("code E12 purchase order missing")


def test_a_mail_address_is_one_identifier():
    memory = ["Write to Mira.Vos@example.com, please"]

    assert found("mira.vos@example.com", memory) == [0]
    assert found("mira.vos@example.org", memory) == []


def test_a_file_name_is_found_without_its_extension():
    assert found("file_name", ["open file_name.txt"]) == [0]


def test_stop_words_leave_no_posting():
    assert document_tokens("what is this of the") == {}


def test_words_meet_by_their_stem():
    assert found("rejecting invoices", ["An invoice was rejected"]) == [0]


def test_case_width_and_accents_do_not_matter():
    assert document_tokens("ＣＡＦÉ cafe") == {"s:cafe": 2}


def test_invisible_characters_do_not_hide_a_word():
    assert document_tokens("inv\u200boice") == document_tokens("invoice")


def test_marks_of_other_scripts_are_kept():
    assert normalise("हिन्दी") == "हिन्दी"


@pytest.mark.parametrize("query", ["发票", "票", "被拒绝"])
def test_chinese_is_found_without_spaces(query):
    assert found(query, ["这张发票被拒绝了", "谢谢"]) == [0]


def test_a_number_between_chinese_characters_is_an_identifier():
    assert found("8841", ["发票8841被拒绝"]) == [0]


def test_an_emoji_can_be_searched():
    assert found("🎂", ["party 🎂 on Friday", "party on Friday"]) == [0]


def test_identifiers_outweigh_words():
    weights = query_tokens("invoice 8841").weights

    assert weights["x:8841"] > weights["s:invoic"]


def test_the_number_of_tokens_is_capped_and_identifiers_stay():
    text = " ".join(f"{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}q" for i in range(3000))
    tokens = document_tokens(text + " INV-7")

    assert len(tokens) == MAX_TOKENS
    assert "x:inv-7" in tokens


def test_an_endless_word_is_cut():
    assert max(len(token) for token in document_tokens("a" * 8000)) <= 66


def test_stems_come_in_order_without_stop_words():
    assert stems("The invoices were rejected") == ["invoic", "reject"]


@given(st.text(max_size=80))
def test_a_text_always_matches_itself_unless_it_says_nothing(text):
    asked = query_tokens(text)

    assert asked.matches(document_tokens(text)) or not (asked.required or asked.optional)


@given(st.text(max_size=80))
def test_what_a_query_insists_on_also_ranks(text):
    asked = query_tokens(text)

    assert asked.required | asked.optional <= asked.weights.keys()
