"""What the libraries take of a spot by its id when nobody adds anything: the HTTP library alone, a round trip of libzmq in C, a row by pgbench.

Their sum is what the whole path cannot go below as it is built: HTTP, a hop over the encrypted bus, and a row.
"""

import contextlib
import os
import pathlib
import resource
import tempfile

import machine
import rows
from figures import alone, compare, interleaved

CONNECTIONS = 64


def run(stack):
    with contextlib.ExitStack() as ends:
        return http(stack, ends) + bus(stack, ends) + row(stack)


def http(stack, ends):
    folder = pathlib.Path(ends.enter_context(tempfile.TemporaryDirectory()))
    requests = folder / "requests"
    requests.write_text("\n".join(f"/v1/spots/{number}" for number in range(20_000)) + "\n")
    sides = {}
    for name, command in (("kampong", stack.benchmarks("http-alone", "--port")), ("Express", ["node", stack.peers / "express_alone.js"])):
        port = machine.free_port()
        sides[name] = (port, ends.enter_context(machine.running(*command, port)).pid)
        machine.wait_for_port(port)
    results = interleaved(stack.rounds, **{name: lambda at=at: load(stack, requests, *at) for name, at in sides.items()})
    return (
        compare(f"an answer by the HTTP library alone, {CONNECTIONS} conn.: rate", "req/s", results, "perSecond", ["Express"])
        + compare("  CPU per 10,000", "s", results, "cpu", ["Express"]))


def load(stack, requests, port, root):
    environment = os.environ | {"BENCH_REQUESTS": str(requests), "BENCH_POSTS": "0"}
    used = machine.CPU(root)
    result = stack.measured(
        "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{stack.seconds}s", "-s", stack.peers / "wrk.lua", f"http://127.0.0.1:{port}", env=environment)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} requests failed")
    return result | {"cpu": used.seconds() * 10_000 / result["count"]}


def bus(stack, ends):
    address = f"tcp://127.0.0.1:{machine.free_port()}"
    server = ends.enter_context(machine.running(stack.home / "peers/bus", "server", address, 9))
    results = []
    for _ in range(stack.rounds):
        used, client = machine.CPU(server.pid), own_children()
        result = stack.measured(stack.home / "peers/bus", "client", address, 9, CONNECTIONS, stack.seconds)
        # It begins a second before it counts.
        scale = 10_000 / (result["count"] * (stack.seconds + 1) / stack.seconds)
        results.append({"cpu": (used.seconds() + own_children() - client) * scale})
    return [alone(f"a round trip of libzmq in C, {CONNECTIONS} at once: CPU per 10,000", "s", results, "cpu")]


def row(stack):
    rows.fill(stack)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "select"
        script.write_text(rows.SELECT)
        for _ in range(stack.rounds):
            # What answers ends with its connection.
            before = machine.ended_children(stack.postmaster) + own_children()
            rate = rows.bench(stack, script, 1)["perSecond"]
            used = machine.ended_children(stack.postmaster) + own_children() - before
            results.append({"cpu": used * 10_000 / (rate * stack.seconds)})
    return [alone("a row by pgbench: CPU per 10,000", "s", results, "cpu")]


def own_children():
    """CPU seconds of the children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
