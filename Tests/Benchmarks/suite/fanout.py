"""Ten thousand people who are told something at one moment: from the commit until the last notice is in its inbox, and on the live streams.

No event of Kampong has more than two people in it, so these are five thousand that become due together, as reminders of what is rented by the day do
at midnight, and are committed by one transaction, as listings would: who lets a thing and who has it are told that it should be back. A hundred of
the people listen, evenly among the others and one of them in the last event. A stream carries what happened in the order in which it was told.
"""

import contextlib
import re
import selectors
import socket
import sys
import time

from figures import alone

TOLD = 10_000
EVENTS = TOLD // 2
PATIENCE = 60
MADE = "01940000-0000-7000-8"
NOTICE = re.compile(rb'"kind": ?"rentalDue"')


def run(stack):
    people = stack.people()
    with contextlib.ExitStack() as ends:
        streams = Streams(stack, people, ends)
        ends.callback(forget, stack)
        # What comes first after a start is handled one by one, and every connection has its first statements before it.
        fan_out(stack, people, streams)
        results = [fan_out(stack, people, streams) for _ in range(stack.rounds)]
    print("   " + "; ".join(f"inboxes {result['inbox']:,.0f} ms, streams {result['first']:,.0f} to {result['last']:,.0f} ms" for result in results),
          file=sys.stderr, flush=True)
    name = f"{TOLD:,} people are told at once, by {EVENTS:,} events"
    return [
        alone(f"{name}: in the last inbox", "ms", results, "inbox"),
        alone("  on the first live stream", "ms", results, "first"),
        alone("  on the last live stream", "ms", results, "last", "≤ 2,000 ms", "≤ 500 ms"),
    ]


def fan_out(stack, people, streams):
    forget(stack)
    streams.begin()
    before = int(stack.psql("SELECT head FROM notification.outbox_head"))
    committed = float(commit(stack, people))
    heard = streams.heard()
    inbox = told(stack, before)
    streams.still_once()
    return {"inbox": 1000 * (inbox - committed), "first": 1000 * (min(heard) - committed), "last": 1000 * (max(heard) - committed)}


def commit(stack, people):
    """The moment of the commit, by the clock of this machine, which is the database's."""
    ids = ",".join(id for id, _ in people)
    every = EVENTS // len(people)
    return stack.psql(f"""
        BEGIN;
        INSERT INTO listings.outbox (header, payload)
        SELECT
            jsonb_build_object('id', gen_random_uuid(), 'type', 'rentalReminder', 'aggregate', 'rental/' || rental, 'occurredAt', moment,
                'audience', jsonb_build_object('people', jsonb_build_object('_0', jsonb_build_array(owner, renter)))),
            jsonb_build_object('about', 'overdue', 'rental', jsonb_build_object(
                'id', rental, 'thing', thing, 'kind', 'car', 'title', 'Told at once', 'state', 'handedOver', 'from', '2026-11-20', 'until', '2026-11-22',
                'startsAt', '2026-11-19T22:00:00.000Z', 'endsAt', '2026-11-22T22:00:00.000Z',
                'owner', jsonb_build_object('id', owner, 'name', 'Owner'), 'renter', jsonb_build_object('id', renter, 'name', 'Renter')))
        FROM (
            SELECT n, '{MADE}000-' || hex AS rental, '{MADE}001-' || hex AS thing, '01800000-0000-7000-8000-' || hex AS owner,
                CASE WHEN n % {every} = {every - 1} THEN (string_to_array('{ids}', ','))[n / {every} + 1] ELSE '01800000-0000-7000-8001-' || hex END AS renter,
                to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS moment
            FROM (SELECT n, lpad(to_hex(n), 12, '0') AS hex FROM generate_series(0, {EVENTS - 1}) n) AS numbers
        ) AS due ORDER BY n;
        SELECT extract(epoch FROM clock_timestamp());
        COMMIT""")


def told(stack, before):
    """When the last notice was there to be told. Each of the people must have theirs, told once and to nobody else."""
    end = time.monotonic() + PATIENCE
    while stack.psql("""
            SELECT (SELECT position FROM notification.offsets WHERE publisher = 'listings') >= (SELECT head FROM listings.outbox_head)
                AND NOT EXISTS (SELECT FROM listings.outbox WHERE position IS NULL) AND NOT EXISTS (SELECT FROM notification.outbox WHERE position IS NULL)""") != "t\n":
        if time.monotonic() > end:
            raise RuntimeError(f"not all was told within {PATIENCE} seconds")
        time.sleep(0.1)
    notices, owners = stack.psql(
        f"SELECT count(*) FILTER (WHERE told AND read_at IS NULL), count(DISTINCT person) FROM notification.notices WHERE {OURS}").strip().split("|")
    events, addressed, moment = stack.psql(f"""
        SELECT count(*), count(DISTINCT person), extract(epoch FROM max(numbered_at))
        FROM notification.outbox CROSS JOIN LATERAL jsonb_array_elements_text(header #> '{{audience,people,_0}}') AS person
        WHERE position > {before} AND header ->> 'type' = 'notification' AND payload ->> 'kind' = 'rentalDue'""").strip().split("|")
    if [int(count) for count in (notices, owners, events, addressed)] != [TOLD] * 4:
        raise RuntimeError(f"{notices} notices of {owners} people; {addressed} people were told {events} times")
    return float(moment)


OURS = f"key LIKE 'rentalDue/{MADE}%'"


def forget(stack):
    """Before they are mailed or pushed; what is told next finds the tables as this did."""
    stack.psql(f"DELETE FROM notification.notices WHERE {OURS}")
    stack.psql("VACUUM ANALYZE notification.notices")


class Streams:
    """A live stream of each of these people, and when it first carried a notice."""

    def __init__(self, stack, people, ends):
        self.ready, self.texts, self.moments = selectors.DefaultSelector(), {}, {}
        ends.callback(self.ready.close)
        for number, (_, token) in enumerate(people):
            line = ends.enter_context(socket.create_connection(("127.0.0.1", stack.port)))
            line.sendall(f"GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            head = line.recv(4096)
            if b" 200 " not in head[:20]:
                raise RuntimeError(f"no stream: {head[:300]!r}")
            line.setblocking(False)
            self.ready.register(line, selectors.EVENT_READ, number)
        self.count = len(people)

    def begin(self):
        """Whatever else they were told is of before."""
        while self.turn(0):
            pass
        self.texts, self.moments = {number: b"" for number in range(self.count)}, {}

    def turn(self, seconds):
        ready = self.ready.select(seconds)
        for key, _ in ready:
            data = key.fileobj.recv(65536)
            if not data:
                raise RuntimeError(f"a stream was closed after {self.texts.get(key.data, b'')[-300:]!r}")
            self.texts[key.data] = self.texts.get(key.data, b"") + data
            if key.data not in self.moments and NOTICE.search(self.texts[key.data]):
                self.moments[key.data] = time.time()
        return ready

    def heard(self):
        end = time.monotonic() + PATIENCE
        while len(self.moments) < self.count:
            self.turn(0.1)
            if time.monotonic() > end:
                raise RuntimeError(f"{len(self.moments)} of {self.count} streams heard within {PATIENCE} seconds")
        return list(self.moments.values())

    def still_once(self):
        while self.turn(0.5):
            pass
        often = [len(NOTICE.findall(text)) for text in self.texts.values()]
        if often != [1] * self.count:
            raise RuntimeError(f"streams carried {sum(often)} notices for {self.count} people")
