"""Finding places while somebody types, and naming points, at a steady rate through the gateway: among the towns of the world, and with a
million places more. How fast those come in, and the memory that it takes."""

import random
import sys
import urllib.parse

import gazetteer
import machine
from figures import Figure, alone, table

RATE, CONNECTIONS, SEED = 300, 64, 1
TYPED, POINTS = 4000, 4000


def run(stack):
    figures = imports(stack)
    for label, sources in (("235,000 places", ("towns", "extract")), ("1,240,000 places", ("towns", "extract", "million"))):
        if "million" in sources:
            figures += arrived("a million more", gazetteer.bring(stack, "million"), gazetteer.MILLION)
            gazetteer.settle(stack)
        print(f"   asking among {label}", file=sys.stderr, flush=True)
        sides = {
            f"autocomplete among {label}": (typed(stack, chance := random.Random(SEED)), "≤ 25 ms", "≤ 8 ms"),
            "reverse": (points(stack, chance), "≤ 10 ms", "≤ 3 ms"),
        }
        for name, (paths, reach, aim) in sides.items():
            ask(stack, paths, 3)
            results = [ask(stack, paths, max(10, stack.seconds)) for _ in range(stack.rounds)]
            figures += [
                alone(f"{name}, {RATE}/s open loop: p50", "ms", results, "p50"),
                alone("  p99", "ms", results, "p99", reach, aim), alone("  p99.9", "ms", results, "p999"),
            ]
        figures.append(Figure(f"places, resident, among {label}", "MB", machine.resident(stack.process("places"))[0] / 1024))
        # The million takes minutes to come in, and may not.
        print(table(figures), file=sys.stderr, flush=True)
    return figures


def imports(stack):
    """The towns of the world into empty tables, and the same file once more."""
    gazetteer.empty(stack)
    first = gazetteer.bring(stack, "towns")
    figures = arrived("the towns of the world into empty tables", first, 234_908)
    figures.append(Figure("  again, nothing changed", "s", gazetteer.bring(stack, "towns").seconds))
    gazetteer.only(stack, "towns", "extract")
    gazetteer.settle(stack)
    return figures


def arrived(name, brought, count):
    return [
        Figure(f"import of {name}", "places/s", count / brought.seconds), Figure("  in all", "s", brought.seconds),
        Figure("  memory meanwhile, without PostgreSQL", "MB", brought.kilobytes / 1024),
    ]


def typed(stack, dice):
    """What is sent on the way to a name: from two letters on, by every second person from somewhere near, now and then with a slip or a region."""
    lines = stack.psql(
        f"""SELECT p.name, p.latitude, p.longitude, coalesce(r.name, '') FROM places.places p LEFT JOIN places.regions r ON r.code = p.region
            ORDER BY md5(p.id::text || '{SEED}') LIMIT {TYPED}""")
    paths = []
    for name, latitude, longitude, region in (line.split("|") for line in lines.splitlines() if line.count("|") == 3):
        text = name[:dice.randrange(2, len(name) + 1)] if len(name) > 2 else name
        if len(text) > 4 and dice.random() < 0.1:
            slip = dice.randrange(1, len(text) - 1)
            text = text[:slip] + text[slip + 1:]
        elif region and dice.random() < 0.05:
            text = f"{name}, {region}"
        query = {"q": text[:100]}
        if dice.random() < 0.5:
            query["near"] = f"{near(latitude, dice, 89):.4f},{near(longitude, dice, 179):.4f}"
        if sum(letter.isalnum() for letter in text.split(",")[0]) >= 2:
            paths.append(f"/v1/places?{urllib.parse.urlencode(query)}\n")
    return "".join(paths)


def near(degrees, dice, most):
    return max(-most, min(most, float(degrees) + dice.gauss(0, 0.05)))


def points(stack, dice):
    """Half of them where places are, half anywhere on the earth."""
    lines = stack.psql(f"SELECT latitude, longitude FROM places.places ORDER BY md5(id::text || '{SEED}') LIMIT {POINTS // 2}").splitlines()
    there = [(near(latitude, dice, 89), near(longitude, dice, 179)) for latitude, longitude in (line.split("|") for line in lines)]
    there += [(dice.uniform(-90, 90), dice.uniform(-180, 180)) for _ in range(POINTS - len(there))]
    dice.shuffle(there)
    return "".join(f"/v1/places/reverse?at={latitude:.5f},{longitude:.5f}\n" for latitude, longitude in there)


def ask(stack, paths, seconds):
    result = stack.measured(stack.home / "peers/openloop", stack.port, RATE, seconds, CONNECTIONS, input=paths)
    if result["errors"]:
        raise RuntimeError(f"{result['errors']} of {result['count']} answers were refusals")
    return result | {key: result[key] / 1000 for key in ("p50", "p99", "p999")}
