"""Ways and nodes of an extract, from osmium as XML, and the length of a line."""

import dataclasses
import math
import subprocess
import xml.etree.ElementTree as xml

RADIUS = 6378168


@dataclasses.dataclass
class Node:
    place: tuple
    tags: dict


def read(extract):
    """(nodes by id, [(tags, ids of nodes)])"""
    command = ["osmium", "tags-filter", extract, "w/highway", "-f", "osm", "-o", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    nodes, ways = {}, []
    for element in xml.fromstring(done.stdout):
        tags = {tag.get("k"): tag.get("v") for tag in element.iter("tag")}
        if element.tag == "node":
            nodes[int(element.get("id"))] = Node((float(element.get("lat")), float(element.get("lon"))), tags)
        elif element.tag == "way":
            ways.append((tags, [int(ref.get("ref")) for ref in element.iter("nd")]))
    return nodes, ways


def reference_metres(a, b):
    """On a sphere, by vectors: another formula than the haversine of the product."""
    (a, b) = ((getattr(p, "place", p)) for p in (a, b))
    p, q = vector(*a), vector(*b)
    cross = (p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])
    return RADIUS * math.atan2(math.hypot(*cross), sum(x * y for x, y in zip(p, q)))


def vector(latitude, longitude):
    f, l = math.radians(latitude), math.radians(longitude)
    return math.cos(f) * math.cos(l), math.cos(f) * math.sin(l), math.sin(f)
