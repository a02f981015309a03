"""Figures: what was measured on each side, round by round, and how the sides compare."""

import dataclasses
import statistics


@dataclasses.dataclass
class Figure:
    name: str
    unit: str
    kampong: float
    peer: str = ""
    theirs: float | None = None
    reach: str = ""
    aim: str = ""
    rounds: dict = dataclasses.field(default_factory=dict)

    @property
    def ratio(self):
        return self.kampong / self.theirs if self.theirs else None


def compare(name, unit, results, field, peers, ours="kampong", reach="", aim=""):
    """Medians over the rounds of `field`, Kampong's against each peer's. `reach` and `aim` belong to the first peer."""
    middle = {side: statistics.median(result[field] for result in rounds) for side, rounds in results.items()}
    rounds = {side: [result[field] for result in results[side]] for side in results}
    return [
        Figure(name, unit, middle[ours], peer, middle[peer], *((reach, aim) if peer == peers[0] else ("", "")), rounds)
        for peer in peers
    ]


def alone(name, unit, results, field, reach="", aim=""):
    values = [result[field] for result in results]
    return Figure(name, unit, statistics.median(values), reach=reach, aim=aim, rounds={"kampong": values})


def interleaved(rounds, **sides):
    """Runs each side once in each round, in turns, so that what else the machine does falls on all."""
    results = {name: [] for name in sides}
    for number in range(rounds):
        names = list(sides)
        for name in names[number % len(names):] + names[:number % len(names)]:
            results[name].append(sides[name]())
    return results


def text(value):
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(figures):
    head = ["figure", "unit", "Kampong", "peer", "theirs", "ratio", "reach", "aim"]
    rows = [
        [f.name, f.unit, text(f.kampong), f.peer, text(f.theirs), f"{f.ratio:.2f}×" if f.ratio else "", f.reach, f.aim]
        for f in figures
    ]
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    line = lambda row: "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
    return "\n".join([line(head), line(["-" * width for width in widths]), *map(line, rows)])
