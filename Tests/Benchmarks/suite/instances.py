"""Orders and deliverers drawn by chance: who could bring what to whom, and what that is worth. The same seed is the same instance."""

import dataclasses

import numpy

EDGES = 16
SERVED, LONGEST_WAIT, DETOUR = 4000, 300, 350
PLANE_SERVED = 1500


@dataclasses.dataclass
class Instance:
    # Order i has the edges first[i] to first[i + 1].
    first: numpy.ndarray
    deliverers: numpy.ndarray
    values: numpy.ndarray
    hands: numpy.ndarray

    @property
    def orders(self):
        return len(self.first) - 1

    @property
    def owners(self):
        """The order of each edge."""
        return numpy.repeat(numpy.arange(self.orders), numpy.diff(self.first))

    def write(self, path):
        """Little-endian integers of 32 bits: three counts, then the arrays."""
        counts = [self.orders, len(self.hands), len(self.deliverers)]
        with open(path, "wb") as file:
            for array in (counts, self.first, self.deliverers, self.values, self.hands):
                file.write(numpy.asarray(array, dtype="<i4").tobytes())


def anywhere(orders, deliverers, hands, seed):
    """Each order fits sixteen deliverers anywhere, at values between 1 and 1,000: the hardest, and nowhere to be found."""
    chance = numpy.random.default_rng(seed)
    # Sixteen of twenty-four by chance, without the few that are drawn twice.
    drawn = numpy.sort(chance.integers(0, deliverers, (orders, EDGES + 8)), axis=1)
    is_new = numpy.concatenate([numpy.ones((orders, 1), bool), numpy.diff(drawn, axis=1) > 0], axis=1)
    shuffled = numpy.argsort(numpy.where(is_new, chance.random(drawn.shape), 2), axis=1)[:, :EDGES]
    count = orders * EDGES
    return Instance(
        numpy.arange(0, count + 1, EDGES), numpy.take_along_axis(drawn, shuffled, axis=1).ravel(),
        chance.integers(1, 1001, count), chance.integers(hands[0], hands[1] + 1, deliverers))


def campuses(count, restaurants, buildings, orders, deliverers, hands, seed):
    """Campuses with restaurants and buildings: a deliverer is at one and goes to another; an order takes one restaurant, those within 300 m, or four of these."""
    chance = numpy.random.default_rng(seed)
    at = numpy.arange(count)[:, None] * numpy.array([10_000, 0])
    place = lambda each: (at[:, None] + chance.uniform(0, 1500, (count, each, 2))).reshape(-1, 2)
    eating, houses = place(restaurants), place(buildings)
    # Some are liked more.
    liked = 1 / (chance.permuted(numpy.tile(numpy.arange(restaurants), (count, 1)), axis=1).ravel() + 1) ** 0.8
    liked /= liked.sum()
    leaves, wants = chance.choice(len(eating), deliverers, p=liked), chance.choice(len(eating), orders, p=liked)
    house = lambda restaurant: restaurant // restaurants * buildings + chance.integers(0, buildings, len(restaurant))
    goes, lives = house(leaves), house(wants)
    waited, kinds = chance.integers(0, LONGEST_WAIT, orders), chance.random(orders)
    there = [numpy.flatnonzero(leaves == restaurant) for restaurant in range(len(eating))]
    near = [numpy.flatnonzero(numpy.hypot(*(eating - place).T) <= 300) for place in eating]
    found, values = [], []
    for order in range(orders):
        around = near[wants[order]]
        taken = [wants[order]] if kinds[order] < 0.6 else around if kinds[order] < 0.85 else chance.permutation(around)[:4]
        fits = numpy.concatenate([there[restaurant] for restaurant in taken])
        metres = numpy.hypot(*(houses[goes[fits]] - houses[lives[order]]).T)
        best = numpy.argsort(metres, kind="stable")[:EDGES]
        best = best[metres[best] <= DETOUR]
        found.append(fits[best])
        values.append(SERVED + waited[order] - metres[best].astype(int))
    return Instance(
        numpy.concatenate([[0], numpy.cumsum([len(each) for each in found])]), numpy.concatenate(found),
        numpy.concatenate(values), chance.integers(hands[0], hands[1] + 1, deliverers))


def plane(count, seed):
    """As many orders as deliverers with one hand each, on a square of a kilometre, and everybody might serve everybody."""
    chance = numpy.random.default_rng(seed)
    lives, goes = chance.uniform(0, 1000, (2, count, 2))
    metres = numpy.hypot(*(lives[:, None] - goes[None]).transpose(2, 0, 1))
    return Instance(
        numpy.arange(0, count * count + 1, count), numpy.tile(numpy.arange(count), count),
        (PLANE_SERVED - metres).astype(int).ravel(), numpy.ones(count, int))


ORDERS, DELIVERERS = 100_000, 20_000
HANDS = {"scarce": (1, 4), "even": (3, 7), "ample": (6, 10)}


def seven():
    """(name, instance): some 50,000, 100,000 and 160,000 hands for 100,000 orders."""
    for number, (name, hands) in enumerate(HANDS.items()):
        yield f"anywhere, {name}", anywhere(ORDERS, DELIVERERS, hands, 4 + number)
        yield f"20 campuses, {name}", campuses(20, 40, 80, ORDERS, DELIVERERS, hands, 7 + number)
    yield "one campus, even", campuses(1, 400, 600, ORDERS, DELIVERERS, HANDS["even"], 10)
