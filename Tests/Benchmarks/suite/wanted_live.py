"""When something was committed and when people heard of it, by one clock: that of this machine, which is the database's."""

import asyncio
import concurrent.futures
import json
import re
import selectors
import socket
import threading
import time

import asyncpg

PATIENCE = 90
FOUND = re.compile(rb"event: wantedFound\ndata: (\{.*\})\n\n")

# What a transaction has to say is said when it is committed.
TRIGGERS = """
    CREATE SCHEMA IF NOT EXISTS bench;
    CREATE OR REPLACE FUNCTION bench.changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('bench_changed', NEW.payload #>> '{subject,id}'); RETURN NULL; END $$;
    CREATE OR REPLACE FUNCTION bench.looked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('bench_looked', OLD.subject::text); RETURN NULL; END $$;
    DROP TRIGGER IF EXISTS bench ON listings.outbox;
    DROP TRIGGER IF EXISTS bench ON rides.outbox;
    DROP TRIGGER IF EXISTS bench ON matching.looks;
    CREATE TRIGGER bench AFTER INSERT ON listings.outbox FOR EACH ROW WHEN (NEW.header ->> 'type' = 'searchableChanged') EXECUTE FUNCTION bench.changed();
    CREATE TRIGGER bench AFTER INSERT ON rides.outbox FOR EACH ROW WHEN (NEW.header ->> 'type' = 'searchableChanged') EXECUTE FUNCTION bench.changed();
    CREATE TRIGGER bench AFTER DELETE ON matching.looks FOR EACH ROW EXECUTE FUNCTION bench.looked()"""
NO_TRIGGERS = "DROP TRIGGER IF EXISTS bench ON listings.outbox; DROP TRIGGER IF EXISTS bench ON rides.outbox; DROP TRIGGER IF EXISTS bench ON matching.looks; DROP SCHEMA IF EXISTS bench CASCADE"


class Commits:
    """`changed`: when it was committed that something can be found. `looked`: when all who look for it were found. By its id, since `begin`."""

    def __init__(self, stack, ends):
        stack.psql(TRIGGERS)
        ends.callback(stack.psql, NO_TRIGGERS)
        self.begin()
        self.loop, opened = asyncio.new_event_loop(), threading.Event()
        thread = threading.Thread(target=self.loop.run_until_complete, args=(self.listen(stack.admin_url(), opened),), daemon=True)
        thread.start()
        ends.callback(thread.join, 10)
        ends.callback(self.loop.call_soon_threadsafe, lambda: self.done.set())
        if not opened.wait(10):
            raise RuntimeError("the database tells nothing")

    def begin(self):
        self.changed, self.looked = {}, {}

    async def listen(self, url, opened):
        self.done = asyncio.Event()
        connection = await asyncpg.connect(url)
        await connection.add_listener("bench_changed", lambda *told: self.changed.setdefault(told[-1], time.time()))
        await connection.add_listener("bench_looked", lambda *told: self.looked.setdefault(told[-1], time.time()))
        opened.set()
        await self.done.wait()
        await connection.close()


class Streams:
    """A live stream of each of these people. `heard`: when it first said of something that it was found, by the number of the person and its id, since `begin`."""

    def __init__(self, stack, people, ends):
        self.ready, self.kept, self.heard, self.often = selectors.DefaultSelector(), {}, {}, 0
        ends.callback(self.ready.close)
        for number, (_, token) in enumerate(people):
            line = ends.enter_context(socket.create_connection(("127.0.0.1", stack.port)))
            line.sendall(f"GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
            head = line.recv(4096)
            if b" 200 " not in head[:20]:
                raise RuntimeError(f"no stream: {head[:300]!r}")
            line.setblocking(False)
            self.ready.register(line, selectors.EVENT_READ, number)

    def begin(self):
        """Whatever else they were told is of before."""
        while self.turn(0.2):
            pass
        self.heard, self.often = {}, 0

    def turn(self, seconds):
        ready = self.ready.select(seconds)
        for key, _ in ready:
            data = key.fileobj.recv(262144)
            if not data:
                raise RuntimeError(f"a stream was closed after {self.kept.get(key.data, b'')[-300:]!r}")
            now, text = time.time(), self.kept.get(key.data, b"") + data
            end = text.rfind(b"\n\n") + 2 if b"\n\n" in text else 0
            self.kept[key.data] = text[end:]
            for told in map(json.loads, FOUND.findall(text[:end])):
                if not told["isGone"]:
                    self.often += 1
                    self.heard.setdefault((key.data, told["subject"]["id"]), now)
        return ready

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.turn(0.05)
            if time.monotonic() > end:
                raise RuntimeError(f"not within {PATIENCE} seconds: {what()}")

    def during(self, act, *arguments):
        """What `act` answers, in a thread of its own: what comes meanwhile is read at once."""
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            acting = pool.submit(act, *arguments)
            self.until(acting.done, lambda: "nothing was answered")
            return acting.result()

    def still_once(self):
        """That no stream says anything twice; whatever is still to be told is waited for."""
        while self.turn(0.5):
            pass
        if self.often != len(self.heard):
            raise RuntimeError(f"streams said {self.often} times that something was found, where {len(self.heard)} things were")
