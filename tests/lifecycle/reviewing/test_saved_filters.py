from __future__ import annotations

import pytest

from tests.factories import make_scope, make_staff, staff_scope
from vault.errors import InvalidField, InvalidTransition, NotFound, ScopeMissing
from vault.lifecycle.reviewing.saved_filters import MAX_FILTERS, delete_filter, list_filters, save_filter
from vault.models import SavedFilter

pytestmark = pytest.mark.django_db
QUERY = {"reason": "hidden_carrier", "overdue": "on"}


def test_a_view_is_kept_under_its_name():
    me = staff_scope()

    save_filter(name="Late carriers", query=QUERY, scope=me)

    assert [(kept.name, kept.query) for kept in list_filters(scope=me)] == [("Late carriers", QUERY)]


def test_the_same_name_again_replaces_the_view():
    me = staff_scope()
    save_filter(name="Late", query=QUERY, scope=me)
    save_filter(name="Late", query={"assigned": "me"}, scope=me)

    assert [kept.query for kept in list_filters(scope=me)] == [{"assigned": "me"}]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"subject": "0192f0c1-0000-7000-8000-000000000001"},
        {"id": "abcdef"},
        {"reason": "two words"},
        {"reason": "<script>"},
    ],
)
def test_a_view_names_codes_and_no_subject(query):
    with pytest.raises(InvalidField):
        save_filter(name="Mine", query=query, scope=staff_scope())


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 41, "a\nb", "Writes of ilse.brandt@mail.example", "Anna Schmidt's complaints"]
)
def test_a_name_is_short_and_tells_of_no_person(name):
    with pytest.raises(InvalidField):
        save_filter(name=name, query=QUERY, scope=staff_scope())

    assert not SavedFilter.objects.exists()


@pytest.mark.parametrize(
    "name", ["Overdue", "Late carriers", "billing, mine", "High impact", "Web reader only", "Morning round"]
)
def test_an_ordinary_name_is_taken(name):
    assert save_filter(name=name, query=QUERY, scope=staff_scope()).name == name


def test_nobody_sees_or_drops_anothers_filter():
    kept = save_filter(name="Late", query=QUERY, scope=staff_scope())
    other = staff_scope()

    assert list_filters(scope=other) == ()
    with pytest.raises(NotFound):
        delete_filter(filter_id=kept.pk, scope=other)


def test_a_filter_is_dropped_by_its_owner():
    me = staff_scope()
    kept = save_filter(name="Late", query=QUERY, scope=me)

    delete_filter(filter_id=kept.pk, scope=me)

    assert list_filters(scope=me) == ()


def test_there_is_an_end_to_what_one_keeps():
    staff = make_staff()
    SavedFilter.objects.bulk_create(
        SavedFilter(staff=staff, name=f"View {number}", query=QUERY) for number in range(MAX_FILTERS)
    )

    with pytest.raises(InvalidTransition):
        save_filter(name="Late", query=QUERY, scope=staff_scope(staff))


def test_an_agent_keeps_no_filter():
    with pytest.raises(ScopeMissing):
        save_filter(name="Late", query=QUERY, scope=make_scope())
