from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command

from vault.evaluation.bench_subject import statement


@pytest.mark.django_db(transaction=True)
def test_the_bench_measures_writes_and_searches_in_process_and_over_http():
    answer = StringIO()

    call_command("bench", "--json", "--rounds", "1", "--sizes", "3,6", stdout=answer)

    report = json.loads(answer.getvalue())
    assert {"write", "write over HTTP", "search, 3 memories", "search, 6 memories", "screening"} <= set(
        report["figures"]
    )
    assert all(figure["median_ms"] >= 0 for figure in report["figures"].values())
    assert report["ratios"]["write / screening"] > 0


def test_statements_of_the_bench_differ():
    made = {statement(number, series) for number in range(500) for series in ("a", "b")}

    assert len(made) == 1000
