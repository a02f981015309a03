"""Who may see what: the table of auth's README, read as it stands there, so that what is written and what is tested are one thing."""

import dataclasses
import pathlib
import re

README = pathlib.Path(__file__).resolve().parents[2] / "Services" / "Auth" / "README.md"
# Those who ask, and what nobody asks for: the events that services tell each other, the tables (in clear), logs and metrics.
VIEWERS = ("oneself", "stranger", "friend", "counterpart", "blocked", "moderator")
PLACES = ("events", "tables", "log")


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    sees: dict
    # Patterns of what the document calls it: `Person.email`, `Session.*`.
    fields: tuple

    def covers(self, field):
        return field in self.fields or f"{field.split('.')[0]}.*" in self.fields


def read_table(text=None):
    """The rows by name. A cell begins with yes or no; what follows is for people."""
    lines = iter((text or README.read_text(encoding="utf-8")).splitlines())
    head = next(line for line in lines if line.startswith("| field |"))
    columns = _cells(head)
    assert columns == ["field", *VIEWERS, *PLACES, "in answers"], columns
    next(lines)
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        name, *cells, fields = _cells(line)
        words = [re.match(r"(yes|no)\b", cell) for cell in cells]
        assert len(cells) == len(VIEWERS + PLACES) and all(words), f"neither yes nor no: {line}"
        assert name not in rows, f"twice in the table: {name}"
        sees = {column: word[1] == "yes" for column, word in zip(VIEWERS + PLACES, words)}
        rows[name] = Row(name, sees, tuple(re.findall(r"`([A-Za-z]+\.(?:[A-Za-z]+|\*))`", fields)))
    assert rows
    return rows


def _cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def row_of(rows, field):
    """The row that says who may see a field of an answer: one that names it, else one that names all of its object."""
    named = [row for row in rows.values() if field in row.fields]
    found = named or [row for row in rows.values() if row.covers(field)]
    assert len(found) == 1, f"{field} of the OpenAPI document is in {len(found)} rows of the table in {README.name} of auth"
    return found[0]


def fields_of_answers(document):
    """Each `Schema.property` that an answer to a GET may have, by way of references, with inline objects named by their property."""
    found, seen = set(), set()

    def walk(schema, name):
        if reference := schema.get("$ref"):
            name = reference.rsplit("/", 1)[1]
            if name in seen:
                return
            seen.add(name)
            schema = document["components"]["schemas"][name]
        for part in ("allOf", "anyOf", "oneOf"):
            for one in schema.get(part, ()):
                walk(one, name)
        for item in [schema.get("items")]:
            if isinstance(item, dict):
                walk(item, name)
        for property, inner in schema.get("properties", {}).items():
            found.add(f"{name}.{property}")
            walk(inner, f"{name}{property[0].upper()}{property[1:]}")

    for _, operation in operations(document):
        for status, answer in operation["responses"].items():
            for content in answer.get("content", {}).values():
                if status.startswith("2"):
                    walk(content["schema"], "Answer")
    return found


def operations(document):
    """The GET operations: path and what the document says of it."""
    return [(path, methods["get"]) for path, methods in document["paths"].items() if "get" in methods]


def instances(document, schema, value, name="Answer"):
    """Each `Schema.property` that is there in an answer."""
    if reference := schema.get("$ref"):
        name = reference.rsplit("/", 1)[1]
        schema = document["components"]["schemas"][name]
    for part in ("allOf", "anyOf", "oneOf"):
        for one in schema.get(part, ()):
            yield from instances(document, one, value, name)
    if isinstance(value, list) and isinstance(schema.get("items"), dict):
        for item in value:
            yield from instances(document, schema["items"], item, name)
    if isinstance(value, dict) and "properties" in schema:
        for property, inner in value.items():
            # A field that the document does not know is a field that nobody has thought about.
            assert property in schema["properties"], f"{name}.{property} is answered, and not in the OpenAPI document"
            yield f"{name}.{property}"
            yield from instances(document, schema["properties"][property], inner, f"{name}{property[0].upper()}{property[1:]}")
