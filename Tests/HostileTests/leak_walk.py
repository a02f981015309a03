"""Looks everywhere, as everybody: each GET of the document, each page that links lead to, the stream, events, tables, logs, metrics."""

import collections
import html
import io
import json
import os
import pathlib
import re
import subprocess
import urllib.parse
import urllib.request
import zipfile

from hostile import HOME, ask, at_once, check, days, services_that_are
from leak_table import instances, operations, row_of

NOBODY = ("nobody", "stranger")
# Who asks with every id at every call that takes one; the others with those that belong there.
CURIOUS = ("stranger", "counterpart")
# Who asks for these asks for what is their own.
OWN = re.compile(r"/v1/(me(/.*)?|sessions|friends|blocks|encounters|rentals|my/rides|ride-series|seat-requests|delivery|orders|matches|wanted(/finders)?|rooms(/unread)?|notifications(/unread)?|notification-settings|push-key|push-subscriptions)$")
SHAPE = re.compile(r"/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=/|$)")
Sighting = collections.namedtuple("Sighting", "row viewer where")


def before_id(path):
    """The word that says what kind of id follows."""
    return path.split("/{id}")[0].rsplit("/", 1)[1]


class Walk:
    def __init__(self, village, rows, document):
        self.village, self.rows, self.document = village, rows, document
        self.sightings, self.reached, self.shapes, self.seen = set(), set(), set(), set()

    def look(self, viewer, where, text, url=""):
        """Notes each canary in a text; what was part of the question is no answer."""
        column = "stranger" if viewer in NOBODY else viewer
        for canary in self.village.canaries:
            if canary.text in text and canary.asked_by not in url and canary.text not in url:
                self.sightings.add(Sighting(canary.row, column, where))

    def everywhere(self):
        everybody = self.village.viewers
        self.village.show_where()
        at_once(lambda call: self.take(*call), [call for viewer in everybody for call in self.interface(viewer)])
        at_once(self.crawl, everybody)
        # What one saw links to is tried by all.
        known = {(viewer, path) for path in self.known_pages() for viewer in everybody}
        at_once(lambda page: self.page(*page), sorted(known - self.seen))
        for name, stream in self.village.streams.items():
            stream.done = True
            self.look(name, "stream", "".join(stream.heard))
        self.look("oneself", "POST /v1/sessions", self.village.at_the_door())
        self.reached.add("/v1/me/suspension")
        calendar = f"/v1/calendar.ics?token={self.village.calendar}"
        self.look("oneself", "GET /v1/calendar.ics", check(ask("GET", calendar), 200).text, calendar)
        self.reached.add("/v1/calendar.ics")
        self.behind_the_door()

    def ask(self, viewer, path, page=False):
        person = self.village.viewers[viewer]
        if person is None:
            return ask("GET", path, {"Accept": "text/html"} if page else {})
        return person.page("GET", path) if page else person.ask("GET", path)

    # The interface

    def interface(self, viewer):
        """What somebody asks: who, the call, and its address."""
        for path, operation in operations(self.document):
            # It does not end; each viewer has been listening all the time.
            if "text/event-stream" in operation["responses"]["200"].get("content", {}):
                self.reached.add(path)
                continue
            for url in self.addresses(viewer, path, operation):
                yield viewer, path, operation, url

    def parameters(self, operation, where):
        for parameter in operation.get("parameters", ()):
            if reference := parameter.get("$ref"):
                parameter = self.document["components"]["parameters"][reference.rsplit("/", 1)[1]]
            if parameter["in"] == where:
                yield parameter

    def belonging(self, kind):
        """Those ids; all that there are where nobody has said which."""
        return self.village.kinds.get(kind, self.village.ids)

    def values(self, viewer, path, parameter):
        """What to ask with: ids, all words that the document allows, or an example."""
        schema = parameter["schema"]
        if schema.get("$ref", "").endswith("/ID"):
            return self.village.ids if viewer in CURIOUS else self.belonging(before_id(path) if "{id}" in path else parameter["name"])
        if reference := schema.get("$ref"):
            schema = self.document["components"]["schemas"][reference.rsplit("/", 1)[1]]
        if "enum" in schema:
            return schema["enum"]
        period = days(30, 2)
        if parameter["name"] in period and schema.get("type") == "string":
            return [period[parameter["name"]]]
        if schema.get("format") == "date-time":
            return [self.village.leaves]
        known = {
            "bbox": ["24.9,60.1,25.0,60.2"], "near": ["60.171,24.941"], "at": ["60.171,24.941"], "from": ["60.171,24.941"], "to": ["60.452,22.267" if path == "/v1/rides/search" else "60.172,24.943"], "q": ["helsinki", "vera"], "limit": ["100"], "username": ["vera"], "id": ["campus"], "language": ["de"],
            # Of no calendar: what the token of one opens is looked at as who has it.
            "token": ["A" * 43],
            "mine": ["true"], "region": ["helsinki"], "brand": ["Honda"], "model": ["Jazz"], "highestPrice": ["1000"], "disputed": ["true"], "seats": ["1"], "onlyFree": ["true"], "noDetour": ["true"], "mostExtra": ["100000"], "onlyVerified": ["true"], "towards": ["true"], "isOver": ["true", "false"],
            # Two of them, in one address.
            "point": ["60.171,24.941&point=60.172,24.943"],
            # These only continue or narrow what is asked with others.
            "cursor": [], "unread": ["true"], "radius": [], "next": [], "state": [], "code": [], "error": [], "iss": [], "lastEventId": []}
        assert parameter["name"] in known, f"how to walk the parameter {parameter['name']} is not known"
        return known[parameter["name"]]

    def addresses(self, viewer, path, operation):
        parameters = list(self.parameters(operation, "query"))
        # What must be said is said with each of the others.
        needed = {parameter["name"]: self.values(viewer, path, parameter)[0] for parameter in parameters if parameter.get("required")}
        if path.startswith("/v1/private-parking/") and "until" in needed:
            needed = {"from": needed["from"] + "T10:00", "until": needed["from"] + "T12:00"}
        for parameter in self.parameters(operation, "path"):
            paths = [path.replace("{" + parameter["name"] + "}", str(value)) for value in self.values(viewer, path, parameter)]
            return [f"{path}?{'&'.join(f'{name}={value}' for name, value in needed.items())}".rstrip("?") for path in paths]
        asked = [needed, *({**needed, parameter["name"]: value} for parameter in parameters for value in self.values(viewer, path, parameter))]
        return [f"{path}?{'&'.join(f'{name}={value}' for name, value in query.items())}".rstrip("?") for query in asked]

    def take(self, viewer, path, operation, url):
        answer = self.ask(viewer, url)
        assert answer is not None and answer.status < 500, f"{viewer} at {url}: {answer}"
        self.look(viewer, f"GET {path}", "\n".join(f"{name}: {value}" for name, value in answer.headers), url)
        body = answer.body
        if answer["Content-Type"] == "application/zip":
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                body = b"\n".join(archive.read(name) for name in archive.namelist() if name.endswith(".json"))
        self.look(viewer, f"GET {path}", body.decode("utf-8"), url)
        if answer.status != 200:
            return
        # By who asks for what belongs there: else a wrong idea of what does would ask for nothing.
        if viewer not in CURIOUS:
            self.reached.add(path)
        content = operation["responses"]["200"]["content"]
        if answer["Content-Type"] == "application/json" and path != "/v1/openapi.json":
            value = answer.json()
            # Of a list, each by itself is about Vera or not.
            parts = [{**value, "items": [item]} for item in value["items"]] if value.get("items") else [value]
            for part in parts:
                self.fields(viewer, path, url, content["application/json"]["schema"], part)

    def fields(self, viewer, path, url, schema, part):
        """Notes who got which fields: one's own, or those of what has to do with Vera."""
        there = {(field, row_of(self.rows, field).name) for field in instances(self.document, schema, part)}
        column, person = "stranger" if viewer in NOBODY else viewer, self.village.viewers[viewer]
        if OWN.match(path) or person and part.get("id") == person.id:
            column = "oneself"
        elif viewer != "oneself" and (part.get("items") == [] or not self.has(self.village.veras, url, part)):
            # Of what she took of others, that it was she; and what is said of nobody.
            taken = self.has(self.village.claimed, url, part)
            there = {(field, row) for field, row in there if row == "the community" or taken and field.startswith("SpotClaim.")}
        # Digits are told to who ordered, which others have done, too; hers are found by their words, above.
        if viewer != "oneself" and part.get("role") == "orderer":
            there.discard(("DeliveryMatch.code", "digits of deliveries"))
        for field, row in there:
            # That people are named wherever they are mentioned is found by their words, above.
            if not field.startswith(("PersonSummary.", "Person.")) or column == "oneself" or path == "/v1/people/{id}":
                self.sightings.add(Sighting(row, column, f"{field} of GET {path}"))

    @staticmethod
    def has(ids, url, part):
        return any(id in url or id in json.dumps(part) for id in ids)

    # Pages

    def page(self, viewer, path):
        answer = self.ask(viewer, path, page=True)
        assert answer is not None and answer.status < 500, f"{viewer} at {path}: {answer}"
        if not (answer["Content-Type"] or "").startswith("text/html"):
            return []
        text = html.unescape(answer.text)
        self.look(viewer, f"page {SHAPE.sub('/{id}', path.split('?')[0])}", text, path)
        links = re.findall(r'(?:href|hx-get|action)="(/[^"#]*)', answer.text)
        return [html.unescape(link) for link in [*links, *([answer["Location"]] if answer["Location"] else [])]]

    def crawl(self, viewer):
        """All that can be come to by links; of each kind of page a dozen, and three of what is none of the village's: other tests have left theirs."""
        ours, foreign = set(self.village.ids), collections.Counter()
        waiting, kinds = collections.deque(["/", "/parking", "/cars", "/spaces", "/private-parking", "/rentals", "/rides", "/rides/mine", "/rides/mine?tab=pending", "/rides/commutes", "/deliveries", "/deliver", "/orders", "/matches", "/wanted", "/wanted/new?of=deliverers", f"/rides/{self.village.passing}/seekers", f"/deliverers/{self.village.availability}", "/me", "/messages", f"/people/{self.village.vera.id}"]), collections.Counter()
        while waiting:
            path = waiting.popleft()
            at = urllib.parse.urlsplit(path).path
            kind = SHAPE.sub("/{id}", at)
            if (viewer, path) in self.seen or re.match(r"/(assets|photos|v1|calendar)/", path) or kinds[kind] >= 12:
                continue
            if not ours.issuperset(id[1:] for id in SHAPE.findall(at)):
                foreign[kind] += 1
                if foreign[kind] > 3:
                    continue
            self.seen.add((viewer, path))
            kinds[kind] += 1
            waiting.extend(self.page(viewer, path))
        self.shapes |= set(kinds)

    def known_pages(self):
        for shape in sorted(self.shapes):
            if shape.count("{id}") == 1:
                yield from (shape.replace("{id}", id) for id in self.belonging(before_id(shape)))
            elif "{id}" not in shape:
                yield shape

    # Behind the door

    def behind_the_door(self):
        self.village.show_where()
        home = pathlib.Path(HOME)
        settings = dict(line.split("=", 1) for line in (home / "settings").read_text().splitlines() if "=" in line)
        logs = [path for path in (home / "log").glob("*.log") if not re.match("build|swift-test", path.name)]
        assert {path.stem for path in logs} >= {*services_that_are("services"), "postgres", "supervisor"}
        for path in logs:
            self.look("log", path.name, path.read_text(errors="replace"))
        for name, port in settings.items():
            if name.endswith(".health.port"):
                for page in ("metrics", "health/live", "health/ready"):
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=10) as answer:
                        self.look("log", f"/{page} of {name.split('.')[0]}", answer.read().decode())
        # Of places all but what imports brought, in which nobody of here is.
        names = ", ".join(f"'{name}'" for name in services_that_are("stateful_services"))
        schemas = f"schemaname IN ({names}) AND tablename NOT IN ('names', 'places', 'anchors')"
        for table in self.query(settings, f"SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE {schemas}").split():
            text = self.query(settings, f"SELECT row_to_json(t) FROM {table} t")
            # What stands there as bytes is written in hexadecimal digits.
            hidden = b"\n".join(bytes.fromhex(run) for run in re.findall(r'"\\\\x((?:[0-9a-f]{2})+)"', text)).decode("utf-8", "replace")
            self.look("events" if table.endswith(".outbox") else "tables", table, text + hidden)

    @staticmethod
    def query(settings, statement):
        done = subprocess.run(
            ["psql", "-XAt", "-h", "127.0.0.1", "-p", settings["postgres.port"], "-U", "postgres", "-d", "kampong", "-c", statement],
            env=os.environ | {"PGPASSWORD": settings["postgres.password"]}, capture_output=True, text=True, check=True)
        return done.stdout
