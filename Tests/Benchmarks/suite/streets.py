"""Distances along streets from one place to a hundred, beside Dijkstra's algorithm by scipy (in C) on the same streets."""

import os
import random
import statistics
import subprocess
import tempfile
import time

import numpy
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

import city
import machine
from figures import Figure, alone, compare, interleaved

NODES, TARGETS, SEED = 30_000, 100, 1
# Of scipy, which goes through the whole city for each.
THEIR_QUERIES, OUR_QUERIES = 5, 200


def run(stack):
    with tempfile.TemporaryDirectory() as folder:
        drawn = city.draw(NODES, SEED)
        text, network = f"{folder}/city.opl", f"{folder}/city.network"
        drawn.write(text)
        seconds, peak = build(stack, text, network)
        figures = [
            Figure(f"network of {len(drawn.places):,} crossings, {len(drawn.streets):,} streets: building", "s", seconds),
            Figure("  memory meanwhile", "MB", peak / 1024),
            Figure("  its file", "MB", os.path.getsize(network) / 1e6),
        ]
        for profile in ("walk", "drive"):
            figures += measure(stack, drawn, network, profile)
    return figures


def build(stack, text, network):
    """(seconds, kilobytes at most)"""
    begin = time.monotonic()
    child = subprocess.Popen([stack.programs / "streets", "build", text, network], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"streets build failed ({child.returncode})")
    return time.monotonic() - begin, usage.ru_maxrss


def measure(stack, drawn, network, profile):
    graph = matrix(drawn, profile)
    # Where one comes from everywhere to everywhere.
    _, parts = connected_components(graph, connection="strong")
    inside = numpy.flatnonzero(parts == numpy.bincount(parts).argmax()).tolist()
    chance = random.Random(SEED)
    questions = [chance.sample(inside, 1 + TARGETS) for _ in range(OUR_QUERIES)]
    lines = "".join(" ".join("{:.7f},{:.7f}".format(*drawn.position(node)) for node in nodes) + "\n" for nodes in questions)

    def kampong():
        found = stack.measured(*stack.benchmarks("streets", network, "--profile", profile), input=lines)
        return found["times"] | {"load": found["load"], "answers": found["answers"], "along": found["alongStreets"]}

    def scipy():
        times, answers = [], []
        for nodes in questions[:THEIR_QUERIES]:
            begin = time.perf_counter()
            cost = dijkstra(graph, indices=nodes[0])
            times.append((time.perf_counter() - begin) * 1e6)
            answers.append([cost[node] for node in nodes[1:]])
        return {"p50": statistics.median(times), "answers": answers}

    results = interleaved(stack.rounds, kampong=kampong, scipy=scipy)
    agree(results["kampong"][0], results["scipy"][0], profile)
    return [
        *compare(f"from one place to {TARGETS}, {profile}: p50", "µs", results, "p50", ["scipy"]),
        alone("  p99", "µs", results["kampong"], "p99", reach="≤ 50,000 µs", aim="≤ 10,000 µs"),
        alone("  reading the file", "ms", results["kampong"], "load"),
    ]


def matrix(drawn, profile):
    """On foot metres, by car seconds."""
    tails, heads, costs = [], [], []
    for a, b, speed, oneway in drawn.streets:
        cost = drawn.metres(a, b) if profile == "walk" else drawn.metres(a, b) / (speed / 3.6)
        for tail, head in ((a, b), (b, a))[:1 if oneway and profile == "drive" else 2]:
            tails.append(tail), heads.append(head), costs.append(cost)
    return csr_matrix((costs, (tails, heads)), shape=(len(drawn.places),) * 2)


def agree(ours, theirs, profile):
    """On foot to a metre; by car to a second (each street's time is rounded to a hundredth of one)."""
    if ours["along"] != OUR_QUERIES * TARGETS:
        raise RuntimeError(f"{OUR_QUERIES * TARGETS - ours['along']} targets were not found along streets ({profile})")
    worst = max(abs(a - b) for mine, other in zip(ours["answers"], theirs["answers"]) for a, b in zip(mine, other))
    if worst > 1:
        raise RuntimeError(f"an answer differs by {worst} from scipy's ({profile})")
