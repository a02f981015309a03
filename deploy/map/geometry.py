"""The little geometry that a basemap of one town needs: plain degrees in, plain degrees out."""

import math

METRES_PER_DEGREE = 111_320


def metres(a, b):
    """Distance between two points [longitude, latitude] that are near each other."""
    across = (a[0] - b[0]) * math.cos(math.radians((a[1] + b[1]) / 2))
    return math.hypot(across, a[1] - b[1]) * METRES_PER_DEGREE


def distance_to_segment(point, start, end):
    """Metres from a point to the nearest point of a segment."""
    scale = math.cos(math.radians(point[1]))
    px, py = (point[0] - start[0]) * scale, point[1] - start[1]
    dx, dy = (end[0] - start[0]) * scale, end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0 if length == 0 else max(0, min(1, (px * dx + py * dy) / length))
    return math.hypot(px - share * dx, py - share * dy) * METRES_PER_DEGREE


def distance_to_line(point, line):
    return min(distance_to_segment(point, a, b) for a, b in zip(line, line[1:]))


def simplify(line, tolerance):
    """Douglas and Peucker: leaves out what lies within `tolerance` metres of the line that remains."""
    keep = {0, len(line) - 1}
    spans = [(0, len(line) - 1)]
    while spans:
        first, last = spans.pop()
        farthest, worst = None, tolerance
        for index in range(first + 1, last):
            off = distance_to_segment(line[index], line[first], line[last])
            if off > worst:
                farthest, worst = index, off
        if farthest is not None:
            keep.add(farthest)
            spans += [(first, farthest), (farthest, last)]
    return [line[index] for index in sorted(keep)]


def rounded(line, decimals):
    """Rounds, and drops points that rounding made equal to their predecessor."""
    result = []
    for longitude, latitude, *_ in line:
        point = [round(longitude, decimals), round(latitude, decimals)]
        if not result or point != result[-1]:
            result.append(point)
    return result


def ring(points, tolerance, decimals):
    """A closed ring made smaller, or None where nothing of an area remains."""
    half = len(points) // 2  # split where it is far apart: start and end of a ring are one point, which simplifies badly
    halves = simplify(points[: half + 1], tolerance)[:-1] + simplify(points[half:], tolerance)
    result = rounded(halves, decimals)
    return result if len(result) >= 4 and result[0] == result[-1] else None


def polygons(geometry, tolerance, decimals):
    """The polygons of a Polygon or MultiPolygon, simplified; holes stay holes, what vanishes is left out."""
    parts = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
    result = []
    for outer, *holes in parts:
        small = ring(outer, tolerance, decimals)
        if small:
            result.append([small] + [hole for hole in (ring(h, tolerance, decimals) for h in holes) if hole])
    return result


def area(points):
    """Square metres inside a ring."""
    scale = math.cos(math.radians(points[0][1])) * METRES_PER_DEGREE**2
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:]))) / 2 * scale


def centroid(points):
    """The centre of mass of a ring; of a degenerate one, the mean of its points."""
    origin = points[0]
    weight = x = y = 0.0
    for a, b in zip(points, points[1:]):
        ax, ay, bx, by = a[0] - origin[0], a[1] - origin[1], b[0] - origin[0], b[1] - origin[1]
        cross = ax * by - bx * ay
        weight += cross
        x += (ax + bx) * cross
        y += (ay + by) * cross
    if abs(weight) < 1e-16:
        return [sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)]
    return [origin[0] + x / (3 * weight), origin[1] + y / (3 * weight)]


def chains(lines):
    """Joins lines that meet end to start (or end to end) where just two of them meet, so that fewer and longer ones remain."""
    ends = {}
    for line in lines:
        for point in (tuple(line[0]), tuple(line[-1])):
            ends[point] = ends.get(point, 0) + 1
    waiting, result = [list(line) for line in lines], []
    while waiting:
        line = waiting.pop()
        grown = True
        while grown:
            grown = False
            for index, other in enumerate(waiting):
                joined = _join(line, other, ends)
                if joined:
                    line, grown = joined, True
                    del waiting[index]
                    break
        result.append(line)
    return result


def _join(line, other, ends):
    if ends.get(tuple(line[-1])) == 2:
        if line[-1] == other[0]:
            return line + other[1:]
        if line[-1] == other[-1]:
            return line + other[-2::-1]
    if ends.get(tuple(line[0])) == 2:
        if line[0] == other[-1]:
            return other + line[1:]
        if line[0] == other[0]:
            return other[::-1] + line[1:]
    return None
