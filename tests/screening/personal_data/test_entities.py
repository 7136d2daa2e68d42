"""The pipeline that looks for names: what it leaves out changes no span."""

from __future__ import annotations

import pytest
import spacy

from vault.screening.personal_data.entities import (
    SHARED_VECTORS,
    installed,
    model,
    without_unread_vectors,
)

TEXTS = (
    "The supplier asked that deliveries to the depot in Lyon arrive before nine on weekdays.",
    "Ottilia Winterbourne moved from Ghent to Osaka in March 2024 and works for Halloway Instruments.",
    "they said so again, twice, and nobody wrote it down",
    "Rechnung 8841 geht an Ottokar Lindwurm, Lindenweg 4, Leipzig.",
    "On Tuesday the Norwegian office of Brightwater Ltd. sent 4,500 euros to Priya Sharma.",
    "明天的会议改到下午三点",
)

NER = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "ner",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
}


def spans(nlp: object, text: str) -> list[tuple[str, int, int]]:
    return [(each.label_, each.start_char, each.end_char) for each in nlp(text).ents]  # type: ignore[operator]


@pytest.mark.parametrize("text", TEXTS)
def test_names_are_the_same_without_the_vectors_that_nobody_reads(text: str) -> None:
    assert spans(model(), text) == spans(installed(), text)


def test_the_english_model_loads_no_vectors_that_nobody_reads() -> None:
    assert model().pipe_names == ["ner"]


def test_vectors_that_a_part_reads_stay() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec")
    listening = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "*"}
    nlp.add_pipe("ner", config={"model": {**NER, "tok2vec": listening}})

    assert SHARED_VECTORS in without_unread_vectors(nlp).pipe_names
