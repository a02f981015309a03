"""From HTTP to the row and back, beside Express with node-postgres and FastAPI with asyncpg on the same PostgreSQL."""

import contextlib
import json
import os
import pathlib
import sys
import tempfile

import machine
from figures import compare, interleaved


WARMING = 5


def run(stack):
    stack.fill()
    with contextlib.ExitStack() as ends:
        folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
        express, fastapi = peers(stack, ends)
        sides = {
            "kampong": (stack.port, stack.supervisor), "Express": express, "FastAPI": fastapi,
        }
        figures = []
        for name, lines, posts in requests(stack):
            file = folder / name.replace(" ", "-")
            file.write_text("\n".join(lines) + "\n")
            check(sides, lines, posts)
            for connections in (1, 64):
                figures += pair(stack, sides, name, file, posts, connections)
        return figures


def requests(stack):
    yield "spot by id", [f"/v1/spots/{spot}" for spot in stack.ids()], False
    yield "spots in a box", [f"/v1/spots?bbox={box}" for box in stack.boxes()], False
    yield "post a spot", [f"{person} {token}" for person, token in stack.people()], True


def peers(stack, ends):
    """Starts both, two workers each, and answers with their ports and processes."""
    express_port, fastapi_port = machine.free_port(), machine.free_port()
    environment = stack.own_environment()
    express = ends.enter_context(
        machine.running("node", stack.peers / "express_peer.js", express_port, env=environment))
    fastapi = ends.enter_context(
        machine.running(
            sys.executable, "-m", "uvicorn", "fastapi_peer:app", "--workers", "2", "--port", fastapi_port, "--loop",
            "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning", cwd=stack.peers,
            env=environment))
    machine.wait_for_port(express_port)
    machine.wait_for_port(fastapi_port)
    return (express_port, express.pid), (fastapi_port, fastapi.pid)


def check(sides, lines, posts):
    """That all sides give the same answer, but for what names the moment."""
    if posts:
        return
    answers = {}
    for side, (port, _) in sides.items():
        text = machine.output("curl", "-fsS", f"http://127.0.0.1:{port}{lines[0]}")
        answers[side] = canonical(text)
    for side, answer in answers.items():
        if answer != answers["kampong"]:
            raise RuntimeError(f"{side} answers {lines[0]} otherwise: {difference(answer, answers['kampong'])}")


def difference(one, other):
    """The first place in which two answers differ."""
    lines = (json.dumps(answer, indent=1, sort_keys=True).splitlines() for answer in (one, other))
    return next((f"{a.strip()} instead of {b.strip()}" for a, b in zip(*lines) if a != b), "one is longer")


def canonical(text):
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in ("age", "next") and item is not None}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return strip(json.loads(text))


def pair(stack, sides, name, file, posts, connections):
    measure = lambda port, root: load(stack, port, root, file, posts, connections)
    # Each side's connections, caches and compiled code are those of a day's work, not of its first seconds.
    for port, root in sides.values():
        load(stack, port, root, file, posts, connections, seconds=WARMING)
    results = interleaved(
        stack.rounds, **{side: lambda at=at: measure(*at) for side, at in sides.items()})
    if posts:
        stack.forget_posted()
    title = f"{name}, {connections} conn."
    of = lambda what, unit, field, reach="", aim="": compare(
        f"{title}: {what}", unit, results, field, ["Express", "FastAPI"], reach=reach, aim=aim)
    if connections == 1:
        return of("p50", "µs", "p50", "≤ 1.5×", "≤ 1.0×") + of("p99", "µs", "p99") + of(
            "CPU per 10,000", "s", "cpu")
    return (
        of("rate", "req/s", "perSecond", "≥ 3×", "≥ 4.5×") + of("p50", "µs", "p50") + of("p99", "µs", "p99")
        + of("CPU per 10,000", "s", "cpu", "≤ 0.35×", "≤ 0.2×") + of("the same without PostgreSQL", "s", "own")
    )


def load(stack, port, root, file, posts, connections, seconds=None):
    """One run of wrk; its own CPU is nobody's."""
    if posts:
        stack.forget_posted()
    environment = os.environ | {"BENCH_REQUESTS": str(file), "BENCH_POSTS": "1" if posts else "0"}
    everything, own = machine.CPU(root, stack.postmaster), machine.CPU(root, without=stack.postmaster)
    result = stack.measured(
        "wrk", "-t1", f"-c{connections}", f"-d{seconds or stack.seconds}s", "--timeout", "60s", "-s", stack.peers / "wrk.lua",
        f"http://127.0.0.1:{port}", env=environment)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} requests to port {port} failed")
    scale = 10_000 / result["count"]
    return result | {"cpu": everything.seconds() * scale, "own": own.seconds() * scale}
