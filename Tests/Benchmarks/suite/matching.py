"""Who brings what: rounds of orders beside the exact optimum by min-cost flow (OR-Tools) and by assignment (scipy), and one order at a time."""

import os
import statistics
import tempfile
import time

import numpy
from ortools.graph.python import min_cost_flow
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

import instances
from figures import Figure, alone, compare, interleaved

REACH, AIM = "≤ 0.2 %", "≤ 0.05 %"


def run(stack):
    figures, rounds = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, instance in instances.seven():
            results = measure(stack, folder, instance, {"OR-Tools": flow})
            rounds.append(results["kampong"])
            figures += large(name, instance, results)
        figures += worst(rounds)
        figures += small(stack, folder)
        figures += plane(stack, folder)
    return figures + one_at_a_time(stack)


# What is measured


def large(name, instance, results):
    """One of the seven: exact by a peer once, as it takes seconds and its answer is always the same."""
    ours = results["kampong"]
    return [
        *compare(f"{instance.orders:,} × {len(instance.hands):,}, {name}", "ms", results, "milliseconds", ["OR-Tools"]),
        alone("  less than the exact optimum", "%", ours, "missed", reach=REACH, aim=AIM),
        alone("  … than its prices prove", "%", ours, "unproved"),
        alone("  served", "", ours, "served"),
        Figure("  served by the exact optimum", "", results["OR-Tools"][0]["served"]),
    ]


def worst(rounds):
    middle = lambda field: [statistics.median(result[field] for result in results) for results in rounds]
    return [
        Figure("the worst of the seven", "ms", max(middle("milliseconds")), reach="≤ 500", aim="≤ 250"),
        Figure("  of the clock", "ms", max(middle("elapsed")), reach="≤ 500", aim="≤ 250"),
        Figure("  less than the exact optimum", "%", max(middle("missed")), reach=REACH, aim=AIM),
    ]


def small(stack, folder):
    """As a round of a day is: two solvers that we did not write have to agree on what is exact."""
    figures = []
    for name, instance in (
        ("2,000 × 2,000, sixteen edges", instances.anywhere(2000, 2000, (1, 1), 2)),
        ("2,000 × 400, sixteen edges", instances.anywhere(2000, 400, (1, 4), 3)),
    ):
        results = measure(stack, folder, instance, {"scipy": sparse, "OR-Tools": flow})
        figures += compare(name, "ms", results, "milliseconds", ["scipy", "OR-Tools"])
        figures.append(alone("  less than the exact optimum", "%", results["kampong"], "missed", reach="≤ 0.1 %", aim="≤ 0.01 %"))
    return figures


def plane(stack, folder):
    instance = instances.plane(2000, 1)
    results = measure(stack, folder, instance, {"scipy": dense})
    least = walked(results["scipy"][0])
    for result in results["kampong"]:
        if result["served"] != results["scipy"][0]["served"]:
            raise RuntimeError("not as many are served as by the exact optimum, so that metres cannot be compared")
        result["more"] = (walked(result) / least - 1) * 100
    return [
        *compare("2,000 × 2,000 on a plane", "ms", results, "milliseconds", ["scipy"]),
        alone("  less than the exact optimum", "%", results["kampong"], "missed", reach="≤ 0.1 %", aim="≤ 0.01 %"),
        alone("  more metres walked, for as many served", "%", results["kampong"], "more", reach="≤ 1 %", aim="≤ 0.3 %"),
    ]


def walked(result):
    return result["served"] * instances.PLANE_SERVED - result["value"]


def one_at_a_time(stack):
    figures = []
    for campuses, name in ((20, "20 campuses"), (1, "one campus")):
        found = [stack.measured(*stack.benchmarks("offer-orders", "--campuses", str(campuses))) for _ in range(stack.rounds)]
        for act, title in (("placed", f"one order among 20,000 available, {name}"), ("declined", "  declined: the next is asked")):
            results = [result[act] for result in found]
            figures.append(alone(f"{title}: p99", "µs", results, "p99", reach="≤ 5,000", aim="≤ 1,000"))
            figures.append(alone("  p50", "µs", results, "p50"))
    return figures


# The sides


def measure(stack, folder, instance, solvers):
    """Kampong in each round, the exact solvers once; looked at before anything is said of it."""
    path, answer = f"{folder}/instance", f"{folder}/answer"
    instance.write(path)

    def kampong():
        found = stack.measured(*stack.benchmarks("assign-orders", path, answer))
        value, served = judge(instance, numpy.fromfile(answer, dtype="<i4"))
        if (value, served) != (found["value"], found["served"]):
            raise RuntimeError(f"the engine says {found['value']} and {found['served']}, its answer is {value} and {served}")
        return found | {"unproved": (1 - value / found["bound"]) * 100}

    results = {"kampong": interleaved(stack.rounds, kampong=kampong)["kampong"]}
    results |= {name: [solve(instance, solver)] for name, solver in solvers.items()}
    values = {results[name][0]["value"] for name in solvers}
    if len(values) != 1:
        raise RuntimeError(f"the exact solvers differ: {values}")
    optimum = values.pop()
    for result in results["kampong"]:
        if not result["value"] <= optimum <= result["bound"]:
            raise RuntimeError(f"{result['value']} ≤ {optimum} ≤ {result['bound']} does not hold")
        result["missed"] = (1 - result["value"] / optimum) * 100
    os.remove(path)
    return results


def judge(instance, answer):
    """(value, served) of an assignment, which has to be one."""
    chosen = (instance.deliverers == answer[instance.owners])
    served = answer >= 0
    if not (numpy.bincount(instance.owners[chosen], minlength=instance.orders) == served).all():
        raise RuntimeError("an order has a deliverer whom it does not fit")
    if (numpy.bincount(answer[served], minlength=len(instance.hands)) > instance.hands).any():
        raise RuntimeError("a deliverer has more than there is room for")
    return int(instance.values[chosen].sum()), int(served.sum())


def solve(instance, solver):
    """From the arrays to the answer, in milliseconds of the processor."""
    begin = time.process_time()
    answer = solver(instance)
    used = (time.process_time() - begin) * 1000
    value, served = judge(instance, answer)
    return {"milliseconds": used, "value": value, "served": served}


def flow(instance):
    orders, deliverers, greatest = instance.orders, len(instance.hands), int(instance.values.max())
    graph = min_cost_flow.SimpleMinCostFlow()
    add = graph.add_arcs_with_capacity_and_unit_cost
    sink = orders + deliverers
    edges = add(
        instance.owners, orders + instance.deliverers, numpy.ones(len(instance.deliverers), int), greatest - instance.values)
    add(orders + numpy.arange(deliverers), numpy.full(deliverers, sink), instance.hands, numpy.zeros(deliverers, int))
    # Not being served is worth nothing.
    add(numpy.arange(orders), numpy.full(orders, sink), numpy.ones(orders, int), numpy.full(orders, greatest))
    graph.set_nodes_supplies(numpy.arange(orders), numpy.ones(orders, int))
    graph.set_node_supply(sink, -orders)
    if graph.solve() != graph.OPTIMAL:
        raise RuntimeError("OR-Tools found no optimum")
    used = graph.flows(edges) > 0
    answer = numpy.full(orders, -1)
    answer[instance.owners[used]] = instance.deliverers[used]
    return answer


def sparse(instance):
    """A column for each hand, and one for each order that is not served."""
    first = numpy.concatenate([[0], numpy.cumsum(instance.hands)])
    copies = instance.hands[instance.deliverers]
    number = numpy.arange(copies.sum()) - numpy.repeat(numpy.cumsum(copies) - copies, copies)
    rows, columns = numpy.repeat(instance.owners, copies), numpy.repeat(first[instance.deliverers], copies) + number
    greatest, everyone = int(instance.values.max()) + 1, numpy.arange(instance.orders)
    costs = numpy.concatenate([numpy.repeat(greatest - instance.values, copies), numpy.full(instance.orders, greatest)])
    places = (numpy.concatenate([rows, everyone]), numpy.concatenate([columns, first[-1] + everyone]))
    matrix = csr_matrix((costs.astype(float), places), shape=(instance.orders, first[-1] + instance.orders))
    chosen, hand = min_weight_full_bipartite_matching(matrix)
    owner = numpy.concatenate([numpy.repeat(numpy.arange(len(instance.hands)), instance.hands), numpy.full(instance.orders, -1)])
    answer = numpy.full(instance.orders, -1)
    answer[chosen] = owner[hand]
    return answer


def dense(instance):
    """Where everybody fits everybody, with one hand each."""
    _, answer = linear_sum_assignment(instance.values.reshape(instance.orders, -1), maximize=True)
    return answer
