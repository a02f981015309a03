# The sections of deploy/test but for that of containers. Sourced after tests.sh, pythons.sh, gazetteer.sh and beside.sh.
# shellcheck shell=bash disable=SC2154

section_format() {
  cd "$root"
  swift format lint -r --strict Package.swift Services Shared Tests deploy
  shellcheck -x deploy/up deploy/moderator deploy/operator deploy/places deploy/test deploy/ledger deploy/bench deploy/fuzz deploy/sanitize deploy/vendor deploy/basemap deploy/gazetteer deploy/lib/image.sh deploy/compose/{setup,gazetteer,control,look,healthy} .ci/run
}

# Job: what is installed or downloaded and not compiled.
fetch() {
  need_packages "${packages_to_run[@]}" "${packages_to_test[@]}"
  fetch_files
  # Here, since the engine installs packages of its own after this, and apt takes one of us at a time.
  ! is_chosen unit || unpacked_kannel >/dev/null
}

# Job: for the tests that are written in Python, or have a counterpart that is.
counterparts() {
  await fetch
  test_python >/dev/null
  ! is_chosen browser || provider_python >/dev/null
}

# `fetch` installs the server of the database.
section_prepare() {
  build_package --build-tests
  await fetch
  make_test_database
  : >"$home/run/built"
}

# One module after the other: all at once, in one process on two cores, each would wait for the others' deadlines to pass. What takes no time is one.
brief=(Argon2Tests ContractTests DemoTests FIDO2Tests FuzzTests KampongClientTests ReactorTests)
apart=(StackTests LedgerTests Benchmarks BrowserTests HostileTests MapDrawingTests)

section_unit() {
  local folder name broken=()
  pg_start
  begin maps_and_streets
  for folder in "$root"/Tests/*/; do
    name=$(basename "$folder")
    # The first whose tests are with them.
    [ "$name" != NotificationServiceTests ] || { await counterparts && name_counterparts; }
    case " ${apart[*]} ${brief[*]} " in *" $name "*) ;; *) unit "$name" ;; esac
  done
  unit "${brief[@]}"
  await maps_and_streets || broken+=("maps_and_streets")
  [ "${#broken[@]}" = 0 ] || { say "Failed: ${broken[*]}"; return 1; }
}

# Some modules in one process.
unit() {
  step "   $*"
  swift_test --filter "^($(IFS='|' && printf '%s' "$*"))\\." || broken+=("$*")
}

# The SMS gateway, and the server of browsers that notices are pushed to, which reads them by libraries that we did not write.
name_counterparts() {
  KAMPONG_KANNEL=$(unpacked_kannel)
  KAMPONG_TEST_PYTHON=$(test_python)
  export KAMPONG_KANNEL KAMPONG_TEST_PYTHON
}

# Job: how maps are drawn, with the Python that Debian's Shapely belongs to; and distances along streets beside those of a library that we did not
# write, on the same extract. Neither needs more than one processor.
maps_and_streets() {
  local python
  /usr/bin/python3 -m unittest discover -q -s "$root/Tests/MapDrawingTests"
  await counterparts
  python=$(test_python)
  PYTHONDONTWRITEBYTECODE=1 "$python" "$root/Tests/StreetNetworkTests/compare.py" --streets "$(products)/streets" --extract "$cache/data/Helsinki.osm.pbf"
}

# Stories, and beside them the ledger, briefly: deploy/ledger takes longer. Each waits for its processes half of the time.
section_stack() {
  pg_start
  KAMPONG_MAP_DIRECTORY=$cache/map KAMPONG_VENDOR_DIRECTORY=$cache/vendor KAMPONG_AUTH_PASSWORDS=$cache/data/common-passwords.py \
    swift_test --filter '^(StackTests|LedgerTests)\.'
}

for_now=()

# A setting of one section, which runs in a shell of its own: what it ends with takes it back.
set_for_now() {
  set_setting "$1" "$2"
  for_now+=("$1")
  trap 'for name in "${for_now[@]}"; do unset_setting "$name"; done' EXIT
}

# An identity provider that we did not write, with an environment of its own. The browser tests start it where Kampong is told that it is.
describe_provider() {
  local port
  port=$(own_port identity.port)
  printf '{"providers": [{"id": "campus", "name": "Hill College", "issuer": "http://127.0.0.1:%s", "client": "kampong", "secret": "%s", "emailsAreVerified": true}]}\n' \
    "$port" "$(setting_or identity.secret secret)" | write_file "$home/identity.json" 0600
  ! is_root || chown "$service_user:$service_user" "$home/identity.json"
  set_for_now KAMPONG_IDENTITY_FILE "$home/identity.json"
}

# All the people of the tests come from one address, as those of no community do.
lift_limits() {
  local name
  for name in AUTH_LIMITS_ADDRESS LIMITS_READ LIMITS_WRITE LIMITS_SIGNIN LIMITS_PHOTO LIMITS_STREAMS_ADDRESS; do
    set_setting "KAMPONG_$name" 1000000
  done
}

# The stack, of what `prepare` has built, and with the towns that tests look for: all of the world's took a debug build a minute and a half.
bring_up() {
  few_towns
  KAMPONG_IS_BUILT=1 KAMPONG_TOWNS=$home/towns.json "$root/deploy/up" --no-demo
}

# All towns of two countries, and the larger ones of all others.
few_towns() {
  local all=$cache/data/cities500.json
  [ "$all" -nt "$home/towns.json" ] || return 0
  python3 -c 'import json, sys
towns = json.load(sys.stdin)
json.dump({id: town for id, town in towns.items() if town["countrycode"] in ("FI", "SG") or town["population"] >= 50_000}, sys.stdout)' <"$all" |
    write_file "$home/towns.json"
}

set_campuses() { set_setting KAMPONG_COMMUNITY_CAMPUSES "hill=Hill Campus:hill.example.org,bay=Bay Campus:.bay.example.org"; }

section_browser() {
  local python provider
  await counterparts
  python=$(test_python)
  provider=$(provider_python)
  lift_limits
  describe_provider
  set_campuses
  set_setting KAMPONG_TEXT_FOLDER "$home/mail"
  set_for_now KAMPONG_PHOTOS_REST 1
  set_setting KAMPONG_CARS_PLATES singapore
  # The server of the browsers that are told things there: nobody answers.
  set_setting KAMPONG_PUSH_PRIVATE_HOSTS 127.0.0.1:9
  # People go from window to window: one that is closed while its tokens are exchanged would take the new ones along.
  set_for_now KAMPONG_AUTH_ACCESS_LIFETIME 14400
  # Spots of the beginning are looked at until the end, which may be more than half an hour later.
  set_for_now KAMPONG_SPOTS_LIFETIME 240
  # Mails of what nobody has read come within seconds.
  set_for_now KAMPONG_NOTICES_MAIL_DELAY_SECONDS 5
  set_for_now KAMPONG_NOTICES_MAIL_AWAY_SECONDS 5
  # The people of a worker share spots in every file that it takes, and none of them goes.
  set_for_now KAMPONG_SPOTS_PERPERSON 1000
  # Pages are looked at while somebody thinks about an offer.
  set_for_now KAMPONG_DELIVERIES_OFFER 300
  set_for_now KAMPONG_DELIVERIES_REQUEST 300
  bring_up
  # Streets, houses and restaurants to be found, as the demo has them.
  run_places import - --name extract --source campus --format osm --if-changed <"$cache/data/extract.geojsonseq" >&2
  run_places streets - --source campus --if-changed <"$cache/data/extract.opl" >&2
  rm -rf "$home/failures"
  [ -z "${KAMPONG_TURN:-}" ] || printf 'pages loaded at the %s: the other turn loads them there, and this one only resizes them\n' \
    "$([ $((KAMPONG_TURN % 2)) = 0 ] && echo desktop || echo phone)" >>"$home/run/left-out"
  KAMPONG_URL=http://localhost:$(setting http.port) KAMPONG_MAILS=$home/mail KAMPONG_IDENTITY_FILE=$home/identity.json KAMPONG_PROVIDER_PYTHON=$provider \
    KAMPONG_FAILURES=$home/failures PYTHONDONTWRITEBYTECODE=1 \
    "$python" -m pytest -q -p no:cacheprovider --durations=25 --numprocesses 2 --dist loadfile --no-loadscope-reorder "$root/Tests/BrowserTests"
}

# Tokens live for half a minute, so that one that has expired can be shown to be refused.
section_hostile() {
  local python
  await counterparts
  python=$(test_python)
  lift_limits
  set_campuses
  set_setting KAMPONG_TEXT_FOLDER "$home/mail"
  # The server of the browsers that are told things there: nobody answers.
  set_setting KAMPONG_PUSH_PRIVATE_HOSTS 127.0.0.1:9
  set_for_now KAMPONG_AUTH_ACCESS_LIFETIME 30
  bring_up
  # To bring something from.
  run_places import - --name restaurants.csv --source hostile --licence CC0 --attribution "Tests/HostileTests" --if-changed \
    <"$root/Tests/HostileTests/restaurants.csv" >&2
  [ -z "${KAMPONG_TURN:-}" ] || printf 'hostile text in a field: each text in half of the fields, and each field with half of the texts\n' >>"$home/run/left-out"
  KAMPONG_URL=http://127.0.0.1:$(setting http.port) KAMPONG_HOME=$home PYTHONDONTWRITEBYTECODE=1 \
    "$python" -m pytest -q -p no:cacheprovider --durations=25 "$root/Tests/HostileTests"
}

# What people get: the optimised programs, started as a newcomer starts them.
section_release() {
  local url
  export KAMPONG_BUILD=release KAMPONG_HOME=$cache/release
  build=release
  build_package
  trap '"$root/deploy/up" --stop >/dev/null 2>&1' EXIT
  bring_up
  url=http://localhost:$(sed -n 's/^http.port=//p' "$KAMPONG_HOME/settings")
  curl -fsS -o /dev/null "$url/" && curl -fsS -o /dev/null "$url/parking" && [[ $(curl -fsS "$url/v1/about") == *'"community":'* ]]
}
