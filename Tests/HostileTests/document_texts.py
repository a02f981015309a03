"""Where the OpenAPI document has texts in what is sent, and bodies that are right but for one of them."""

import copy
import uuid

from hostile import PASSWORD

# What the document says in words only.
SENSIBLE = {"timeZone": "Europe/Helsinki", "zone": "Europe/Helsinki"}
PATTERNS = {"^[0-9a-f]{64}$": "0" * 64, "^[A-Z]{3}$": "SGD", "^[A-Za-z0-9_-]*$": "AAAA", "^([01][0-9]|2[0-3]):[0-5][0-9]$": "22:00"}


class Document:
    def __init__(self, document, about):
        """With what `/v1/about` says: examples are of another community."""
        self.document = document
        self.here = {"currency": about["currency"], "region": next(iter(about["regions"]), None)}

    def bodies(self):
        """Of each call that takes JSON: method, path, operation, schema of the body, and a body that is right."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                content = operation.get("requestBody", {}).get("content", {}).get("application/json")
                if content:
                    schema = content["schema"]
                    yield method.upper(), path, operation, schema, self._moved(content.get("example") or self.right(schema))

    def _moved(self, value):
        """An example, of this community; what there is nothing of here is left out."""
        if not isinstance(value, dict):
            return value
        return {name: self.here.get(name) or self._moved(kept) for name, kept in value.items() if self.here.get(name, kept) is not None}

    def parameter(self, operation, path, name):
        """What may stand for a placeholder of a path that is no id: the first of some choices."""
        for given in [*operation.get("parameters", []), *self.document["paths"][path].get("parameters", [])]:
            given = self._resolved(given)
            if given["name"] == name:
                return self.right(given["schema"])
        return "x"

    def _resolved(self, schema):
        while "$ref" in schema:
            place = self.document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            schema = place
        return schema

    def texts(self, schema):
        """The places of all texts within: names of properties, and `*` for what is in a list."""
        schema = self._resolved(schema)
        kind = schema.get("type", "")
        if "string" in (kind if isinstance(kind, list) else [kind]):
            return {()}
        found = {place for branch in schema.get("anyOf", []) for place in self.texts(branch)}
        if "items" in schema:
            found |= {("*", *place) for place in self.texts(schema["items"])}
        return found | {(name, *place) for name, property in schema.get("properties", {}).items() for place in self.texts(property)}

    def right(self, schema, name=""):
        """What the schema asks for, and nothing that may be left out."""
        schema = self._resolved(schema)
        if "anyOf" in schema:
            return self.right(schema["anyOf"][0], name)
        kinds = schema.get("type", "object")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        if kind == "object":
            return {name: self.right(schema["properties"][name], name) for name in schema.get("required", [])}
        if kind == "array":
            return []
        if kind in ("integer", "number"):
            return schema.get("minimum", 1)
        return False if kind == "boolean" else self._text(schema, name)

    @staticmethod
    def _text(schema, name):
        formats = {"email": f"{uuid.uuid4()}@example.org", "uuid": str(uuid.uuid4()), "date-time": "2099-01-01T00:00:00Z", "password": PASSWORD}
        for given in (schema.get("examples", [None])[0], schema.get("enum", [None])[0], SENSIBLE.get(name), formats.get(schema.get("format")), PATTERNS.get(schema.get("pattern"))):
            if given is not None:
                return given
        return "By the fountain"

    def put(self, schema, value, place, text):
        """The value with a text at one of the places of its schema; what it hangs from is made where it is not there."""
        schema = self._resolved(schema)
        if not place:
            return text
        if "anyOf" in schema:
            schema = next(branch for branch in schema["anyOf"] if place in self.texts(branch))
            return self.put(schema, value, place, text)
        if place[0] == "*":
            return [self.put(schema["items"], (value or [None])[0], place[1:], text)]
        value = copy.deepcopy(value) or self.right(schema)
        value[place[0]] = self.put(schema["properties"][place[0]], value.get(place[0]), place[1:], text)
        return value
