"""A village in which Vera has put a word of her own into every private field, and done all that an API permits; with everybody who may look at her."""

import dataclasses
import functools
import email
import email.policy
import http.client
import io
import os
import pathlib
import re
import subprocess
import threading
import time
import uuid

from PIL import Image

from hostile import HOME, HOST, OUTSIDE, PASSWORD, PORT, Person, ask, browser, check, days, moment, plate, restaurants, series, wait_for
from passkey import Device, add, text_of

VERAS_NETWORK = "127.0.0.77"


def mark(row):
    """A word that stands nowhere else: of letters and digits, so that nothing that writes it down writes it another way."""
    return f"canary{re.sub('[^a-z]', '', row)}{uuid.uuid4().hex[:12]}"


@dataclasses.dataclass(frozen=True)
class Canary:
    row: str
    text: str
    # What is no secret to who asks for it by this id.
    asked_by: str = "\0"


def open_case(keeper, subject):
    """The case of a subject, among all those that wait for moderators."""
    after = ""
    while True:
        page = check(keeper.ask("GET", f"/v1/moderation/cases?state=open&limit=100{after}"), 200).json()
        case = next((case for case in page["items"] if case["subject"] == subject), None)
        if case:
            return case
        after = "&cursor=" + page["next"]


def mail_to(address, has):
    """The newest mail to somebody in which there is what a pattern says: the match."""
    def look():
        for path in (pathlib.Path(HOME) / "mail").glob("*.eml"):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            if message["To"].addresses[0].addr_spec == address:
                if found := re.search(has, message.get_body(("plain",)).get_content()):
                    return found
    return wait_for(look)


def text_to(number, has):
    """The same for a text to a telephone."""
    def look():
        for path in (pathlib.Path(HOME) / "mail").glob("*.txt"):
            head, _, text = path.read_bytes().decode().partition("\r\n\r\n")
            if head.startswith(f"To: {number}\r\n") and (found := re.search(has, text)):
                return found
    return wait_for(look)


def moderator(*arguments):
    """What the operator's tool says and how it ends."""
    tool = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "moderator"
    return subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=60)


def promote(person):
    said = moderator(person.id)
    assert said.returncode == 0, said.stdout + said.stderr
    # The token says it from the next one on.
    person.expires = 0


class Listener:
    """Somebody's live stream, from now on; comes back where it ends, with what was missed."""

    def __init__(self, person):
        self.person, self.heard, self.last, self.done = person, [], None, False
        self.open = threading.Event()
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        assert self.open.wait(60), "no stream opens"

    def listen(self):
        while not self.done:
            fields = {"Authorization": f"Bearer {self.person.fresh()}"} if self.person else {}
            fields |= {"Last-Event-ID": self.last} if self.last else {}
            line = http.client.HTTPConnection(HOST, PORT, timeout=5, source_address=(OUTSIDE, 0))
            try:
                line.request("GET", "/v1/stream", headers=fields)
                answer = line.getresponse()
                if answer.status == 200:
                    self.open.set()
                while not self.done and (text := answer.readline().decode()):
                    self.heard.append(text)
                    if text.startswith("id:"):
                        self.last = text[3:].strip()
            except (OSError, http.client.HTTPException):
                pass
            finally:
                line.close()


class Village:
    def __init__(self):
        self.canaries, self.posted = [], []
        people = self.people = {
            name: Person(f"{name.title()} Leak")
            for name in ("friend", "counterpart", "stranger", "blocked", "moderator", "finder", "confidant", "foe", "everybodys", "erased", "suspended")
        }
        self.join()
        # That these two have to do with Vera is the secret; who asks for one of them may hear the name.
        for hidden, row in (("confidant", "friends"), ("foe", "blocks")):
            person, word = people[hidden], mark(row)
            check(person.ask("PATCH", "/v1/me", {"name": word}), 200)
            self.canaries.append(Canary(row, word, person.id))
        self.friends_and_foes()
        self.viewers = {"oneself": self.vera, "nobody": None} | {
            name: people[name] for name in ("stranger", "friend", "counterpart", "blocked", "moderator")}
        self.hidden_words()
        self.streams = {name: Listener(person) for name, person in self.viewers.items()}
        self.profile()
        self.campus()
        self.searches()
        self.spots()
        self.things()
        self.rides()
        self.seeking()
        self.series_of_rides()
        self.deliveries()
        self.reviews()
        self.told()
        self.chats()
        self.moderation()
        self.own_data()
        self.as_rows()

    def as_rows(self):
        """What is between two people has no word of its own: how it is written down in tables and events."""
        low, high = sorted((self.vera.id, self.people["friend"].id))
        pair = (self.vera.id, self.people["counterpart"].id)
        written = {
            "what one is told": [f'"person":"{self.vera.id}","kind":"', f"inbox/{self.vera.id}"],
            "claims": [f'"claimed_by":"{self.vera.id}"'],
            "encounters": [f'"subject":"{self.given}"', f'"people": ["{pair[0]}", "{pair[1]}"]', f'"people": ["{pair[1]}", "{pair[0]}"]'],
            "how one stands with them": [f'"low":"{low}","high":"{high}"', f"friendship/{low}~{high}"],
        }
        self.canaries += [Canary(row, text) for row, texts in written.items() for text in texts]

    def plant(self, row, shape="{}"):
        word = mark(row)
        self.canaries.append(Canary(row, word))
        return shape.format(word)

    def watch(self, row, text):
        self.canaries.append(Canary(row, text, text))
        return text

    def join(self):
        self.password = self.plant("passwords and tokens")
        self.vera = Person(
            self.plant("name"), VERAS_NETWORK, self.plant("sessions"), self.plant("email", "{}@example.org"), self.password)
        self.canaries.append(Canary("network address", VERAS_NETWORK))
        self.keep_tokens(self.vera)
        self.passkey()
        body = {"email": self.vera.email, "password": self.password}
        other = check(self.vera.ask("POST", "/v1/sessions", body, {"User-Agent": self.plant("sessions")}, anonymous=True), 200).json()
        for token in ("accessToken", "refreshToken"):
            self.watch("passwords and tokens", other[token])
        self.sessions = [item["id"] for item in self.vera.ask("GET", "/v1/sessions").json()["items"]]
        assert len(self.sessions) == 2

    def passkey(self):
        """Its name, and what stands in the table of it alone."""
        device = Device()
        self.key = check(add(self.vera, device, self.plant("passkeys"), self.password), 201).json()["id"]
        for part in (device.id, device.public[-2]):
            for written in (part.hex(), text_of(part)):
                self.watch("what passkeys are made of", written)

    def keep_tokens(self, person):
        """Each token that somebody gets from here on is watched for."""
        take = person.take

        def watched(session):
            take(session)
            for token in (person.token, person.refresh):
                self.watch("passwords and tokens", token)

        person.take = watched
        watched({"accessToken": person.token, "refreshToken": person.refresh, "expiresIn": person.expires - time.monotonic()})

    def friends_and_foes(self):
        for name in ("friend", "confidant", "everybodys"):
            self.befriend(self.vera, self.people[name])
        # A friend of both, whoever looks at Vera.
        for name in ("friend", "counterpart", "stranger", "moderator"):
            self.befriend(self.people["everybodys"], self.people[name])
        for name in ("blocked", "foe"):
            check(self.vera.ask("PUT", f"/v1/blocks/{self.people[name].id}"), 200)
        # Before anybody listens: what was public then was heard then.
        erin = self.people["erased"]
        check(erin.ask("PATCH", "/v1/me", {"name": self.plant("erased people"), "bio": self.plant("erased people")}), 200)
        self.post(erin)
        check(erin.ask("PUT", f"/v1/friends/{self.people['friend'].id}"), 200)

    @staticmethod
    def befriend(one, other):
        for person, friend in ((one, other), (other, one)):
            check(person.ask("PUT", f"/v1/friends/{friend.id}"), 200)

    def profile(self):
        picture = io.BytesIO()
        Image.frombytes("RGB", (64, 48), os.urandom(64 * 48 * 3)).save(picture, "JPEG")
        photo = check(self.vera.ask("POST", "/v1/photos", picture.getvalue(), {"Content-Type": "image/jpeg"}, timeout=60), 201).json()["id"]
        self.canaries.append(Canary("photo", photo))
        phone = f"+35840{uuid.uuid4().int % 10**8:08}"
        self.canaries.append(Canary("phone", phone))
        change = {
            "username": mark("u")[:24], "phone": phone, "bio": self.plant("about"), "car": {"make": self.plant("about")},
            "mode": "delivering", "photo": photo}
        self.canaries += [Canary("username", change["username"]), Canary("mode", '"mode":"delivering"')]
        check(self.vera.ask("PATCH", "/v1/me", change), 200)
        # That it is hers: in answers, and in the table.
        self.canaries += [Canary("phone verified", '"phoneVerified":true'), Canary("phone verified", '"phone_verified_at":"')]
        check(self.vera.ask("POST", "/v1/me/phone-verifications", {"phone": phone}), 202)
        code = text_to(phone, r"\b\d{6}\b")[0]
        check(self.vera.ask("POST", "/v1/me/phone-verifications/confirm", {"code": code}), 200)

    def campus(self):
        address = self.plant("campus address", "{}@hill.example.org")
        check(self.vera.ask("POST", "/v1/me/email-verifications", {"email": address}), 202)
        code = mail_to(address, r"\b(\d{3}) ?(\d{3})\b")
        check(self.vera.ask("POST", "/v1/me/email-verifications/confirm", {"code": code[1] + code[2]}), 200)
        self.show_address(self.vera)
        check(self.vera.ask("POST", "/v1/password-resets", {"email": self.vera.email}, anonymous=True), 202)
        self.watch("mailed links", mail_to(self.vera.email, r"/new-password\?token=([\w-]+)")[1])

    @staticmethod
    def show_address(person):
        check(person.ask("POST", "/v1/me/email", {"email": person.email}), 202)
        code = mail_to(person.email, r"\b\d{6}\b")[0]
        check(person.ask("POST", "/v1/me/email/confirm", {"code": code}), 200)

    def searches(self):
        """What she looks for: by words that stand nowhere, and a spot where others are about to share some, so that she is told of them."""
        row = "what one looks for"
        words = {"things": {"kind": "space", "q": self.plant(row)}}
        # Within metres of where those are, and with digits that no other place has.
        latitude = f"60.1710{uuid.uuid4().int % 10**6 | 1:06}"
        around = {"spots": {"near": {"latitude": float(latitude), "longitude": 24.941}, "radius": 60}}
        self.wanted = [check(self.vera.ask("POST", "/v1/wanted", {"query": query}), 201).json()["id"] for query in (words, around)]
        self.canaries.append(Canary(row, latitude))
        # As answers and its own table write a search, as what it has found does, and as those are told whose searches have found something.
        self.canaries += [Canary(row, text) for id in self.wanted for text in (f'"id":"{id}"', f'"wanted":"{id}"')]
        self.canaries.append(Canary("what one is told", "event: wantedFound"))

    def post(self, person, name="Leak lane"):
        body = {"name": name, "position": {"latitude": 60.171, "longitude": 24.941}, "kind": "private"}
        spot = check(person.ask("POST", "/v1/spots", body), 201).json()["id"]
        self.posted.append(spot)
        return spot

    def spots(self):
        vera, cole, finder = self.vera, self.people["counterpart"], self.people["finder"]
        self.shown, self.hidden, self.given = self.post(vera, self.plant("posts")), self.post(vera, mark("hidden")), self.post(vera)
        self.taken, held, seen = self.post(cole), self.post(cole), self.post(finder)
        self.own_spots, self.claimed = {self.shown, self.hidden, self.given}, {self.taken, held}
        for person, spot in ((cole, self.given), (vera, self.taken)):
            check(person.ask("POST", f"/v1/spots/{spot}/claim"), 200)
            check(person.ask("POST", f"/v1/spots/{spot}/observations", {"state": "there"}), 200)
        # Before she takes one of them: what is taken is found by nobody.
        wait_for(lambda: vera.ask("GET", f"/v1/wanted/{self.wanted[1]}").json()["found"] >= 2)
        check(vera.ask("POST", f"/v1/spots/{held}/claim"), 200)
        check(vera.ask("POST", f"/v1/spots/{seen}/observations", {"state": "there"}), 200)

    def things(self):
        """One of each kind, with days that she keeps for herself; and her car, which her counterpart rents."""
        vera, cole = self.vera, self.people["counterpart"]
        self.own_things, blocks = {}, []
        for path in ("/v1/cars", "/v1/spaces", "/v1/private-parking"):
            latitude = f"60.{(uuid.uuid4().int % 10**7 | 1) + 170_000_000}"
            own = {"plate": plate()} if path == "/v1/cars" else {}
            self.canaries += [Canary("doors", latitude), *(Canary("plates", text) for text in own.values())]
            thing = vera.post_thing(
                path, title=self.plant("things"), description=self.plant("things"), address=self.plant("doors"),
                position={"latitude": float(latitude), "longitude": 24.941}, **own)
            self.own_things[path] = thing["id"]
            period = days(40) if path != "/v1/private-parking" else {"from": days(40)["from"] + "T10:00", "until": days(40)["from"] + "T12:00"}
            blocks.append(check(vera.ask("POST", f"{path}/{thing['id']}/date-blocks", period), 201).json()["id"])
        self.canaries += [Canary("days kept for oneself", block) for block in blocks]
        draft = {**days(20, 3), "message": self.plant("what is said in agreements")}
        self.rental = check(cole.ask("POST", f"/v1/cars/{self.own_things['/v1/cars']}/rentals", draft), 201).json()["id"]
        check(vera.ask("POST", f"/v1/rentals/{self.rental}/accept", {}), 200)
        # As events and tables write it, and as answers do.
        self.canaries += [Canary("agreements", text) for text in (f"rental/{self.rental}", f'"id":"{self.rental}"', f'"rental":"{self.rental}"')]

    def rides(self):
        """One that she drives, in which her counterpart rides along; and one of somebody else in which she does."""
        vera, cole, finder = self.vera, self.people["counterpart"], self.people["finder"]
        self.leaves = moment(hours=20)
        latitude = f"60.{(uuid.uuid4().int % 10**7 | 1) + 170_000_000}"
        self.canaries.append(Canary("doors", latitude))
        self.ride = vera.post_ride(departsAt=self.leaves, notes=self.plant("rides"), stops=[
            {"name": self.plant("rides"), "address": self.plant("doors"), "position": {"latitude": float(latitude), "longitude": 24.941}},
            {"name": self.plant("rides"), "address": self.plant("doors"), "position": {"latitude": 60.452, "longitude": 22.267}}])["id"]
        words = {"message": self.plant("what is said in agreements")}
        self.seat = check(cole.ask("POST", f"/v1/rides/{self.ride}/requests", words), 201).json()["id"]
        check(vera.ask("POST", f"/v1/seat-requests/{self.seat}/accept", {}), 200)
        self.others_ride = finder.post_ride(departsAt=moment(days=3), accepts="everybody")["id"]
        words = {"message": self.plant("what is said in agreements")}
        self.others_seat = check(vera.ask("POST", f"/v1/rides/{self.others_ride}/requests", words), 201).json()["id"]
        self.canaries += [Canary("agreements", text) for seat in (self.seat, self.others_seat) for text in (f"seat/{seat}", f'"id":"{seat}"', f'"request":"{seat}"')]

    def seeking(self):
        """She seeks a ride so that others see it, along the way of her counterpart, who invites her; and somebody else seeks one along hers."""
        vera, cole, finder = self.vera, self.people["counterpart"], self.people["finder"]
        # Where nobody else of these tests drives, and with digits that no other place has.
        ends = [f"62.{(uuid.uuid4().int % 10**7 | 1) + beside}" for beside in (240_000_000, 610_000_000)]
        self.canaries += [Canary("what one looks for", latitude) for latitude in ends]
        self.passing = cole.post_ride(departsAt=moment(days=4), stops=[
            {"name": "The mill", "position": {"latitude": 62.24, "longitude": 25.74}}, {"name": "The lake", "position": {"latitude": 62.61, "longitude": 26.31}}])["id"]
        places = [{"latitude": float(latitude), "longitude": longitude} for latitude, longitude in zip(ends, (25.74, 26.31))]
        self.sought = self.seek(vera, *places, after=moment(days=3, hours=23), before=moment(days=4, hours=1))
        self.wanted.append(self.sought)
        self.canaries += [Canary("who seeks a ride", text) for text in (f'"id":"{self.sought}"', f'"wanted":"{self.sought}"')]
        self.seek(finder, {"latitude": 60.171, "longitude": 24.941}, {"latitude": 60.452, "longitude": 22.267}, after=moment(hours=19), before=moment(hours=21))
        for person, ride in ((cole, self.passing), (vera, self.ride)):
            wait_for(lambda: person.ask("GET", f"/v1/rides/{ride}/seekers").json().get("items"))
        check(cole.ask("POST", f"/v1/rides/{self.passing}/seekers/{self.sought}/invite"), 204)

    @staticmethod
    def seek(person, start, end, **when):
        draft = {"query": {"rides": {"from": start, "to": end, **when}}, "isVisible": True}
        return check(person.ask("POST", "/v1/wanted", draft), 201).json()["id"]

    def series_of_rides(self):
        """Whose rides everybody may see, and nobody but her the doors of: none rides along."""
        latitude = f"60.{(uuid.uuid4().int % 10**7 | 1) + 180_000_000}"
        self.canaries.append(Canary("ride series", latitude))
        weekly = series(days=5)
        weekly["ride"] |= {"notes": self.plant("rides"), "stops": [
            {"name": self.plant("rides"), "address": self.plant("ride series"), "position": {"latitude": float(latitude), "longitude": 24.941}},
            {"name": self.plant("rides"), "address": self.plant("ride series"), "position": {"latitude": 60.452, "longitude": 22.267}}]}
        self.series = self.vera.post_series(**weekly)["id"]

    def deliveries(self):
        """What she brings her counterpart, what he brings her, and what nobody brings her yet."""
        vera, cole = self.vera, self.people["counterpart"]
        self.tables = restaurants()[8:11]
        self.availability = vera.offer_delivery(8, detour=500, dropOff={"name": self.plant("who brings something"), "position": {"latitude": 60.982, "longitude": 25.665}})["id"]
        self.canaries.append(Canary("what one brings along", '"detour":500'))
        cole.offer_delivery(9)
        wanted = lambda table, row: [{"restaurant": restaurants()[table], "items": self.plant(row)}]
        _, self.brought = vera.accepted_match(cole, 8, **{"from": wanted(8, "what is said in agreements")})
        check(vera.ask("POST", f"/v1/matches/{self.brought}/pick-up", {"spent": {"amount": 1200, "currency": ask("GET", "/v1/about").json()["currency"]}}), 200)
        latitude = f"60.{(uuid.uuid4().int % 10**7 | 1) + 980_000_000}"
        self.here = {"position": {"latitude": float(latitude), "longitude": 25.66}, "accuracy": 9}
        self.canaries.append(Canary("where one is", latitude))
        self.show_where()
        door = self.plant("doors of deliveries")
        ordered, self.awaited = cole.accepted_match(vera, 9, door=door, **{"from": wanted(9, "what is said in agreements")})
        code = check(vera.ask("GET", f"/v1/matches/{self.awaited}"), 200).json()["code"]
        self.canaries.append(Canary("digits of deliveries", f'"code":"{code}"'))
        self.orders = [ordered, vera.place_order(10, **{"from": wanted(10, "orders")})["id"]]
        self.canaries += [Canary("agreements", text) for match in (self.brought, self.awaited) for text in (f"match/{match}", f'"id":"{match}"', f'"match":"{match}"')]

    def show_where(self):
        """What is older than ten minutes is gone."""
        check(self.vera.ask("PUT", f"/v1/matches/{self.brought}/position", self.here), 204)

    def review(self, author, about, spot, text):
        body = {"subject": {"kind": "spot", "id": spot}, "rating": 4, "text": text}
        # What listings has told of reaches auth a moment later.
        answer = wait_for(lambda: (answer := author.ask("POST", f"/v1/people/{about.id}/reviews", body)).status != 403 and answer)
        return check(answer, 201).json()["id"]

    def reviews(self):
        vera, cole = self.vera, self.people["counterpart"]
        self.written = [
            self.review(vera, cole, self.given, self.plant("reviews that wait")),
            self.review(vera, cole, self.taken, self.plant("reviews")), self.review(cole, vera, self.taken, self.plant("reviews"))]

    def chats(self):
        """About the two themselves, and about a spot of hers; what she says stands in both."""
        vera, cole = self.vera, self.people["counterpart"]
        subjects = [({"kind": "person", "id": cole.id}, vera, cole), ({"kind": "spot", "id": self.shown}, cole, vera)]
        self.rooms = [check(one.ask("POST", "/v1/rooms", {"subject": subject, "with": other.id}), 200).json()["id"] for subject, one, other in subjects]
        for room in self.rooms:
            there = len(check(vera.ask("GET", f"/v1/rooms/{room}/messages"), 200).json()["items"])
            for number, person in enumerate((vera, cole), there + 1):
                check(person.ask("POST", f"/v1/rooms/{room}/messages", {"id": str(uuid.uuid4()), "text": self.plant("chats")}), 201)
                check(person.ask("PUT", f"/v1/rooms/{room}/read", {"number": number}), 204)
            check(vera.ask("POST", f"/v1/rooms/{room}/typing"), 204)

    def told(self):
        """How she wants to be told things, and on which device."""
        # A name of old, which no form offers to everybody.
        settings = {"kinds": [{"kind": "message", "mail": False, "push": True}], "mail": "daily", "digestHour": 7, "timeZone": "Antarctica/South_Pole"}
        check(self.vera.ask("PUT", "/v1/notification-settings", settings), 200)
        self.canaries.append(Canary("how one is told", settings["timeZone"]))
        draft = browser()
        draft["endpoint"] += self.plant("how devices are reached")
        self.device = check(self.vera.ask("POST", "/v1/push-subscriptions", draft, {"User-Agent": self.plant("devices")}), 201).json()["id"]

    def hidden_words(self):
        """What moderators hide of a chat: said before anybody's stream began, since who heard it has heard it. And of two others one that waits for them."""
        vera, cole, people = self.vera, self.people["counterpart"], self.people
        promote(people["moderator"])

        def say(writer, reader, text):
            room = check(writer.ask("POST", "/v1/rooms", {"subject": {"kind": "person", "id": reader.id}, "with": reader.id}), 200).json()["id"]
            id = str(uuid.uuid4())
            check(writer.ask("POST", f"/v1/rooms/{room}/messages", {"id": id, "text": text}), 201)
            self.report(reader, "message", id, mark("r"))
            return room, id

        room, id = say(cole, vera, self.plant("hidden messages"))
        self.message_cases = [self.act("message", id, "hide", mark("w"))]
        wait_for(lambda: vera.ask("GET", f"/v1/rooms/{room}/messages").json()["items"][0].get("hidden"))
        say(people["finder"], people["everybodys"], mark("m"))
        items = check(people["moderator"].ask("GET", "/v1/moderation/cases?state=open&limit=100"), 200).json()["items"]
        self.message_cases += [case["id"] for case in items if case["subject"]["kind"] == "message"]

    def report(self, person, kind, id, text):
        wait_for(lambda: person.ask("POST", "/v1/reports", {"subject": {"kind": kind, "id": id}, "reason": "other", "text": text}).status == 201)

    def act(self, kind, id, act, reason, **more):
        """What the moderator does about the case of a subject."""
        mona = self.people["moderator"]
        case = open_case(mona, {"kind": kind, "id": id})
        check(mona.ask("POST", f"/v1/moderation/cases/{case['id']}/acts", {"act": act, "reason": reason, "version": case["version"], **more}), 200)
        return case["id"]

    def moderation(self):
        people, vera = self.people, self.vera
        promote(people["moderator"])
        self.report(vera, "person", people["counterpart"].id, self.plant("reports by one"))
        self.report(people["finder"], "person", vera.id, self.plant("reports of one"))
        self.report(people["finder"], "spot", self.hidden, mark("r"))
        self.report(people["finder"], "person", people["suspended"].id, mark("r"))
        self.cases = [
            self.act("person", people["counterpart"].id, "warn", mark("w")), self.act("person", vera.id, "warn", self.plant("notices")),
            self.act("spot", self.hidden, "hide", self.plant("hidden, and why")),
            self.act("person", people["suspended"].id, "suspend", self.plant("suspensions"), days=1)]
        self.notices = wait_for(lambda: [item["id"] for item in vera.ask("GET", "/v1/me/notices").json()["items"]])

    def own_data(self):
        vera, erin = self.vera, self.people["erased"]
        check(vera.ask("POST", "/v1/me/proof", {"password": self.password}), 204)
        self.calendar = self.watch("calendar address", check(vera.ask("POST", "/v1/me/calendar-feed"), 201).json()["path"].rsplit("/", 1)[1].removesuffix(".ics"))
        self.archive = self.watch("archive", check(vera.ask("POST", "/v1/me/export"), 202).json()["id"])
        wait_for(lambda: "readyAt" in vera.ask("GET", "/v1/me/export").json())
        self.receipt = self.watch("receipts", check(erin.ask("DELETE", "/v1/me", {"password": PASSWORD}), 202).json()["id"])
        wait_for(lambda: "completedAt" in ask("GET", f"/v1/erasures/{self.receipt}").json())

    def at_the_door(self):
        """What somebody who is suspended hears when they come back: no address that is walked leads there."""
        sue = self.people["suspended"]
        back = check(ask("POST", "/v1/sessions", {"Content-Type": "application/json"},
                         f'{{"email": "{sue.email}", "password": "{PASSWORD}"}}'), 200)
        sue.take(back.json())
        return back.text + check(sue.ask("GET", "/v1/me/suspension"), 200).text + sue.page("GET", "/suspended").text

    @property
    def kinds(self):
        """The ids that there are, by the word that stands before one in an address."""
        people, things = [self.vera.id, *(person.id for person in self.people.values())], list(self.own_things.values())
        cases, rides, seats = [*self.cases, *self.message_cases], [self.ride, self.others_ride, self.passing], [self.seat, self.others_seat]
        return {
            "people": people, "friends": people, "by": people, "with": people, "person": people, "spots": self.posted, "reviews": self.written,
            "things": things, "thing": things, "posts": [*self.posted, *things], **{path[4:]: [id] for path, id in self.own_things.items()}, "rentals": [self.rental],
            "rides": rides, "ride": rides, "saved-rides": rides, "ride-series": [self.series], "series": [self.series], "commutes": [self.series], "seats": seats, "seat-requests": seats,
            "restaurants": self.tables, "deliverers": [self.availability], "orders": self.orders, "matches": [self.brought, self.awaited],
            "wanted": self.wanted, "rooms": self.rooms, "messages": self.rooms, "notifications": self.inbox, "devices": [self.device], "sessions": self.sessions, "passkeys": [self.key],
            "notices": self.notices, "cases": cases, "erasures": [self.receipt], "places": [self.place]}

    @property
    def ids(self):
        """Every id that there is, of whatever kind."""
        return list({id: None for ids in self.kinds.values() for id in ids} | {self.archive: None})

    @functools.cached_property
    def inbox(self):
        """Some of what Vera was told."""
        return [item["id"] for item in check(self.vera.ask("GET", "/v1/notifications?limit=3"), 200).json()["items"]]

    @functools.cached_property
    def place(self):
        return check(ask("GET", "/v1/places?q=helsinki"), 200).json()["items"][0]["id"]

    @property
    def veras(self):
        """What is Vera's."""
        return {self.vera.id, *self.own_spots, *self.own_things.values(), self.rental, self.ride, self.series, self.seat, self.others_seat, self.sought, self.availability, *self.orders, self.brought, self.awaited, *self.written, self.receipt}
