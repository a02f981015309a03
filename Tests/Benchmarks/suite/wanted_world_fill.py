"""What is looked for and what is shared all over the world, the same each time but for the day: at the ends of the map, on both sides of each circle, at the ends of days and in many scripts."""

import dataclasses
import datetime
import math
import random
import unicodedata

import numpy

from rides_fill import RADIUS
from wanted_fill import BRANDS, SEED, SHARED, plate

DISTINCT, SPOTS, THINGS, RIDES, CHANGED = 24_000, 3_500, 2_500, 2_500, 1_500
# Metres, of which no less is a ride: where stops are is known to some hundred.
LEAST = 3_000
# Degrees north or south, to which rides go.
NO_FARTHER = 85
MOST_RADIUS, SITES, REGIONS = 50_000, 30, ("Bedok", "Sentosa")
# On both sides of the date line, at the poles and around them, where the equator crosses, and on both sides of Greenwich.
ENDS = (
    (0, 180), (0, -180), (-16.8, 179.995), (-16.8, -179.995), (64.5, -180), (71, 179.98), (90, 0), (-90, 0), (89.99, 10), (89.9, 135), (-89.99, -45), (-89.7, 180), (85, 20), (-77.8, 166.6),
    (0, 0), (0.0001, -0.0001), (51.4779, 0), (51.48, -0.001), (-0.02, 90), (0.01, -90))
ZONES = ("Pacific/Kiritimati", "Pacific/Chatham", "Pacific/Pago_Pago", "Asia/Kathmandu", "America/St_Johns", "Europe/Berlin", "Australia/Lord_Howe", "UTC")
# Words as people write them, some in several forms of one word.
WORDS = (
    "Café CAFE\u0301 cafe naïve Straße STRASSE Łódź Ångström œuvre Smørrebrød Đakovo þorn ﬁne ＣＡＦＥ Ⅷ ２０ bike bicycle 20m2 a ab abc "
    "Αποθήκη ΑΠΟΘΗΚΗ δρόμος ΔΡΌΜΟΣ гараж Ёлка ЁЛКА й й подвал מַחְסָן מחסן חניה مَخْزَن مخزن مخـــزن موقف کمره گودام "
    "仓库 出租 倉庫 自転車 ガレージ ｶﾞﾚｰｼﾞ がれーじ 物置 창고 자전거 창고 차고 ห้องเก็บของ ที่จอดรถ ຫ້ອງ အခန်း បន្ទប់ 𐐔𐐯𐐅 Գրադարան ავტოფარეხი").split()
# What is left out of words: accents and vowel signs that many leave out, tones, and what has no sound of its own.
MARKS = set(map(chr, [
    0xAD, *range(0x300, 0x370), *range(0x591, 0x5C8), 0x640, *range(0x64B, 0x660), 0x670, *range(0xE47, 0xE4D), *range(0xEC8, 0xECD), 0x1037, 0x1039, 0x103A, *range(0x17C9, 0x17D4),
    *range(0x200B, 0x2010), 0x2060, 0xFEFF]))
UNSPACED = ((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF))
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ς": "σ", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"})


@dataclasses.dataclass
class Shared:
    """`amendment` is what was changed, and stands in `draft` as well."""

    path: str
    draft: dict
    amendment: dict | None = None


class Everything:
    def __init__(self, currency):
        self.dice, self.currency = random.Random(SEED), currency
        self.today = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
        self.sites = [*ENDS, *(on_earth(self.dice) for _ in range(SITES))]
        ways = [self.ride(number) for number in range(RIDES)]
        self.searches = [(self.spot_search, self.thing_search, lambda: self.ride_search(self.dice.choice(ways)))[number % 3]() for number in range(DISTINCT)]
        circles = [query["spots"] for query in self.searches if "spots" in query]
        self.things = [*(self.spot(number, circles) for number in range(SPOTS)), *(self.thing(number) for number in range(THINGS)), *ways]
        # What is shared at one moment is of all kinds.
        self.dice.shuffle(self.things)

    # MARK: Around points

    def somewhere(self):
        """Near one of the sites, as often by a metre as by some kilometres."""
        return beside(self.dice.choice(self.sites), log_uniform(self.dice, 0.5, 80_000), self.dice)

    def spot_search(self):
        return {"spots": {"near": point(self.somewhere()), "radius": round(log_uniform(self.dice, 1, MOST_RADIUS))}}

    def spot(self, number, circles):
        """Of half of them it takes a close look whether they lie in some circle."""
        place = self.somewhere()
        if self.dice.random() < 0.5:
            circle = self.dice.choice(circles)
            place = beside(tuple(circle["near"].values()), circle["radius"] * (1 + self.dice.choice((-1, 1)) * log_uniform(self.dice, 1e-5, 1e-2)), self.dice)
        return Shared("/v1/spots", {"name": f"{SHARED} {number}", "position": point(place), "kind": "private"})

    # MARK: By words, and by what things are

    def typed(self):
        """Some words, each in one of the forms in which people write it; the last may be but begun."""
        words = [self.dice.choice((str, str.upper, str.lower, lambda word: unicodedata.normalize("NFD", word), lambda word: unicodedata.normalize("NFKC", word)))(self.dice.choice(WORDS))
                 for _ in range(self.dice.choice((1, 1, 1, 2, 2, 3)))]
        if self.dice.random() < 0.4:
            words[-1] = words[-1][:self.dice.randint(1, 4)]
        return self.dice.choice((" ", " ", ", ", "  – ")).join(words)

    def days(self, kind, longest):
        """From one day to another one, or by hours, which begin and end where days do now and then."""
        first = self.today + datetime.timedelta(days=self.dice.randrange(3, 60))
        length = self.dice.randrange(1, longest)
        if kind != "parking":
            return {"from": f"{first:%Y-%m-%d}", "until": f"{first + datetime.timedelta(days=length):%Y-%m-%d}"}
        first += datetime.timedelta(hours=self.dice.choice((0, 0, 1, 12, 23)))
        return {"from": f"{first:%Y-%m-%dT%H:%M}", "until": f"{first + datetime.timedelta(hours=self.dice.choice((1, 12, 24))):%Y-%m-%dT%H:%M}"}

    def thing_search(self):
        kind, dice = self.dice.choice(("car", "space", "parking")), self.dice
        said = {"kind": kind, "q": self.typed()}
        if dice.random() < 0.3:
            said["region"] = dice.choice(REGIONS)
        if kind == "car" and dice.random() < 0.2:
            said["brand"], models = dice.choice(BRANDS[:3])
            if dice.random() < 0.5:
                said["model"] = dice.choice(models[:3])
        if dice.random() < 0.2:
            said["highestPrice"] = dice.randrange(10) * 100
        if dice.random() < 0.2:
            said |= self.days(kind, 6)
        return {"things": said}

    def thing(self, number):
        dice = self.dice
        path = ("/v1/cars", "/v1/spaces", "/v1/private-parking")[number % 3]
        draft = {
            "title": f"{SHARED} {number} {self.words(1)}"[:120], "description": self.words(dice.randint(1, 6)), "region": dice.choice(REGIONS), "place": "Well Street",
            "position": point(self.somewhere()), "price": {"amount": dice.randrange(10) * 100, "currency": self.currency}, "zone": dice.choice(ZONES)}
        if dice.random() < 0.3:
            first, length = self.today + datetime.timedelta(days=dice.randrange(20)), datetime.timedelta(days=dice.randrange(5, 60))
            draft["available"] = {"from": f"{first:%Y-%m-%d}", "until": f"{first + length:%Y-%m-%d}"}
        if path == "/v1/cars":
            draft["brand"], models = dice.choice(BRANDS[:3])
            draft |= {"model": dice.choice(models[:3]), "plate": plate(dice)}
        else:
            draft |= {"address": "Well Street 4"} | ({"size": 12} if path == "/v1/spaces" else {})
        return Shared(path, draft)

    def words(self, many):
        return self.dice.choice((" ", ", ", ". ")).join(self.dice.choice(WORDS) for _ in range(many))

    # MARK: Along ways

    def ride(self, number):
        """From near a site to somewhere else, by one or two stops now and then, and leaves at the ends of days now and then."""
        dice, stops = self.dice, []
        while not stops or metres(stops[0], numpy.array(stops[-1:]))[0] < LEAST or max(abs(stop[0]) for stop in stops) > NO_FARTHER:
            stops = [self.somewhere()]
            for _ in range(dice.choice((1, 1, 2, 3))):
                stops.append(beside(stops[-1], log_uniform(dice, LEAST, 600_000), dice))
        leaves = self.today + datetime.timedelta(days=dice.randrange(3, 12), hours=dice.choice((0, 0, 6, 12, 22, 23)), minutes=dice.choice((0, 0, 1, 30, 59)))
        draft = {
            "stops": [{"name": f"{SHARED} {name}", "position": point(place)} for name, place in zip("abcdefgh", stops)], "departsAt": written(leaves), "zone": dice.choice(ZONES), "seats": dice.randint(1, 4),
            "maxDetour": 0 if dice.random() < 0.2 else None, "luggage": dice.choice(("small", "medium", "large")), "notes": f"{SHARED} {number}"}
        if dice.random() < 0.2:
            draft["leavesBy"] = written(leaves + datetime.timedelta(hours=dice.randint(1, 6)))
        return Shared("/v1/rides", {name: value for name, value in draft.items() if value is not None})

    def ride_search(self, ride):
        """Beside the way of a ride, around when it leaves: by seconds beside, by hours, or by days."""
        dice, stops = self.dice, [tuple(stop["position"].values()) for stop in ride.draft["stops"]]
        ends = []
        while not ends or metres(ends[0], numpy.array(ends[1:]))[0] < LEAST:
            legs = sorted((dice.random() * (len(stops) - 1) for _ in range(2)))
            ends = [beside(between(stops[int(leg)], stops[int(leg) + 1], dice.choice((0, leg % 1))), log_uniform(dice, 1, 30_000), dice) for leg in legs]
        query = {"from": point(ends[0]), "to": point(ends[1])}
        leaves = datetime.datetime.fromisoformat(ride.draft["departsAt"]) + datetime.timedelta(seconds=dice.choice((-1, 0, 0, 1, 3600)))
        match dice.randrange(4):
            case 0: query["at"] = written(leaves + datetime.timedelta(hours=dice.choice((-24, -3, 0, 24))))
            case 1: query |= {"after": written(leaves), "before": written(leaves + datetime.timedelta(hours=dice.choice((1, 6, 7, 24, 168))))}
            case 2: query |= {"after": written(leaves - datetime.timedelta(hours=dice.choice((1, 6, 7, 24)))), "before": written(leaves)}
            case 3: query["before"] = written(leaves)
        if dice.random() < 0.5:
            query["mostExtra"] = round(log_uniform(dice, 1, 3_000_000))
        if dice.random() < 0.2:
            query["luggage"] = dice.choice(("small", "medium", "large"))
        if dice.random() < 0.3:
            query |= {"onlyFree": True, "seats": dice.randint(1, 4)}
        if dice.random() < 0.1:
            query["noDetour"] = True
        return {"rides": query}

    # MARK: Changes

    def changed(self):
        """Those of the things and rides that are changed, with their numbers."""
        return self.dice.sample([(number, thing) for number, thing in enumerate(self.things) if thing.path != "/v1/spots"], CHANGED)

    def change(self, thing):
        dice = self.dice
        if thing.path == "/v1/rides":
            leaves = datetime.datetime.fromisoformat(thing.draft["departsAt"]) + datetime.timedelta(hours=dice.choice((-24, -1, 2, 48)))
            amendment = dice.choice(({"departsAt": written(leaves), "leavesBy": ""}, {"maxDetour": 0}, {"luggage": "large"}))
        else:
            amendment = dice.choice(({"description": self.words(3)}, {"price": {"amount": dice.randrange(10) * 100, "currency": self.currency}}, {"region": dice.choice(REGIONS)}))
        return Shared(thing.path, thing.draft | amendment, amendment)

    # MARK: Plain arithmetic

    def plainly(self, said):
        """What the searches find, by their numbers: those around points, and those by words alone. `said` are things by their ids."""
        ids = {kind: [id for id, thing in said.items() if thing.path == path] for kind, path in (("spot", "/v1/spots"), ("car", "/v1/cars"), ("space", "/v1/spaces"), ("parking", "/v1/private-parking"))}
        places = numpy.array([tuple(said[id].draft["position"].values()) for id in ids["spot"]])
        words = {id: terms(f"{said[id].draft['title']} {said[id].draft['description']}") for kind in ("car", "space", "parking") for id in ids[kind]}
        found = {}
        for number, query in enumerate(self.searches):
            if circle := query.get("spots"):
                far = metres(tuple(circle["near"].values()), places)
                # What no computer tells apart is left to the page.
                if (abs(far - circle["radius"]) > 1e-5).all():
                    found[number] = {ids["spot"][index] for index in numpy.flatnonzero(far <= circle["radius"])}
            elif (asked := query.get("things")) and "from" not in asked:
                typed = terms(asked["q"])
                found[number] = {id for id in ids[asked["kind"]] if has(words[id], typed) and fits(said[id].draft, asked)}
        return found


# MARK: On a sphere


def on_earth(dice):
    return math.degrees(math.asin(dice.uniform(-1, 1))), dice.uniform(-180, 180)


def log_uniform(dice, least, most):
    return math.exp(dice.uniform(math.log(least), math.log(most)))


def point(place):
    return {"latitude": round(place[0], 7), "longitude": round(place[1], 7)}


def in_space(place):
    latitude, longitude = map(math.radians, place)
    return numpy.array([math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude), math.sin(latitude)])


def on_map(vector):
    x, y, z = vector / numpy.linalg.norm(vector)
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))


def beside(place, far, dice):
    """So many metres away, in any direction."""
    here, other = in_space(place), in_space(on_earth(dice))
    aside = numpy.cross(here, other)
    aside /= numpy.linalg.norm(aside)
    return on_map(here * math.cos(far / RADIUS) + aside * math.sin(far / RADIUS))


def between(start, end, part):
    return on_map(in_space(start) * (1 - part) + in_space(end) * part)


def metres(place, places):
    here, there = math.radians(place[0]), numpy.radians(places[:, 0])
    rise, turn = numpy.sin((there - here) / 2), numpy.sin(numpy.radians(places[:, 1] - place[1]) / 2)
    return 2 * RADIUS * numpy.arcsin(numpy.minimum(1, numpy.sqrt(rise * rise + math.cos(here) * numpy.cos(there) * turn * turn)))


def written(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


# MARK: Words


def terms(text):
    """The words of a text in their order, as a reader compares them: however they are written, and letter by letter where no blanks are written."""
    folded = unicodedata.normalize("NFC", "".join(letter for letter in unicodedata.normalize("NFKD", text).lower() if letter not in MARKS)).translate(LETTERS)
    spaced = "".join(f" {letter} " if any(first <= ord(letter) <= last for first, last in UNSPACED) else letter for letter in folded)
    return "".join(letter if letter.isalnum() or unicodedata.category(letter)[0] == "M" else " " for letter in spaced).split()


def has(words, typed):
    """A word that was typed twice is one, and the last one may be but begun."""
    *whole, last = typed
    return all(word in words for word in whole if word != last) and any(word.startswith(last) for word in words)


def fits(draft, asked):
    return all(draft.get(name) == asked[name] for name in ("region", "brand", "model") if name in asked) and draft["price"]["amount"] <= asked.get("highestPrice", math.inf)
