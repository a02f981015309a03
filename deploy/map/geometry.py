"""The little geometry that shores and parking places need: plain degrees in, plain degrees out."""

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
