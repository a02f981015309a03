"""An extract (OPL on stdin) the same COLUMNS × ROWS times side by side (OPL on stdout): a town where only a quarter is at hand.

    osmium cat quarter.osm.pbf -f opl -o - | python3 enlarge.py 5 4 WEST,SOUTH,EAST,NORTH | osmium cat -F opl - -o town.osm.pbf
"""

import re
import sys

APART = 20_000_000_000  # between the ids of two copies


def moved(line, copy, east, north):
    """One object of OPL with other ids and at another place."""
    fields, more = line.split(" "), copy * APART
    fields[0] = fields[0][0] + str(int(fields[0][1:]) + more)
    for index, field in enumerate(fields[1:], 1):
        kind, value = field[:1], field[1:]
        if not value:
            continue
        if kind == "x":
            fields[index] = f"x{float(value) + east:.7f}"
        elif kind == "y":
            fields[index] = f"y{float(value) + north:.7f}"
        elif kind in "NM":
            fields[index] = kind + re.sub(r"(^|,)([nwr])(\d+)", lambda found: f"{found[1]}{found[2]}{int(found[3]) + more}", value)
    return " ".join(fields)


def main():
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    west, south, east, north = (float(number) for number in sys.argv[3].split(","))
    lines = sys.stdin.read().splitlines()
    for kind in "nwr":  # osmium wants them in this order
        for copy in range(columns * rows):
            for line in lines:
                if line.startswith(kind):
                    print(moved(line, copy, copy % columns * (east - west), -(copy // columns) * (north - south)))


if __name__ == "__main__":
    main()
