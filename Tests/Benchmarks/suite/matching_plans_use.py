"""Looks for things, seeks rides, orders and brings through the door until the matching service has run each of its statements."""

import time
import urllib.request

import matching_plans_fill as filled
import plans_people
import plans_use
from matching_plans_wanted import FIRST, eventually, look_for, pages, point, refused, seek, together
from plans_use import call, sign_up, signed_in


def enter(stack):
    """One who looks for things and orders, and one who drives and brings, with accounts: (id, email), the same each time."""
    people = []
    for name in ("seeker", "driver"):
        account = {"email": f"matching-plans-{name}@example.org", "password": plans_use.PASSWORD}
        try:
            session = stack.ask("POST", "/v1/sessions", account)
        except OSError:
            session = stack.ask("POST", "/v1/accounts", account | {"name": f"Regular {name}"})
        people.append((session["person"]["id"], account["email"]))
    return people


def wait(stack, people, seconds=60):
    """Until people are served again."""
    end = time.monotonic() + seconds
    while True:
        try:
            stack.ask("GET", "/v1/wanted?limit=1", token=signed_in(stack, people[0][1])["accessToken"])
            return
        except OSError:
            if time.monotonic() > end:
                raise
        time.sleep(0.2)


def use(stack, people, rounds=7):
    """Seven times: PostgreSQL plans the first five with the values that it is given, and may take one plan for all from then on."""
    keeper = plans_people.moderator(stack, sign_up, signed_in)
    money = lambda amount, currency=stack.ask("GET", "/v1/about")["currency"]: {"amount": amount, "currency": currency}
    for number in range(rounds):
        seeker, driver = (signed_in(stack, email)["accessToken"] for _, email in people)
        clear(stack, seeker, driver)
        look_for(stack, seeker, driver, number)
        seek(stack, seeker, driver, number)
        town = Town(stack, seeker, driver, keeper, money, FIRST + number)
        browse(stack, town)
        town.bring()
        part(stack, town, is_last=number == rounds - 1)
        lists(stack, seeker, driver)
    together(stack, seeker, driver, people[1][0])
    crowd(stack, town)
    for token in (seeker, driver):
        plans_people.archive(stack, call, token)
    # What comes by itself, and what is due.
    town.leave_open()
    stack.psql(DUE.format(seeker=people[0][0], driver=people[1][0]))
    time.sleep(8)
    clear(stack, seeker, driver)


def clear(stack, seeker, driver):
    """Nothing is open of what was done before."""
    ends = {"offered": ("decline", {}), "accepted": ("cancel", {}), "pickedUp": ("give-up", {"reason": "I have to go."})}
    for match in call(stack, "GET", "/v1/matches?role=deliverer&isOver=false&limit=100", token=driver)["items"]:
        if match["state"] in ends:
            act, said = ends[match["state"]]
            refused(stack, "POST", f"/v1/matches/{match['id']}/{act}", said, driver)
    refused(stack, "DELETE", "/v1/delivery", token=driver, empty=True)
    for order in call(stack, "GET", "/v1/orders?isOver=false&limit=100", token=seeker)["items"]:
        refused(stack, "DELETE", f"/v1/orders/{order['id']}", token=seeker, empty=True)


# MARK: Deliveries


class Town:
    """A restaurant at which others are as well, and who orders and brings."""

    def __init__(self, stack, seeker, driver, keeper, money, number):
        self.stack, self.seeker, self.driver, self.keeper, self.money = stack, seeker, driver, keeper, money
        self.restaurant, self.where = filled.uid(filled.RESTAURANT, number), filled.restaurant(number)
        self.there = None

    def north(self, metres):
        return point(self.where[0] + metres / 111_320, self.where[1])

    def offer(self):
        draft = {"restaurant": self.restaurant, "dropOff": {"name": "The Hall", "position": self.north(400)}, "capacity": 4, "detour": 500, "minutes": 120}
        self.there = call(self.stack, "PUT", "/v1/delivery", draft, self.driver)["id"]

    def order(self, token, metres=430, named=True, **more):
        """By name, or whoever comes."""
        draft = {"dropOff": {"name": "The Annex", "position": self.north(metres)}, "door": "Behind the blue door", "fee": self.money(200), "limit": self.money(1500)}
        if "around" not in more:
            draft["from"] = [{"restaurant": self.restaurant, "items": "The soup of the day."}]
        return call(self.stack, "POST", "/v1/orders", draft | ({"availability": self.there} if named else {}) | more, token)

    def ask(self, token):
        """The match of an order that is offered to the driver."""
        return self.order(token)["asked"]["match"]

    def act(self, match, name, token, **more):
        return call(self.stack, "POST", f"/v1/matches/{match}/{name}", more, token)

    def cancel(self, order):
        call(self.stack, "DELETE", f"/v1/orders/{order}", token=self.seeker, empty=True)

    def bring(self):
        """One that takes its whole way to a moderator; one that is declined and goes on to others; one from anywhere around; one that is called off."""
        self.offer()
        call(self.stack, "PUT", "/v1/delivery", {"detour": 300}, self.driver)
        call(self.stack, "POST", "/v1/delivery/resume", {}, self.driver)
        call(self.stack, "GET", "/v1/delivery", token=self.driver)
        eventually(lambda: call(self.stack, "GET", f"/v1/deliverers/{self.there}", token=self.seeker), "the driver is seen")
        self.settled(self.ask(self.seeker))
        declined = self.order(self.seeker)
        self.act(declined["asked"]["match"], "decline", self.driver)
        home(self.stack, self.seeker)
        call(self.stack, "POST", f"/v1/orders/{declined['id']}/ask", {}, self.seeker)
        self.offered(declined["id"])
        call(self.stack, "PATCH", f"/v1/orders/{declined['id']}", {"fee": self.money(300)}, self.seeker)
        self.cancel(declined["id"])
        anywhere = self.order(self.seeker, named=False, around={"position": point(*self.where), "radius": 1000, "items": "Bread."})
        self.offered(anywhere["id"])
        self.cancel(anywhere["id"])
        off = self.ask(self.seeker)
        self.act(off, "accept", self.driver, minutes=5)
        self.act(off, "cancel", self.seeker)
        # Who goes leaves what is only offered to them.
        self.ask(self.seeker)
        call(self.stack, "DELETE", "/v1/delivery", token=self.driver, empty=True)

    def offered(self, order):
        eventually(lambda: call(self.stack, "GET", f"/v1/orders/{order}", token=self.seeker).get("asked"), "somebody is asked")

    def settled(self, match):
        path = f"/v1/matches/{match}"
        self.act(match, "accept", self.driver, minutes=5)
        call(self.stack, "GET", f"{path}/contact", token=self.seeker)
        self.act(match, "postpone", self.driver, minutes=20)
        self.act(match, "raise-limit", self.seeker, amount=self.money(2000))
        self.act(match, "pick-up", self.driver, spent=self.money(900))
        for metres in (100, 200):
            call(self.stack, "PUT", f"{path}/position", {"position": self.north(metres), "accuracy": 10}, self.driver, empty=True)
            call(self.stack, "GET", f"{path}/position", token=self.seeker)
        home(self.stack, self.driver)
        call(self.stack, "DELETE", f"{path}/position", token=self.driver, empty=True)
        digits = call(self.stack, "GET", path, token=self.seeker)["code"]
        refused(self.stack, "POST", f"{path}/complete", {"code": "0000" if digits != "0000" else "1111"}, self.driver)
        for act in ("complete", "undo", "complete"):
            self.act(match, act, self.driver)
        self.act(match, "complete", self.seeker)
        self.act(match, "tip", self.seeker, amount=self.money(100))
        self.act(match, "dispute", self.seeker, reason="It was cold.")
        self.act(match, "explain", self.driver, reason="It was soup.")
        call(self.stack, "GET", "/v1/matches?disputed=true", token=self.keeper)
        self.act(match, "settle", self.keeper, reason="Half of it.", share=50)

    def brought(self, token):
        """To somebody who can leave the community after it."""
        match = self.ask(token)
        self.act(match, "accept", self.driver)
        self.act(match, "pick-up", self.driver, spent=self.money(900))
        self.act(match, "complete", self.driver)
        self.act(match, "complete", token)

    def leave_open(self):
        """One that is offered, one that is accepted, one on its way, and one that nobody goes so far for."""
        self.offer()
        self.ask(self.seeker)
        for is_picked_up in (False, True):
            match = self.ask(self.seeker)
            self.act(match, "accept", self.driver, minutes=5)
            if is_picked_up:
                self.act(match, "pick-up", self.driver, spent=self.money(900))
                call(self.stack, "PUT", f"/v1/matches/{match}/position", {"position": self.north(100)}, self.driver, empty=True)
        # In which order they drop the two.
        call(self.stack, "GET", "/v1/delivery", token=self.driver)
        self.order(self.seeker, metres=9000, named=False)
        time.sleep(1)


def browse(stack, town):
    """Restaurants by name and by distance, who is at one of them, and one where somebody comes first and goes last."""
    near, crowded = f"{town.where[0]:.5f},{town.where[1]:.5f}", f"/v1/restaurants/{filled.uid(filled.RESTAURANT, 0)}/deliverers"
    for path in ("/v1/restaurants?limit=10", f"/v1/restaurants?near={near}&limit=10", f"{crowded}?limit=10", f"{crowded}?to={near}&limit=10"):
        pages(stack, path, town.seeker)
    call(stack, "GET", f"/v1/deliverers/{filled.uid(filled.AVAILABILITY, 0)}", token=town.seeker)
    number = filled.sizes(stack.rows)["restaurants"]
    lonely = Town(stack, town.seeker, town.driver, town.keeper, town.money, number)
    lonely.offer()
    time.sleep(1)
    call(stack, "DELETE", "/v1/delivery", token=town.driver, empty=True)
    time.sleep(1)


def crowd(stack, town):
    """Thousands look for somebody where the driver comes, and are told when they go."""
    Town(stack, town.seeker, town.driver, town.keeper, town.money, 0).offer()
    time.sleep(10)
    call(stack, "DELETE", "/v1/delivery", token=town.driver, empty=True)
    time.sleep(5)


def lists(stack, seeker, driver):
    for token in (seeker, driver):
        for query in ("", "?isOver=true", "?isOver=false"):
            pages(stack, f"/v1/orders{query}", token)
        for query in ("", "?role=orderer", "?role=deliverer", "?isOver=true", "?isOver=false", "?role=deliverer&isOver=true", "?role=orderer&isOver=false"):
            pages(stack, f"/v1/matches{query}", token)


def home(stack, token):
    """The page that says what waits for somebody."""
    request = urllib.request.Request(f"http://127.0.0.1:{stack.port}/", headers={"Cookie": f"kampong_access={token}", "Accept": "text/html"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        answer.read()


def part(stack, town, is_last):
    """A newcomer has something brought, is blocked and unblocked with an offer open, and goes; another one may not take part any more."""
    newcomer = signed_in(stack, sign_up(stack, "Newcomer")["email"])
    token, them = newcomer["accessToken"], newcomer["person"]["id"]
    call(stack, "POST", "/v1/wanted", {"query": {"spots": {"near": point(60.9, 25.9), "radius": 250}}}, token)
    town.offer()
    town.brought(token)
    # The two may write to each other about what was called off.
    off = town.ask(token)
    town.act(off, "accept", town.driver, minutes=5)
    town.act(off, "cancel", token)
    town.ask(token)
    call(stack, "PUT", f"/v1/blocks/{them}", token=town.driver)
    time.sleep(1)
    call(stack, "DELETE", f"/v1/blocks/{them}", token=town.driver, empty=True)
    if is_last:
        other = signed_in(stack, sign_up(stack, "Newcomer")["email"])
        town.ask(other["accessToken"])
        call(stack, "POST", "/v1/reports", {"subject": {"kind": "person", "id": other["person"]["id"]}, "reason": "spam"}, token)
        plans_people.decide(stack, call, town.keeper, other["person"]["id"], "suspend")
    for order in call(stack, "GET", "/v1/orders?isOver=false", token=token)["items"]:
        refused(stack, "DELETE", f"/v1/orders/{order['id']}", token=token, empty=True)
    plans_people.farewell(stack, call, token, plans_use.PASSWORD, wait=is_last)
    clear(stack, town.seeker, town.driver)


# What is due when the service starts: it looks at these less often than others are waited for. Some wait to be told of something who look for nothing any more.
OLD = """
    SET search_path = matching, public;
    INSERT INTO hits (kind, subject, person, state, found_at, tell_at, told_at)
    SELECT 'availability', ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(), 'told', now() - interval '70 days', now(), now() - interval '70 days'
    FROM generate_series(1, 50) AS n;
    INSERT INTO hits (kind, subject, person, state, found_at, tell_at)
    SELECT kind, subject, gen_random_uuid(), 'waiting', now(), now() FROM searchables WHERE is_there ORDER BY kind, subject LIMIT 5;
    DELETE FROM hops WHERE one IN ({towns});
    UPDATE wanted SET ask_at = now() WHERE person = '{seeker}' AND state = 'live';"""


def old(seeker):
    """Besides, no way is known from where the regulars bring something."""
    return OLD.format(seeker=seeker, towns=", ".join(f"'{filled.uid(filled.RESTAURANT, FIRST + number)}'" for number in range(7)))


DUE = """
    SET search_path = matching, public;
    UPDATE wanted SET remind_at = now() WHERE id IN (SELECT id FROM wanted WHERE state = 'live' AND remind_at > now() + interval '1 day' AND person <> '{seeker}' ORDER BY remind_at DESC LIMIT 50);
    UPDATE wanted SET expires_at = now(), due_at = now() WHERE id IN (SELECT id FROM wanted WHERE state = 'live' AND due_at > now() + interval '10 days' AND person <> '{seeker}' ORDER BY due_at DESC LIMIT 50);
    UPDATE wanted SET due_at = now() WHERE id IN (SELECT id FROM wanted WHERE state = 'ended' AND person <> '{seeker}' ORDER BY id LIMIT 50);
    UPDATE wanted SET digest_at = now() WHERE id IN (SELECT id FROM wanted WHERE digest_at IS NOT NULL ORDER BY digest_at LIMIT 50);
    UPDATE wanted SET regions_due = now(), announce_due = now() WHERE id IN (SELECT id FROM wanted WHERE is_visible AND state = 'live' AND seeks_before > now() ORDER BY seeks_before LIMIT 20);
    UPDATE hits SET tell_at = now() WHERE (kind, subject, person) IN (SELECT kind, subject, person FROM hits WHERE state = 'waiting' AND tell_at = 'infinity' LIMIT 100);
    UPDATE searchables SET gone_at = now() - interval '31 days' WHERE (kind, subject) IN (SELECT kind, subject FROM searchables WHERE gone_at IS NOT NULL ORDER BY gone_at LIMIT 50);
    INSERT INTO announcements (ride, at) SELECT gen_random_uuid(), now() - interval '2 days' FROM generate_series(1, 50);
    UPDATE matches SET talk_until = now() WHERE id IN (SELECT id FROM matches WHERE deliverer = '{driver}' AND state = 'cancelled' ORDER BY id LIMIT 50);
    UPDATE matches SET remind_at = now() WHERE deliverer = '{driver}' AND state IN ('accepted', 'pickedUp');
    -- The third in a row that nobody answers.
    UPDATE availabilities SET unanswered = 2, remind_at = now() WHERE person = '{driver}' AND state = 'available';
    UPDATE matches SET expires_at = offered_at + interval '1 millisecond', due_at = now() WHERE deliverer = '{driver}' AND state = 'offered';
    UPDATE orders SET waits_until = now(), due_at = now() WHERE orderer = '{seeker}' AND state = 'waiting';
    UPDATE availabilities SET until = now(), due_at = now() WHERE id IN (SELECT id FROM availabilities WHERE state = 'available' AND taken = 0 AND person <> '{driver}' ORDER BY id DESC LIMIT 20);
    UPDATE availabilities SET remind_at = now() WHERE id IN (SELECT id FROM availabilities WHERE state = 'available' AND person <> '{driver}' ORDER BY id LIMIT 20);
    UPDATE positions SET at = now() - interval '1 hour';
    UPDATE hops SET asked_at = now() - interval '8 days' WHERE (one, other) IN (SELECT one, other FROM hops WHERE due_at IS NULL ORDER BY asked_at LIMIT 50);
    INSERT INTO restaurants (id, name, latitude, longitude, globe, until) SELECT gen_random_uuid(), 'Closed', 0, 0, ll_to_earth(0, 0)::cube, now() - interval '2 days' FROM generate_series(1, 20);
    INSERT INTO marks (area) SELECT areas[1] FROM orders WHERE state = 'waiting' AND orderer <> '{seeker}' LIMIT 1;"""
