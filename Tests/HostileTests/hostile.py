"""What the tests of hostile input do over and over: raw sockets, people with accounts, and a look at the processes behind the door."""

import concurrent.futures
import dataclasses
import datetime
import functools
import json
import os
import pathlib
import random
import socket
import subprocess
import threading
import time
import urllib.parse
import uuid

URL = os.environ.get("KAMPONG_URL", "").rstrip("/")
HOME = os.environ.get("KAMPONG_HOME", "")
HOST, PORT = (urllib.parse.urlsplit(URL).hostname, urllib.parse.urlsplit(URL).port) if URL else (None, None)
PASSWORD = "a walk along the harbour"
RUN = uuid.uuid4().hex[:8]
# Loopback has a whole network of addresses: attackers come from the first, people who mean well from the second.
OUTSIDE, NEIGHBOUR = "127.0.0.1", "127.0.0.2"
# Seconds until an answer is one that never comes. Less than the minute after which the gateway closes a line that it has left hanging.
LONG_ENOUGH = 50
TURN = os.environ.get("KAMPONG_TURN")


def services_that_are(kind):
    """Names from the list that all scripts read: `services`, or `stateful_services`, which have a schema."""
    listed = pathlib.Path(__file__).parents[2] / "deploy/lib/services.sh"
    return subprocess.check_output(["bash", "-c", f'. "$1"; echo "${{{kind}[@]}}"', "bash", str(listed)], text=True).split()


def is_in_turn(row, column):
    """Whether a pair is this turn's. Each turn has half of the pairs: half of each row, and half of each column. Without turns all are."""
    return not TURN or (row + column + int(TURN)) % 2 == 0


@dataclasses.dataclass
class Answer:
    status: int
    headers: list
    body: bytes

    def __getitem__(self, name):
        return next((value for field, value in self.headers if field.lower() == name.lower()), None)

    def all(self, name):
        return [value for field, value in self.headers if field.lower() == name.lower()]

    @property
    def text(self):
        return self.body.decode("utf-8")

    def json(self):
        return json.loads(self.body)


class Line:
    """A TCP connection on which exactly those bytes are sent that a test says."""

    def __init__(self, source=OUTSIDE, timeout=LONG_ENOUGH):
        self.socket = socket.create_connection((HOST, PORT), timeout=timeout, source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends all of it, or as much as the other side takes before it hangs up."""
        try:
            self.socket.sendall(data.encode("latin-1") if isinstance(data, str) else data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False
        except OSError:
            if self.socket.fileno() < 0:  # closed by the test meanwhile
                return False
            raise

    def finish(self):
        self.socket.shutdown(socket.SHUT_WR)

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        self.buffer += data
        return bool(data)

    def answer(self, method="GET"):
        """The next answer; None where the line is closed without one."""
        while b"\r\n\r\n" not in self.buffer:
            if not self._more():
                return None
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        answer = Answer(status, headers, b"")
        if 100 <= status < 200:
            return self.answer(method)
        if method != "HEAD" and status not in (204, 304):
            answer.body = self._body(answer)
        return answer

    def _take(self, count):
        while len(self.buffer) < count and self._more():
            pass
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _line(self):
        while b"\r\n" not in self.buffer and self._more():
            pass
        line, _, self.buffer = self.buffer.partition(b"\r\n")
        return line

    def _body(self, answer):
        if answer["Content-Length"] is not None:
            return self._take(int(answer["Content-Length"]))
        if answer["Transfer-Encoding"] == "chunked":
            body = b""
            while size := int(self._line() or b"0", 16):
                body += self._take(size)
                self._line()
            self._line()
            return body
        return self._take(1 << 30)

    def is_closed(self, within=5):
        """Whether the other side hangs up within that time."""
        self.socket.settimeout(within)
        try:
            while True:
                if not self.socket.recv(65536):
                    return True
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


def raw(data, source=OUTSIDE, timeout=LONG_ENOUGH, method="GET"):
    """One answer to exactly these bytes."""
    with Line(source, timeout) as line:
        line.send(data)
        return line.answer(method)


def ask(method, path, headers=(), body=None, source=OUTSIDE, timeout=LONG_ENOUGH):
    """A well-formed request, but for what the caller does to it."""
    fields = dict(headers)
    fields.setdefault("Host", f"{HOST}:{PORT}")
    fields.setdefault("Connection", "close")
    if isinstance(body, str):
        body = body.encode()
    if body is not None or method in ("POST", "PUT", "PATCH"):
        fields.setdefault("Content-Length", str(len(body or b"")))
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return raw(head.encode("latin-1") + b"\r\n" + (body or b""), source, timeout, method)


def at_once(work, cases, threads=6):
    """What comes of each, in their order; a few at a time, or it would take minutes."""
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, cases))


def wait_for(what, seconds=90):
    """What comes of it, once that is anything: the events of the services are on their way."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
    return found


class Person:
    """Somebody with an account."""

    def __init__(self, name="Ada Lindqvist", source=OUTSIDE, device="hostile-tests", email=None, password=PASSWORD):
        self.name = name
        self.email = email or f"{RUN}-{uuid.uuid4().hex[:8]}@example.org"
        self.source = source
        self.renewal = threading.Lock()
        answer = self.ask("POST", "/v1/accounts", {"email": self.email, "password": password, "name": name}, anonymous=True,
                          headers={"User-Agent": device})
        assert answer.status == 201, answer
        account = answer.json()
        self.id = account["person"]["id"]
        self.take(account["session"])

    def take(self, session):
        self.token, self.refresh = session["accessToken"], session["refreshToken"]
        self.expires = time.monotonic() + session["expiresIn"]

    def fresh(self):
        """The access token, renewed where it is about to end; by one thread at a time, since a refresh token is good once."""
        with self.renewal:
            if time.monotonic() > self.expires - 10:
                answer = self.ask("POST", "/v1/sessions/refresh", {"refreshToken": self.refresh}, anonymous=True)
                assert answer.status == 200, answer
                self.take(answer.json()["tokens"] if "tokens" in answer.json() else answer.json())
            return self.token

    def ask(self, method, path, body=None, headers=(), anonymous=False, **more):
        """A call of /v1; `body` is what becomes JSON, or bytes as they are."""
        fields = {} if anonymous else {"Authorization": f"Bearer {self.fresh()}"}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            fields["Content-Type"] = "application/json"
        return ask(method, path, {**fields, **dict(headers)}, body, source=self.source, **more)

    def page(self, method, path, form=None, headers=(), **more):
        """A page with the cookies of a browser."""
        fields = {"Cookie": f"kampong_access={self.fresh()}", "Accept": "text/html"}
        if form is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            form = urllib.parse.urlencode(form)
        return ask(method, path, {**fields, **dict(headers)}, form, source=self.source, **more)

    def form(self, path):
        """The hidden fields that a page's form would send."""
        text = self.page("GET", path).text
        return {name: between(text, f'name="{name}" value="', '"') for name in ("csrf", "key") if f'name="{name}"' in text}

    def post_spot(self, name="By the fountain", timeout=LONG_ENOUGH, **more):
        body = {"name": name, "position": {"latitude": 60.17, "longitude": 24.94}, **more}
        answer = self.ask("POST", "/v1/spots", body, timeout=timeout)
        assert answer.status == 201, answer
        return answer.json()

    def post_thing(self, path="/v1/cars", **more):
        """A car of Singapore's, or a space or a place to park, by where it is posted."""
        body = {"title": "Something to rent", "place": "By the fountain", "address": "No. 7", "position": {"latitude": 60.17, "longitude": 24.94}}
        body |= {"brand": "Honda", "model": "Jazz", "plate": plate()} if path == "/v1/cars" else {"size": 12}
        regions = ask("GET", "/v1/about").json()["regions"]
        body |= {"region": regions[0]} if regions else {}
        answer = self.ask("POST", path, {**body, **more})
        assert answer.status == 201, answer
        return answer.json()

    def post_ride(self, **more):
        """From the fountain to another town, in two days."""
        answer = self.ask("POST", "/v1/rides", {**ride(), **more})
        assert answer.status == 201, answer
        return answer.json()

    def post_series(self, **more):
        """The same once a week, for two weeks."""
        answer = self.ask("POST", "/v1/ride-series", {**series(), **more})
        assert answer.status == 201, answer
        return answer.json()

    def offer_delivery(self, table, **more):
        """Offers to bring something from a restaurant, for as long as one may."""
        return check(self.ask("PUT", "/v1/delivery", {**availability(table), **more}), 200).json()

    def place_order(self, table, **more):
        """Wants something from a restaurant, as long as one may wait."""
        return check(self.ask("POST", "/v1/orders", {**order(table), **more}), 201).json()

    def accepted_match(self, orderer, table, **more):
        """What this one, who is at the restaurant, brings somebody who has asked for them by name: the order's id and the match's."""
        asked = self.ask("GET", "/v1/delivery").json()["availability"]["id"]
        placed = orderer.place_order(table, availability=asked, **more)
        match = placed["asked"]["match"]
        check(self.ask("POST", f"/v1/matches/{match}/accept", {"minutes": 0}), 200)
        return placed["id"], match


def ride(**ahead):
    """What a ride is posted with that leaves in so many days."""
    stops = [
        {"name": "By the fountain", "position": {"latitude": 60.17, "longitude": 24.94}}, {"name": "Another town", "position": {"latitude": 60.452, "longitude": 22.267}}]
    return {"stops": stops, "departsAt": moment(**(ahead or {"days": 2})), "seats": 3}


def series(**ahead):
    """What a series is posted with whose first ride leaves in so many days; days are those of UTC."""
    first = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**(ahead or {"days": 10}))
    last = first.date() + datetime.timedelta(days=7)
    return {"ride": {**ride(**(ahead or {"days": 10})), "zone": "UTC"}, "weekdays": [first.strftime("%A").lower()], "until": last.isoformat()}


# Where all of it goes, so that nobody has to go out of their way.
DOOR = {"name": "By the fountain", "position": {"latitude": 60.982, "longitude": 25.665}}


@functools.cache
def restaurants():
    """Ids of the restaurants of `restaurants.csv`, in its order. Each test that needs one has one to itself, or strangers would bring each other something."""
    found = ask("GET", "/v1/places/nearby?at=61.01,25.72&kind=restaurant&radius=20000&limit=100").json()["items"]
    tables = {place["name"]: place["id"] for place in found if place["name"].startswith("Long Table ")}
    assert len(tables) == 12, "the restaurants of restaurants.csv are not there; see README.md"
    return [tables[name] for name in sorted(tables)]


def availability(table):
    """What somebody offers to bring along from one of the restaurants."""
    return {"restaurant": restaurants()[table], "dropOff": DOOR, "capacity": 4, "minutes": 180}


def order(table):
    """What somebody wants from one of them."""
    currency = ask("GET", "/v1/about").json()["currency"]
    return {"from": [{"restaurant": restaurants()[table], "items": "Soup and bread"}], "dropOff": DOOR, "limit": {"amount": 1500, "currency": currency}, "minutes": 180}


def plate():
    """A number plate that nobody has, with the letter that its others add up to."""
    letters, number = random.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=3), random.randrange(1000, 10000)
    figures = [ord(letter) - 64 for letter in letters[1:]] + [int(digit) for digit in str(number)]
    total = sum(figure * weight for figure, weight in zip(figures, (9, 4, 5, 4, 3, 2)))
    return f"{''.join(letters)}{number}{'AZYXUTSRPMLKJHGEDCB'[total % 19]}"


def days(ahead, count=1):
    """A period that begins in so many days."""
    first = datetime.date.today() + datetime.timedelta(days=ahead)
    return {"from": first.isoformat(), "until": (first + datetime.timedelta(days=count - 1)).isoformat()}


def moment(**ahead):
    """A time to come, as the interface takes it."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M:%SZ")


def browser():
    """A browser to be told things, whose server nobody answers for; `deploy/test` lets its address be within."""
    keys = {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
    return {"kind": "webPush", "endpoint": f"https://127.0.0.1:9/{uuid.uuid4().hex}", "keys": keys}


def between(text, start, end):
    begin = text.index(start) + len(start)
    return text[begin:text.index(end, begin)]


def check(answer, status, code=None):
    """Holds an answer against what was expected: the status, and a problem that says so in a form that programs can read."""
    allowed = status if isinstance(status, (tuple, set)) else (status,)
    assert answer is not None, f"the line was closed without an answer where {status} was expected"
    assert answer.status in allowed, f"{answer.status} where {status} was expected: {answer.body[:300]}"
    if code:
        assert answer["Content-Type"] == "application/problem+json", answer
        problem = answer.json()
        codes = code if isinstance(code, (tuple, set)) else (code,)
        assert problem["code"] in codes and problem["status"] == answer.status, problem
        assert problem["detail"] and problem["title"]
    return answer


class Processes:
    """The services behind the door, by what their programs are called; with what pictures are made by."""

    names = services_that_are("services")

    def __init__(self):
        programs = {str(pathlib.Path(HOME).resolve() / "bin" / name): name for name in self.names}
        self.ids = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                name = programs.get(os.readlink(entry / "exe"))
            except OSError:
                continue
            if name:
                self.ids[name] = int(entry.name)

    @staticmethod
    def _kilobytes(number, field):
        for line in pathlib.Path(f"/proc/{number}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
        return 0

    def forget_peaks(self):
        """From now on the kernel remembers the peak anew."""
        for number in self.ids.values():
            pathlib.Path(f"/proc/{number}/clear_refs").write_text("5")

    def peaks(self):
        """Megabytes of resident memory at the most since then, by service."""
        return {name: round(self._kilobytes(number, "VmHWM") / 1024, 1) for name, number in self.ids.items()}

    def now(self):
        return {name: round(self._kilobytes(number, "VmRSS") / 1024, 1) for name, number in self.ids.items()}
