"""Shapefiles, as far as Natural Earth's small ones go: polygons, little-endian, as ESRI's white paper of July 1998 describes them, and the texts of
the table beside them (dBASE III, Latin 1)."""

import struct

POLYGON = 5


def polygon_records(data):
    """The rings of each record."""
    offset = 100
    while offset < len(data):
        length = struct.unpack_from(">i", data, offset + 4)[0] * 2
        if struct.unpack_from("<i", data, offset + 8)[0] == POLYGON:
            yield rings(data, offset + 8)
        offset += 8 + length


def rings(data, start):
    parts, points = struct.unpack_from("<ii", data, start + 36)
    starts = [*struct.unpack_from(f"<{parts}i", data, start + 44), points]
    numbers = struct.unpack_from(f"<{points * 2}d", data, start + 44 + parts * 4)
    coordinates = [[numbers[i], numbers[i + 1]] for i in range(0, points * 2, 2)]
    return [coordinates[a:b] for a, b in zip(starts, starts[1:])]


def texts(data):
    """The rows of a table, by the names of its columns."""
    count, begin, width = struct.unpack_from("<IHH", data, 4)
    columns, offset = [], 32
    while data[offset] != 0x0D:
        name, length = data[offset : offset + 11].split(b"\0")[0].decode("ascii"), data[offset + 16]
        columns.append((name, length))
        offset += 32
    for row in range(count):
        start, said = begin + row * width + 1, {}
        for name, length in columns:
            said[name] = data[start : start + length].decode("latin-1").strip()
            start += length
        yield said
