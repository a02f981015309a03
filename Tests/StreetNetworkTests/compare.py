"""Compares the network's distances with networkx's on a graph that is read here from the same extract, by a reading of the rules of its own.

compare.py --streets PROGRAM --extract FILE.osm.pbf [--pairs N] [--seed N]

Nothing of the network is looked at but its answers: the ways come from osmium as XML, each of their nodes stays a node, lengths are binary fractions, and
the shortest ways are found by networkx's Dijkstra. Services/Places/Streets/README.md has the rules that both sides read.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import networkx

from rules import RULES, passes
from source import RADIUS, read, reference_metres

STRAIGHT, ALONG = "straight", "along"


def graph_of(nodes, ways, profile):
    """A directed graph with metres and seconds, and the lines (from, to, metres each way or None) of which it is made."""
    graph, lines = networkx.DiGraph(), []
    for number, (tags, path) in enumerate(ways):
        forward, backward = RULES[profile](tags)
        if not forward and not backward:
            continue
        here = None
        for place, ref in enumerate(path):
            if ref not in nodes:
                here = None
                continue
            # Who comes to a barrier stands before it: an end of its own for each stretch.
            blocked = not passes(nodes[ref].tags, profile)
            key = (ref, number, place, "end") if blocked else ref
            if here is not None and here[1] != ref:
                a, b = nodes[here[1]], nodes[ref]
                metres = reference_metres(a, b)
                for tail, head, speed in ((here[0], key, forward), (key, here[0], backward)):
                    if speed:
                        connect(graph, tail, head, metres, metres / speed, profile)
                lines.append((here[0], key, here[1], ref, metres, forward, backward))
            here = ((ref, number, place, "begin") if blocked else ref, ref)
    return graph, lines


def connect(graph, tail, head, metres, seconds, profile):
    weight = metres if profile == "walk" else seconds
    known = graph.get_edge_data(tail, head)
    if known is None or weight < known["weight"]:
        graph.add_edge(tail, head, weight=weight, metres=metres, seconds=seconds)


class Streets:
    """The program under test."""

    def __init__(self, program, extract, folder):
        self.program, self.network = program, pathlib.Path(folder) / "network"
        print(self.run("build", extract, self.network).strip())

    def run(self, *arguments, **options):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, **options)
        if done.returncode != 0:
            sys.exit(f"{self.program} {arguments[0]} failed: {done.stderr}")
        return done.stdout

    def ask(self, pairs, profile, reach):
        answers = self.run("distances", self.network, "--profile", profile, "--reach", reach, input=lines_of(pairs))
        return [json.loads(line)[0] for line in answers.splitlines()]

    def ask_backwards(self, target, origins, profile, reach):
        """From each of many to the one."""
        lines = " ".join(f"{place[0]!r},{place[1]!r}" for place in [target, *origins]) + "\n"
        answer = self.run("distances", self.network, "--profile", profile, "--reach", reach, "--backwards", input=lines)
        return json.loads(answer)

    def ways(self, pairs, profile, reach):
        """Point by point; None where there is no way."""
        answers = self.run("route", self.network, "--profile", profile, "--reach", reach, input=lines_of(pairs))
        return [json.loads(line) for line in answers.splitlines()]


def lines_of(pairs):
    return "".join(f"{a[0]!r},{a[1]!r} {b[0]!r},{b[1]!r}\n" for a, b in pairs)


def route(graph, a, b):
    """(metres, seconds) of the best way, or None."""
    try:
        path = networkx.dijkstra_path(graph, a, b)
    except networkx.NetworkXNoPath:
        return None
    steps = [graph.edges[step] for step in zip(path, path[1:])]
    return sum(step["metres"] for step in steps), sum(step["seconds"] for step in steps)


def choices(nodes, graph):
    """Those that are alone where they are: of several, as on a bridge, nobody knows which one is meant."""
    all_nodes = sorted(node for node in graph.nodes if isinstance(node, int))
    places = collections.Counter(nodes[node].place for node in all_nodes)
    return [node for node in all_nodes if places[nodes[node].place] == 1]


def compare_nodes(streets, nodes, graph, profile, count, chance):
    """Between nodes of the ways, so that nothing depends on how a place's street is found."""
    choice = choices(nodes, graph)
    pairs = [tuple(chance.sample(choice, 2)) for _ in range(count)]
    answers = streets.ask([(nodes[a].place, nodes[b].place) for a, b in pairs], profile, reach=0.05)
    kinds, worst, faults = {STRAIGHT: 0, ALONG: 0}, 0.0, []
    for (a, b), answer in zip(pairs, answers, strict=True):
        found = route(graph, a, b)
        kinds[ALONG if found else STRAIGHT] += 1
        expected = found[0] if found else reference_metres(nodes[a], nodes[b])
        difference = abs(answer["metres"] - expected)
        # Of two ways that take the same time to a hundredth of a second, either is the fastest.
        time_is_same = bool(found) and profile == "drive" and abs((answer["seconds"] or 0) - found[1]) < 0.5
        if answer["isAlongStreets"] != bool(found) or (difference > 1 and not time_is_same):
            faults.append(f"{a} → {b}: {answer}, networkx {found}")
        elif found and profile == "drive" and not time_is_same:
            faults.append(f"{a} → {b}: {answer['seconds']} s, networkx {found[1]} s")
        else:
            worst = max(worst, difference)
    report(f"{profile}, {count} pairs of nodes", kinds, worst, faults)
    return not faults and kinds[ALONG] > count / 2


def compare_backwards(streets, nodes, graph, profile, count, chance):
    """From many nodes to one, which one-way streets make another question."""
    choice = choices(nodes, graph)
    kinds, worst, faults, asymmetric = {STRAIGHT: 0, ALONG: 0}, 0.0, [], 0
    for target in chance.sample(choice, max(1, count // 100)):
        origins = chance.sample(choice, 100)
        answers = streets.ask_backwards(nodes[target].place, [nodes[a].place for a in origins], profile, reach=0.05)
        for origin, answer in zip(origins, answers, strict=True):
            found = route(graph, origin, target)
            kinds[ALONG if found else STRAIGHT] += 1
            back = route(graph, target, origin)
            asymmetric += (found is None) != (back is None) or (found is not None and abs(found[1] - back[1]) > 1)
            expected = found[0] if found else reference_metres(nodes[origin], nodes[target])
            difference = abs(answer["metres"] - expected)
            time_is_same = bool(found) and abs((answer["seconds"] or 0) - found[1]) < 0.5
            if answer["isAlongStreets"] != bool(found) or (difference > 1 and not time_is_same):
                faults.append(f"{origin} → {target}: {answer}, networkx {found}")
            elif difference <= 1:
                worst = max(worst, difference)
    report(f"{profile}, many to one ({asymmetric} differ from the way back)", kinds, worst, faults)
    return not faults and kinds[ALONG] > 0 and (profile == "walk" or asymmetric > 0)


def compare_ways(streets, nodes, graph, profile, count, chance):
    """Each way goes from node to node by lines of the graph, and costs what networkx's best way costs."""
    choice = choices(nodes, graph)
    pairs = [tuple(chance.sample(choice, 2)) for _ in range(count)]
    ways = streets.ways([(nodes[a].place, nodes[b].place) for a, b in pairs], profile, reach=0.05)
    # Several nodes may lie in one place, and before a barrier there are as many as ways lead to it.
    at = {}
    for node in graph.nodes:
        at.setdefault(nodes[node if isinstance(node, int) else node[0]].place, set()).add(node)
    kinds, worst, faults = {STRAIGHT: 0, ALONG: 0}, 0.0, []
    for (a, b), way in zip(pairs, ways, strict=True):
        found = route(graph, a, b)
        kinds[ALONG if found else STRAIGHT] += 1
        if way is None or found is None:
            if (way is None) != (found is None):
                faults.append(f"{a} → {b}: {way}, networkx {found}")
            continue
        cost = cost_along(graph, way, at, profile)
        best = found[0] if profile == "walk" else found[1]
        if cost is None or abs(cost - best) > 1:
            faults.append(f"{a} → {b}: the way costs {cost}, networkx {best}")
        else:
            worst = max(worst, abs(cost - best))
    report(f"{profile}, {count} ways point by point", kinds, worst, faults)
    return not faults and kinds[ALONG] > count / 2


def cost_along(graph, way, at, profile):
    """What it costs to go from each point to the next by one line; None where there is no such line."""
    costs = {node: 0.0 for node in at.get(tuple(way[0]), ())}
    for point in way[1:]:
        following = {}
        for node, cost in costs.items():
            for head, line in graph.adj[node].items():
                if head in at.get(tuple(point), ()):
                    weight = line["metres"] if profile == "walk" else line["seconds"]
                    following[head] = min(following.get(head, math.inf), cost + weight)
        costs = following
    return min(costs.values()) if costs else None


class Snapping:
    """Places anywhere, whose nearest line is found by measuring all lines."""

    def __init__(self, nodes, graph, lines):
        self.nodes, self.graph, self.lines = nodes, graph, lines
        self.main = max(networkx.strongly_connected_components(graph), key=len)

    def near(self, place, reach):
        best = {}
        for line in self.lines:
            share, metres = approach(place, self.nodes[line[2]].place, self.nodes[line[3]].place)
            if metres > reach:
                continue
            for kind in ["any"] + (["main"] if line[0] in self.main and line[1] in self.main else []):
                if kind not in best or metres < best[kind][2]:
                    best[kind] = (line, share, metres)
        return [best[kind] for kind in ("any", "main") if kind in best and not (kind == "main" and best["any"][0] is best["main"][0])]

    def distance(self, a, b, reach):
        """Metres along streets, or None."""
        for begin in self.near(a, reach):
            for end in self.near(b, reach):
                if (found := self.between(begin, end)) is not None:
                    offset = begin[2] + end[2]
                    return None if straight(a, b) <= offset else found + offset
        return None

    def between(self, begin, end):
        with_ends = self.graph
        (line, share, _), (goal, goal_share, _) = begin, end
        with_ends.add_edge("begin", line[0], weight=share * line[4], metres=share * line[4], seconds=0)
        with_ends.add_edge("begin", line[1], weight=(1 - share) * line[4], metres=(1 - share) * line[4], seconds=0)
        with_ends.add_edge(goal[0], "end", weight=goal_share * goal[4], metres=goal_share * goal[4], seconds=0)
        with_ends.add_edge(goal[1], "end", weight=(1 - goal_share) * goal[4], metres=(1 - goal_share) * goal[4], seconds=0)
        if line is goal:
            metres = abs(share - goal_share) * line[4]
            with_ends.add_edge("begin", "end", weight=metres, metres=metres, seconds=0)
        found = route(with_ends, "begin", "end")
        with_ends.remove_nodes_from(["begin", "end"])
        return found and found[0]


def straight(a, b):
    return reference_metres(a, b)


def approach(place, a, b):
    """How far along the line is the point nearest to a place, and how many metres away."""
    scale = math.cos(math.radians(place[0]))
    metres = math.radians(1) * RADIUS
    ax, ay = (a[1] - place[1]) * scale, a[0] - place[0]
    dx, dy = (b[1] - a[1]) * scale, b[0] - a[0]
    square = dx * dx + dy * dy
    share = min(1, max(0, -(ax * dx + ay * dy) / square)) if square else 0
    return share, math.hypot(ax + share * dx, ay + share * dy) * metres


def compare_places(streets, nodes, graph, lines, count, chance):
    """On foot between places anywhere in the extract."""
    snapping = Snapping(nodes, graph, lines)
    used = [nodes[line[2]].place for line in lines]
    south, north = min(p[0] for p in used), max(p[0] for p in used)
    west, east = min(p[1] for p in used), max(p[1] for p in used)
    # Coordinates have seven decimals, as the data's: on both sides the same number.
    anywhere = lambda: (round(chance.uniform(south, north), 7), round(chance.uniform(west, east), 7))
    pairs = [(anywhere(), anywhere()) for _ in range(count)]
    answers = streets.ask(pairs, "walk", reach=150)
    kinds, worst, faults = {STRAIGHT: 0, ALONG: 0}, 0.0, []
    for (a, b), answer in zip(pairs, answers, strict=True):
        found = snapping.distance(a, b, 150)
        kinds[STRAIGHT if found is None else ALONG] += 1
        difference = abs(answer["metres"] - (straight(a, b) if found is None else found))
        if answer["isAlongStreets"] != (found is not None) or difference > 1:
            faults.append(f"{a} → {b}: {answer}, networkx {found}")
        worst = max(worst, difference)
    report(f"walk, {count} pairs of places", kinds, worst, faults)
    return not faults and kinds[ALONG] > count / 2


def report(what, kinds, worst, faults):
    print(f"{what}: {kinds[ALONG]} along streets, {kinds[STRAIGHT]} straight; largest difference {worst:.4f} m; {len(faults)} differ by more than a metre")
    for fault in faults[:10]:
        print("   ", fault)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--streets", required=True)
    parser.add_argument("--extract", required=True)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    nodes, ways = read(options.extract)
    with tempfile.TemporaryDirectory() as folder:
        streets = Streets(options.streets, options.extract, folder)
        good = True
        for profile in ("walk", "drive"):
            graph, lines = graph_of(nodes, ways, profile)
            print(f"{profile}: {graph.number_of_nodes()} nodes, {graph.number_of_edges()} edges for networkx")
            good = compare_nodes(streets, nodes, graph, profile, options.pairs, chance) and good
            good = compare_backwards(streets, nodes, graph, profile, options.pairs, chance) and good
            good = compare_ways(streets, nodes, graph, profile, max(1, options.pairs // 5), chance) and good
            if profile == "walk":
                good = compare_places(streets, nodes, graph, lines, max(1, options.pairs // 5), chance) and good
    sys.exit(0 if good else "The distances differ.")


main()
