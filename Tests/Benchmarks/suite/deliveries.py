"""Food that people bring each other, through the whole path, in a town where 20,000 can bring something: from an order to its offer on a deliverer's stream, from a decline to
the next one; accepts, and the restaurants from which somebody can bring something now, beside Express with node-postgres and the same tables."""

import contextlib
import json
import random

import deliveries_fill
import machine
from deliveries_fill import SEED, audit, forget, quiet
from deliveries_live import Live, by_order
from figures import alone, compare, interleaved
from rentals import ask, settle
from whole_path import canonical, difference

# Asked whether or not the answers keep up; the last of the rates of accepts is more than can be reached: beyond that an open loop measures its queue.
ORDERED, DECLINED, ACCEPTED, LISTED = 200, 100, (300, 500, 1500), 300
# As many orders at once as all hands leave a choice for; as many offers as are made once, and accepted again and again.
MOST, OFFERED = 1000, 2500


def run(stack):
    stack.forget_people()
    orderers, carriers, town = stack.people(), deliveries_fill.carriers(stack), deliveries_fill.Town()
    with contextlib.ExitStack() as ends:
        ends.callback(deliveries_fill.empty, stack)
        deliveries_fill.fill(stack, town, carriers)
        port = machine.free_port()
        # To Kampong people come with their tokens, to the other with their ids.
        express = ends.enter_context(machine.running("node", stack.peers / "deliveries_peer.js", port, env=stack.own_environment("matching")))
        machine.wait_for_port(port)
        sides = {"kampong": (stack.port, stack.supervisor), "Express": (port, express.pid)}
        figures = listing(stack, sides, town, orderers)
        with contextlib.ExitStack() as streams:
            live = Live(stack.port, carriers, streams)
            figures = asking(stack, live, town, orderers) + figures
            offers = offered(stack, live, town, orderers)
        return figures + accepting(stack, sides, offers, carriers)


# MARK: From an order to its offer, and to the next one


def asking(stack, live, town, orderers):
    results = [ask_and_decline(stack, live, town, orderers) for _ in range(stack.rounds + 1)]
    # What comes first after a start is the first of its kind on each connection.
    results = results[1:]
    flat = lambda what: [result[what] for result in results]
    title = f"an order, {ORDERED}/s open loop, until a deliverer's stream has its offer"
    next_one = f"a decline, {DECLINED}/s open loop, until a stream has the next offer"
    return [
        alone(f"{title}: p50", "ms", flat("asked"), "p50"),
        alone("  p99", "ms", flat("asked"), "p99", "≤ 150 ms", "≤ 40 ms"), alone("  longest", "ms", flat("asked"), "longest"),
        alone(f"{next_one}: p50", "ms", flat("declined"), "p50"),
        alone("  p99", "ms", flat("declined"), "p99", "≤ 250 ms", "≤ 100 ms"), alone("  longest", "ms", flat("declined"), "longest"),
    ]


def ask_and_decline(stack, live, town, orderers):
    seconds = max(3, stack.seconds)
    dues = order(stack, live, town, orderers, min(MOST, ORDERED * seconds))
    first = {order: offers[0] for order, offers in by_order(live.offers).items()}
    declined = list(first.values())[:DECLINED * seconds]
    answers = live.post([(f"/v1/matches/{offer.match}/decline", live.people[offer.number][1], {}) for offer in declined], DECLINED)
    told(answers, 200)
    live.until(lambda: len(live.offers) >= len(dues) + len(declined), lambda: f"{len(live.offers)} of {len(dues) + len(declined)} offers")
    live.still_once()
    found = by_order(live.offers)
    # One offer for each order, and a second one for each that was declined, to somebody else.
    for offer in declined:
        if len(found[offer.order]) != 2 or len({each.number for each in found[offer.order]}) != 2:
            raise RuntimeError(f"what was declined once has {len(found[offer.order])} offers")
    if len(live.offers) != len(dues) + len(declined) or found.keys() != dues.keys():
        raise RuntimeError(f"{len(live.offers)} offers of {len(found)} orders, where {len(dues)} were placed and {len(declined)} declined")
    audit(stack, {(offer.match, offer.order) for offer in live.offers})
    return {
        "asked": times([first[order].at - due for order, due in dues.items()]),
        "declined": times([found[offer.order][1].at - answer.due for offer, answer in zip(declined, answers)]),
    }


def order(stack, live, town, orderers, count, several=0.3):
    """When each of so many orders was due, by its id; all of them are offered to somebody."""
    forget(stack)
    settle(stack, "matching")
    live.begin()
    dice, currency = random.Random(SEED), stack.settings.get("KAMPONG_COMMUNITY_CURRENCY", "SGD")
    answers = live.post([("/v1/orders", dice.choice(orderers)[1], draft) for draft in town.orders(count, dice, currency, several)], ORDERED)
    told(answers, 201)
    live.until(lambda: len(live.offers) >= count, lambda: f"{len(live.offers)} of {count} orders were offered")
    dues = {json.loads(answer.body)["id"]: answer.due for answer in answers}
    if {offer.order for offer in live.offers} != dues.keys():
        raise RuntimeError("what was offered is not what was ordered")
    return dues


def told(answers, status):
    refused = [answer for answer in answers if answer.status != status]
    if refused:
        raise RuntimeError(f"{len(refused)} of {len(answers)} were refused: {refused[0].status} {refused[0].body[:300]!r}")


def times(seconds):
    values = sorted(1000 * each for each in seconds)
    return {"p50": values[len(values) // 2], "p99": values[int(len(values) * 0.99)], "longest": values[-1]}


# MARK: Accepting


def offered(stack, live, town, orderers):
    """(match, number of its deliverer): made by the service, with all that an offer has."""
    # Of one restaurant each: so many fill most hands, and a choice between several could leave one order without any.
    order(stack, live, town, orderers, OFFERED, several=0)
    live.still_once()
    audit(stack, {(offer.match, offer.order) for offer in live.offers})
    return [(offer.match, offer.number) for offer in live.offers]


def accepting(stack, sides, offers, carriers):
    dice = random.Random(SEED)

    def measure(side, rate, seconds):
        count = min(len(offers), rate * seconds)
        again(stack)
        who = 1 if side == "kampong" else 0
        asked = [f"/v1/matches/{match}/accept\t{carriers[number][who]}\t{{}}" for match, number in dice.sample(offers, count)]
        result = ask(stack, sides[side][0], rate, count / rate, asked)
        made = int(stack.psql(f"SELECT count(*) FROM matching.matches JOIN matching.orders ON orders.id = \"order\" WHERE {ACCEPTED_BOTH}"))
        if made != result["count"] or result["refused"]:
            raise RuntimeError(f"{side} told {result['count'] - result['refused']} of {result['count']} people that they bring it, and {made} do")
        audit(stack)
        settle(stack, "matching")
        return result

    figures = []
    for rate in ACCEPTED:
        for side in sides:
            measure(side, rate, 1)
        results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, rate, max(3, stack.seconds)) for side in sides})
        title = f"accepting what is offered, {rate}/s open loop"
        of = lambda what, unit, field, reach="", aim="": compare(f"{title}: {what}", unit, results, field, ["Express"], reach=reach, aim=aim)
        if rate == ACCEPTED[-1]:
            figures += of("answered", "req/s", "perSecond", "≥ 500", "≥ 1,500") + of("p99", "ms", "p99")
        else:
            figures += of("p50", "ms", "p50") + of("p99", "ms", "p99", "≤ 40 ms", "≤ 25 ms")
    return figures


ACCEPTED_BOTH = "matches.state = 'accepted' AND accepted_at IS NOT NULL AND orders.state = 'matched' AND matches.drop_name LIKE 'Bench building %'"


def again(stack):
    """What was accepted is offered once more, so that each side finds the same tables. The hands stay as full as they are."""
    stack.psql(f"""
        SET search_path = matching, public;
        UPDATE orders SET state = 'offered' WHERE state = 'matched' AND {deliveries_fill.OURS};
        UPDATE matches SET state = 'offered', accepted_at = NULL, expected_at = NULL, changed_at = offered_at, changed_by = NULL, remind_at = NULL,
            expires_at = now() + interval '1 hour', due_at = now() + interval '1 hour'
        WHERE state IN ('accepted', 'offered') AND {deliveries_fill.OURS};
        TRUNCATE requests""")
    for table in ("matches", "orders"):
        stack.psql(f"VACUUM ANALYZE matching.{table}")
    quiet(stack)


# MARK: Restaurants with a deliverer now


def listing(stack, sides, town, people):
    dice = random.Random(SEED)
    near = [town.point(dice) for _ in range(1000)]
    asked = {side: [
        f"/v1/restaurants?near={latitude:.5f},{longitude:.5f}\t{people[number % len(people)][1 if side == 'kampong' else 0]}"
        for number, (latitude, longitude) in enumerate(near)] for side in sides}
    for number in range(20):
        check(sides, {side: paths[number] for side, paths in asked.items()})
    measure = lambda side, seconds: ask(stack, sides[side][0], LISTED, seconds, asked[side])
    for side in sides:
        measure(side, 3)
    results = interleaved(stack.rounds, **{side: lambda side=side: measure(side, max(5, stack.seconds)) for side in sides})
    title = f"restaurants with a deliverer now, {deliveries_fill.AVAILABLE:,} in one town, {LISTED}/s open loop"
    return compare(f"{title}: p50", "ms", results, "p50", ["Express"]) + compare(
        f"{title}: p99", "ms", results, "p99", ["Express"], reach="≤ 20 ms", aim="≤ 5 ms")


def check(sides, asked):
    """That both name the same restaurants, with as many people at each."""
    answers = {}
    for side, (port, _) in sides.items():
        path, token = asked[side].split("\t")
        answers[side] = canonical(machine.output("curl", "-fsS", "-H", f"Authorization: Bearer {token}", f"http://127.0.0.1:{port}{path}"))
    if len(answers["kampong"]["items"]) != 20 or answers["Express"] != answers["kampong"]:
        raise RuntimeError(f"Express answers {path} otherwise: {difference(answers['Express'], answers['kampong'])}")
