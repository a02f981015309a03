"""Events between two services with schemas of their own: from the commit to the durable effect, and catching up with many."""

import contextlib
import json
import pathlib
import subprocess
import tempfile

import machine
from figures import alone

DATABASE, RATE, BACKLOG = "bench_events", 500, 100_000


def run(stack):
    stack.make_database(DATABASE)
    with tempfile.TemporaryDirectory() as folder:
        side = Sides(stack, pathlib.Path(folder))
        steady = [side.steady(RATE * max(6, stack.seconds)) for _ in range(stack.rounds)]
        caught = [side.catch_up() for _ in range(min(2, stack.rounds))]
    name = f"commit → effect at {RATE}/s"
    return [
        alone(f"{name}: p50", "ms", steady, "p50"),
        alone(f"{name}: p99", "ms", steady, "p99", "≤ 50 ms", "≤ 15 ms"),
        alone(f"{name}: longest", "ms", steady, "longest"),
        alone(f"catching up with {BACKLOG:,} events", "events/s", caught, "perSecond", "≥ 2,000", "≥ 10,000"),
    ]


class Sides:
    def __init__(self, stack, folder):
        self.stack, self.folder = stack, folder
        self.endpoints = [f"tcp://127.0.0.1:{machine.free_port()}" for _ in range(2)]

    def command(self, name, schema, *options):
        return [str(part) for part in self.stack.benchmarks(
            name, "--url", self.stack.admin_url(DATABASE), "--schema", schema, "--keys", self.folder / "keys", "--requests",
            self.endpoints[0], "--events", self.endpoints[1], "--log", self.folder / schema, *options)]

    def renew(self):
        for schema in ("source", "target"):
            self.stack.psql(f"DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}", DATABASE)

    @contextlib.contextmanager
    def publisher(self, count):
        command = self.command("publish", "source", "--rate", RATE, "--count", count)
        with machine.running(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            expect(process, "ready")
            yield process

    def subscriber(self, until):
        return machine.running(
            *self.command("subscribe", "target", "--until", until), stdout=subprocess.PIPE, text=True)

    def go(self, process):
        process.stdin.write("go\n")
        process.stdin.flush()
        expect(process, "done")

    def steady(self, count):
        self.renew()
        with self.publisher(count) as source, self.subscriber(count) as target:
            self.go(source)
            finish(target)
        begun, ended = self.moments("source"), self.moments("target")
        if begun.keys() != ended.keys() or len(begun) != count:
            raise RuntimeError(f"{len(begun)} commits and {len(ended)} effects of {count} events")
        # The first second is that of connections and caches.
        late = sorted((ended[number] - begun[number]) / 1e6 for number in begun if number >= RATE)
        return {"p50": late[len(late) // 2], "p99": late[int(len(late) * 0.99)], "longest": late[-1]}

    def catch_up(self):
        """The backlog is one real event, copied: the sequencer is not what is measured here."""
        self.renew()
        with self.publisher(1) as source:
            self.go(source)
            self.stack.psql(
                f"""
                SET search_path = source;
                INSERT INTO outbox (position, header, payload, numbered_at)
                SELECT n + 1, header, jsonb_build_object('number', n), now() FROM outbox, generate_series(1, {BACKLOG - 1}) n;
                UPDATE outbox_head SET head = {BACKLOG};
                ANALYZE outbox;
                """, DATABASE)
            with self.subscriber(BACKLOG) as target:
                result = finish(target)
        effects = int(self.stack.psql("SELECT count(*) FROM target.effects", DATABASE))
        if effects != BACKLOG:
            raise RuntimeError(f"{effects} effects of {BACKLOG} events")
        return {"perSecond": BACKLOG / result["seconds"]}

    def moments(self, schema):
        lines = (self.folder / schema).read_text().splitlines()
        return dict(map(int, line.split()) for line in lines)


def expect(process, word):
    line = process.stdout.readline().strip()
    if line != word:
        raise RuntimeError(f"instead of {word} came {line!r}")


def finish(process):
    text, _ = process.communicate(timeout=120)
    result = json.loads(text.strip().splitlines()[-1])
    if result["setAside"]:
        raise RuntimeError(f"{result['setAside']} events were set aside")
    return result
