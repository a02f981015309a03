"""The stack that is measured: where it is, what is in it, who uses it."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import urllib.error
import urllib.parse
import urllib.request

import machine

PEOPLE = 100
WEST, SOUTH, EAST, NORTH = 24.8, 60.1, 25.3, 60.3  # 28 by 22 kilometres


class Stack:
    def __init__(self, options):
        self.home = pathlib.Path(options.home)
        self.programs = pathlib.Path(options.programs)
        self.postgres = pathlib.Path(options.postgres)
        self.peers = pathlib.Path(__file__).parent.parent / "peers"
        self.seconds, self.rounds, self.spots, self.crowd = options.seconds, options.rounds, options.spots, options.people
        self.rows, self.held_out = options.rows, options.held_out
        self.things, self.agreements, self.rides = options.things, options.agreements, options.rides
        lines = (self.home / "settings").read_text().splitlines()
        self.settings = dict(line.split("=", 1) for line in lines if "=" in line)
        self.port = int(self.settings["http.port"])
        self.postgres_port = int(self.settings["postgres.port"])
        self.supervisor = int((self.home / "run/supervisor.pid").read_text())
        self.postmaster = int((self.home / "postgres/data/postmaster.pid").read_text().split()[0])
        self._ids = self._tokens = None

    # Processes

    def process(self, name):
        """The process of one service."""
        for pid in machine.children(self.supervisor):
            # One that has just ended has no program any more.
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{pid}/exe").endswith(f"/{name}"):
                    return pid
        raise RuntimeError(f"{name} does not run")

    # The database

    def url(self, database="kampong", role="listings"):
        return f"postgres://{role}:{self.settings[role + '.password']}@127.0.0.1:{self.postgres_port}/{database}"

    def own_environment(self, service="listings"):
        """The database as deploy/up tells it to a service (by its socket where the path is not too long), for libpq and its kin."""
        for process in json.loads((self.home / "run/stack.json").read_text()):
            if process["name"] == service:
                parts = urllib.parse.urlsplit(process["environment"]["KAMPONG_DATABASE_URL"])
                query = dict(urllib.parse.parse_qsl(parts.query))
                return os.environ | {
                    "PGHOST": query.get("host") or parts.hostname, "PGPORT": query.get("port") or str(parts.port),
                    "PGUSER": parts.username, "PGPASSWORD": parts.password, "PGDATABASE": parts.path[1:],
                }
        raise RuntimeError(f"{service} is not supervised")

    def admin_url(self, database="kampong"):
        return self.url(database, "postgres")

    def psql(self, text, database="kampong"):
        return machine.output(
            self.postgres / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.admin_url(database), "-c", text)

    def make_database(self, name):
        if not self.psql(f"SELECT 1 FROM pg_database WHERE datname = '{name}'", "postgres"):
            self.psql(f"CREATE DATABASE {name}", "postgres")

    def fill(self):
        """A million free spots on the town, as 10,000 people would have posted them one after another; made once."""
        have = self.psql("SELECT count(*) FILTER (WHERE name LIKE 'Filled %'), count(*) FILTER (WHERE name LIKE 'Ended %') FROM listings.spots")
        if have.strip() == f"{self.spots}|0":
            return
        self.psql(
            f"""
            SET search_path = listings, public;
            TRUNCATE spots, observations, outbox, requests;
            UPDATE outbox_head SET floor = head;
            INSERT INTO people (id, name)
            SELECT ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'Person ' || n FROM generate_series(1, 10000) n
            ON CONFLICT DO NOTHING;
            INSERT INTO spots (id, posted_by, posted_at, name, kind, latitude, longitude, expires_at, state, there, gone, map, globe)
            SELECT (lpad(to_hex(at), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
                ('01900000-0000-7000-8000-' || lpad(to_hex(n % 10000 + 1), 12, '0'))::uuid,
                to_timestamp(at / 1000.0), 'Filled street ' || n, 'street', y, x, date_trunc('second', now()) + interval '300 days', 'free', 0, 0,
                cube(ARRAY[x, y, at]::float8[]), ll_to_earth(y, x)::cube
            FROM (SELECT n, (extract(epoch FROM now()) * 1000)::bigint - ({self.spots} - n) * 1000 AS at,
                    {WEST} + random() * {EAST - WEST} AS x, {SOUTH} + random() * {NORTH - SOUTH} AS y
                  FROM generate_series(1, {self.spots}) n) AS made;
            """)
        self.psql("VACUUM ANALYZE listings.spots")
        self.psql("CHECKPOINT")

    def ids(self):
        if self._ids is None:
            text = self.psql("SELECT id FROM listings.spots TABLESAMPLE SYSTEM (2) WHERE name LIKE 'Filled %' LIMIT 20000")
            self._ids = text.split()
        return self._ids

    def boxes(self, count=5000, kilometres=1.0):
        """Boxes as a phone shows them."""
        chance = random.Random(1)
        width, height = kilometres / 55.6, kilometres / 111.2
        for _ in range(count):
            west, south = chance.uniform(WEST, EAST - width), chance.uniform(SOUTH, NORTH - height)
            yield f"{west:.5f},{south:.5f},{west + width:.5f},{south + height:.5f}"

    # People

    def ask(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def people(self):
        """(id, access token) of some people; signed up once, signed in anew for each run."""
        if self._tokens is None:
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                self._tokens = list(pool.map(self.enter, range(PEOPLE)))
        return self._tokens

    def forget_people(self):
        """Whoever is asked for next is signed in anew."""
        self._tokens = None

    def enter(self, number):
        """(id, access token) of one of these people, signed in anew."""
        account = {"email": f"bench{number}@example.org", "password": "a walk along the harbour"}
        try:
            session = self.ask("POST", "/v1/sessions", account)
        except urllib.error.HTTPError:
            self.ask("POST", "/v1/accounts", account | {"name": f"Walker {number}"})
            session = self.ask("POST", "/v1/sessions", account)
        return session["person"]["id"], session["accessToken"]

    def forget_posted(self):
        """Takes away what was posted while measuring, so that each side finds the same table."""
        self.psql("DELETE FROM listings.spots WHERE name LIKE 'Beside the %'; TRUNCATE listings.requests;")
        self.psql("VACUUM listings.spots")

    # Programs

    def benchmarks(self, *arguments):
        return [self.programs / "benchmarks", *arguments]

    def measured(self, *command, **options):
        """What a program measured; `complaint` is the first answer that was an error, where it says one."""
        *before, last = machine.output(*command, **options).strip().splitlines()
        return json.loads(last) | {"complaint": before[-1] if before else ""}
