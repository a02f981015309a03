"""Two people, one good neighbour at work beside every attack, and what must hold when all is over."""

import threading
import time

import pytest

from document_fuzzer import WHO, Fuzzer
from hostile import HOME, NEIGHBOUR, RUN, URL, Person, Processes, ask
from slow_senders import SlowSenders

# Megabytes that no service may ever have taken, whatever came. The gateway holds the bodies under way, 128 MB at the most.
BOUND = {"gateway": 600}
BOUND_OF_OTHERS = 250

# Seconds that the door may take while it digests ten thousand connections that went all at once.
PATIENCE = 90

# What takes its time, and whose tests come last: begun as soon as no test is left that wants to be alone.
BESIDE = ("fuzzers", "slow_senders")


def pytest_sessionstart(session):
    if not URL or not HOME:
        pytest.exit("KAMPONG_URL and KAMPONG_HOME are not set: the address and the folder of a running Kampong.", returncode=3)


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: looks at memory, or takes all connections that there are, so that nothing else is to be at work; comes first")
    config.addinivalue_line("markers", "last: waits for what was begun early")


def pytest_collection_modifyitems(items):
    """Those alone, all others as they stand, and those that wait."""
    items.sort(key=lambda item: 0 if item.get_closest_marker("alone") else 2 if item.get_closest_marker("last") else 1)


@pytest.fixture(autouse=True)
def beside(request, neighbour):
    """Begins what tests that are still to come will wait for."""
    if not request.node.get_closest_marker("alone"):
        for name in BESIDE:
            if any(name in item.fixturenames for item in request.session.items):
                request.getfixturevalue(name)


class Neighbour:
    """Means well: looks at the map, posts, and expects an answer each time, while everything else happens."""

    def __init__(self):
        self.person = Person("Nadia Holm", source=NEIGHBOUR)
        self.before = self.person.post_spot(f"There before {RUN}")["id"]
        self.posted, self.wrong, self.asked = [], [], 0
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.live, daemon=True)
        self.thread.start()

    def live(self):
        while self.asked == 0 or not self.done.wait(0.5):
            try:
                self.asked += 1
                answer = self.person.ask("GET", f"/v1/spots/{self.before}", timeout=PATIENCE)
                if answer is None or answer.status != 200:
                    self.wrong.append(f"look: {answer}")
                if self.asked % 10 == 1 and len(self.posted) < 15:
                    self.posted.append(self.person.post_spot(f"During {RUN} {self.asked}", timeout=PATIENCE)["id"])
            except Exception as problem:
                self.wrong.append(f"{type(problem).__name__}: {problem}")

    def stop(self):
        self.done.set()
        self.thread.join(PATIENCE)


@pytest.fixture(scope="session", autouse=True)
def neighbour(request, old_token):
    """Whatever the tests do: nobody else notices, nothing is lost, no process died, and memory is bounded."""
    processes = Processes()
    assert sorted(processes.ids) == sorted(processes.names), f"of the services only {processes.ids} run from {HOME}"
    processes.forget_peaks()
    neighbour = Neighbour()
    yield neighbour
    neighbour.stop()
    peaks = processes.peaks()
    request.config.stash[PEAKS] = (peaks, neighbour.asked, len(neighbour.posted))
    assert not neighbour.wrong, neighbour.wrong[:5]
    assert neighbour.posted
    for spot in [neighbour.before, *neighbour.posted]:
        assert neighbour.person.ask("GET", f"/v1/spots/{spot}").json()["state"] == "free"
    assert Processes().ids == processes.ids, "a service was started anew"
    for name, peak in peaks.items():
        most = BOUND.get(name, BOUND_OF_OTHERS)
        assert peak <= most, f"{name} took {peak} MB; {most} are its bound"


PEAKS = pytest.StashKey()


def pytest_terminal_summary(terminalreporter, config):
    if PEAKS in config.stash:
        peaks, asked, posted = config.stash[PEAKS]
        text = ", ".join(f"{name} {size} MB" for name, size in peaks.items())
        terminalreporter.write_line(f"peak resident memory: {text}; the neighbour looked {asked} times and posted {posted} spots")


@pytest.fixture(scope="session")
def stack():
    return Processes()


@pytest.fixture(scope="session")
def ada():
    return Person("Ada Lindqvist")


@pytest.fixture(scope="session")
def ben():
    return Person("Ben Tan")


@pytest.fixture(scope="session")
def old_token():
    """A token that is left to grow old, and when it was made."""
    return Person("Olga Alt").token, time.monotonic()


@pytest.fixture(scope="session")
def fuzzers(tmp_path_factory):
    """Both runs of schemathesis at once, by who asks."""
    runs = {who: Fuzzer(who, tmp_path_factory.mktemp("fuzzer")) for who in WHO}
    yield runs
    for run in runs.values():
        run.end()


@pytest.fixture(scope="session")
def slow_senders(neighbour):
    return SlowSenders(neighbour)


@pytest.fixture(autouse=True)
def still_there():
    """After each test the door answers as before."""
    yield
    answer = ask("GET", "/v1/about", source=NEIGHBOUR, timeout=PATIENCE)
    assert answer is not None and answer.status == 200
