"""What the kernel says of processes: CPU seconds to the nanosecond, and memory."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time


def children(pid):
    """A process and all its descendants."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in task.read_text().split():
                found += children(int(child))
    return found


def cpu_of(pids):
    """CPU nanoseconds of each thread (ticks, as in /proc/*/stat, would under-count short turns)."""
    used = {}
    for pid in pids:
        # Some end meanwhile: those that vacuum for PostgreSQL come and go.
        with contextlib.suppress(OSError):
            for entry in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError):
                    used[entry.parent.name] = int(entry.read_text().split()[0])
    return used


class CPU:
    """CPU seconds of process trees between two moments, where wanted without a tree within them."""

    def __init__(self, *roots, without=None):
        self.roots, self.without = roots, without
        self.before = self.read()

    def read(self):
        excluded = children(self.without) if self.without else []
        return cpu_of({pid for root in self.roots for pid in children(root)}.difference(excluded))

    def seconds(self):
        return sum(now - self.before.get(thread, 0) for thread, now in self.read().items()) / 1e9


def ended_children(pid):
    """CPU seconds, to a hundredth, of those children of a process that have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """(resident, proportional) kilobytes: shared pages whole, or divided among those who share them."""
    values = {}
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, amount = line.split()[:2]
        values[name] = int(amount)
    return values["Rss:"], values["Pss:"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, seconds=15):
    end = time.monotonic() + seconds
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if time.monotonic() > end:
            raise RuntimeError(f"nothing listens at port {port} after {seconds} seconds")
        time.sleep(0.05)


@contextlib.contextmanager
def running(*command, **options):
    """A process that ends with the block."""
    process = subprocess.Popen([str(part) for part in command], **options)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def output(*command, **options):
    """What a command prints; its complaints go with the error where it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed ({done.returncode}): {done.stderr.strip()[-2000:]}")
    return done.stdout
