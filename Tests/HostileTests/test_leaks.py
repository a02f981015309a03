"""Nobody sees of others what the table in auth's README says that they may not, wherever they look; and what it says that they see, they see."""

import pytest

from hostile import ask
from leak_table import PLACES, README, VIEWERS, fields_of_answers, operations, read_table, row_of
from leak_village import Village
from leak_walk import Walk

# Of a sign-in that is under way with somebody else's server, by a secret of the browser: the browser tests go there.
UNDER_WAY = {"/v1/identity-providers/{id}/authorize", "/v1/identity-providers/{id}/callback"}


@pytest.fixture(scope="module")
def rows():
    return read_table()


@pytest.fixture(scope="module")
def document():
    return ask("GET", "/v1/openapi.json").json()


@pytest.fixture(scope="module")
def walk(rows, document):
    walk = Walk(Village(), rows, document)
    walk.everywhere()
    return walk


def test_every_field_of_every_answer_is_in_the_table(rows, document):
    fields = fields_of_answers(document)
    for field in fields:
        row_of(rows, field)
    named = {field for row in rows.values() for field in row.fields}
    gone = {name for name in named if name not in fields and not (name.endswith(".*") and any(field.startswith(name[:-1]) for field in fields))}
    assert not gone, f"the table names what no answer has: {gone}"


def test_every_address_that_can_be_read_is_walked(walk, document):
    assert {path for path, _ in operations(document)} - walk.reached == UNDER_WAY


def test_nobody_sees_what_the_table_says_they_may_not(walk, rows):
    leaks = sorted(seen for seen in walk.sightings if not rows[seen.row].sees[seen.viewer])
    assert not leaks, "\n".join(f"{seen.viewer} sees “{seen.row}” at {seen.where}" for seen in leaks)


def test_what_the_table_says_they_see_they_see(walk, rows):
    """Else a canary that was never planted, or a walk that goes nowhere, would pass for discretion."""
    seen = {(seen.row, seen.viewer) for seen in walk.sightings}
    unseen = [(row.name, column) for row in rows.values() for column in VIEWERS + PLACES if row.sees[column] and (row.name, column) not in seen]
    assert not unseen, "\n".join(f"“{name}” is not seen by or in: {column}" for name, column in unseen)


def test_the_walk_finds_what_is_planted(walk, rows):
    """In each column, by what is looked for there."""
    other = Walk(walk.village, rows, walk.document)
    for canary in walk.village.canaries:
        for column in VIEWERS + PLACES:
            other.look(column, "here", f"<p>{canary.text}</p>")
            assert (canary.row, column, "here") in other.sightings
    other.look("stranger", "there", "Vera", url="/v1/people/x")
    assert not any(seen.where == "there" for seen in other.sightings)


def test_a_table_that_is_not_whole_is_refused():
    text = README.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| email |"))
    for broken in (row.replace("| no |", "| perhaps |", 1), row + "\n" + row, row.replace("| no |", "|", 1)):
        with pytest.raises(AssertionError):
            read_table(text.replace(row, broken))
