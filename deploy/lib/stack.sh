# The processes of a stack on one machine: who is told what, and `kampong supervise`, which keeps them running.
# Sourced after common.sh, home.sh and postgres.sh.
# shellcheck shell=bash disable=SC2154

# What an operator may set. Said once in the environment, it is remembered in .kampong/settings; any other KAMPONG_… line that is
# written there by hand reaches the services too.
community_settings=(
  "KAMPONG_COMMUNITY_NAME=Kampong"
  "KAMPONG_COMMUNITY_CURRENCY=EUR"
  "KAMPONG_COMMUNITY_CENTER=60.1709,24.9440"
  "KAMPONG_COMMUNITY_REGIONS=Kluuvi,Kamppi,Kaartinkaupunki,Kruununhaka,Siltasaari,Punavuori"
  "KAMPONG_COMMUNITY_CAMPUSES="
  "KAMPONG_COMMUNITY_CAMPUSES_APART="
  "KAMPONG_CARS_PLATES=none"
  "KAMPONG_SPOTS_LIFETIME=30"
  "KAMPONG_RIDES_SEATS=8"
  "KAMPONG_RIDES_COST_PERKM=0"
  "KAMPONG_DELIVERIES_FEE=10000"
  "KAMPONG_DELIVERIES_LIMIT=50000"
  "KAMPONG_CHAT_KEEP_DAYS=365"
  "KAMPONG_COMMUNITY_TIMEZONE=Europe/Helsinki"
  "KAMPONG_NOTICES_KEEP_DAYS=90"
  "KAMPONG_HOST=127.0.0.1"
  "KAMPONG_PUBLIC_URL="
  "KAMPONG_TRUSTED_PROXIES="
  "KAMPONG_MAIL_FROM="
  "KAMPONG_MAIL_SMTP_URL="
  "KAMPONG_MAIL_SMTP_USER="
  "KAMPONG_MAIL_SMTP_PASSWORDFILE="
  "KAMPONG_MAIL_SMTP_TLS="
  "KAMPONG_MAIL_SMTP_CERTIFICATES="
  "KAMPONG_TEXT_GATEWAY="
  "KAMPONG_TEXT_SECRETFILE="
  "KAMPONG_TEXT_CERTIFICATES="
  "KAMPONG_PUSH_CONTACT="
  "KAMPONG_PUSH_APNS_KEYFILE="
  "KAMPONG_PUSH_APNS_KEYID="
  "KAMPONG_PUSH_APNS_TEAM="
  "KAMPONG_PUSH_APNS_TOPIC="
  "KAMPONG_PUSH_APNS_URL="
  "KAMPONG_PUSH_FCM_ACCOUNTFILE="
  "KAMPONG_IDENTITY_FILE="
  "KAMPONG_PASSKEYS_ORIGINS="
  "KAMPONG_MAP_TILES_URL="
  "KAMPONG_MAP_TILES_ATTRIBUTION="
  "KAMPONG_MAP_TILES_LINK="
  "KAMPONG_MAP_TILES_MAXZOOM="
  "KAMPONG_LOG_LEVEL=info"
)

remember_settings() {
  local entry name
  for entry in "${community_settings[@]}"; do
    name=${entry%%=*}
    if [ -n "${!name:-}" ]; then
      set_setting "$name" "${!name}"
    elif [ -z "$(setting "$name")" ] && [ -n "${entry#*=}" ]; then
      set_setting "$name" "${entry#*=}"
    fi
  done
}

public_url() {
  local url
  url=$(setting KAMPONG_PUBLIC_URL)
  printf '%s' "${url:-http://localhost:$(setting http.port)}"
}

# Ports of the inside, chosen while the stack is down.
choose_ports() {
  local service
  for service in "${services[@]}"; do own_port "$service.health.port" >/dev/null; done
  for service in "${stateful_services[@]}"; do
    own_port "$service.requests.port" >/dev/null
    own_port "$service.events.port" >/dev/null
  done
}

endpoint() { printf 'tcp://127.0.0.1:%s' "$(setting "$1.port")"; }
health_url() { printf 'http://127.0.0.1:%s/health/%s' "$(setting "$1.health.port")" "$2"; }

# What each process is told, as NAME=value lines.
environment_of() {
  local service=$1 peer
  printf '%s\n' "KAMPONG_LOG_FORMAT=json" "KAMPONG_HEALTH_PORT=$(setting "$service.health.port")" \
    "KAMPONG_BUS_SECRETKEY=$home/keys/secret/$service.key" "KAMPONG_BUS_PUBLICKEYS=$home/keys/public"
  for peer in "${stateful_services[@]}"; do
    printf '%s\n' "KAMPONG_PEERS_${peer^^}_REQUESTS=$(endpoint "$peer.requests")" "KAMPONG_PEERS_${peer^^}_EVENTS=$(endpoint "$peer.events")"
  done
  # The settings of the community go to every service; each reads those that concern it.
  grep '^KAMPONG_.*=.' "$(settings)" || true
  demo_texts
  if declare -F "environment_of_$service" >/dev/null; then "environment_of_$service"; else environment_of_stateful "$service"; fi
}

# The demo shows what texts are for, and sends none: they become files beside the mails.
demo_texts() {
  [ "$(setting demo)" = on ] && [ -z "$(setting KAMPONG_TEXT_GATEWAY)$(setting KAMPONG_TEXT_FOLDER)" ] || return 0
  printf 'KAMPONG_TEXT_FOLDER=%s\n' "$home/mail"
}

environment_of_stateful() {
  printf '%s\n' "KAMPONG_BUS_REQUESTS=$(endpoint "$1.requests")" "KAMPONG_BUS_EVENTS=$(endpoint "$1.events")" \
    "KAMPONG_DATABASE_URL=$(pg_own_url "$1" "$(setting "$1.password")")"
}
# Auth keeps its own secrets (digest and signing keys) in a file that it makes for itself.
environment_of_auth() {
  environment_of_stateful auth
  printf '%s\n' "KAMPONG_AUTH_SECRETS=$home/keys/auth.secrets" "KAMPONG_PUBLIC_URL=$(public_url)" "KAMPONG_AUTH_PASSWORDS=$cache/data/common-passwords.py"
}
environment_of_notification() {
  environment_of_stateful notification
  printf '%s\n' "KAMPONG_PUBLIC_URL=$(public_url)" "KAMPONG_MAIL_FOLDER=$home/mail"
}

environment_of_places() {
  environment_of_stateful places
  printf '%s\n' "KAMPONG_STREETS_DIRECTORY=$home/streets"
}

environment_of_gateway() {
  printf '%s\n' "KAMPONG_HTTP_HOST=$(setting KAMPONG_HOST)" "KAMPONG_HTTP_PORT=$(setting http.port)" "KAMPONG_PUBLIC_URL=$(public_url)" \
    "KAMPONG_PHOTOS_DIRECTORY=$home/photos" "KAMPONG_MAP_DIRECTORY=$cache/map" "KAMPONG_MAP_IMPORTED=$home/maps" "KAMPONG_VENDOR_DIRECTORY=$cache/vendor"
}

environment_of_demo() {
  printf '%s\n' "KAMPONG_DEMO_SECRET=$(setting_or demo.secret secret)"
}

json_text() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# NAME=value lines as a JSON object.
json_object() {
  local line separator=''
  printf '{'
  while IFS= read -r line; do
    printf '%s%s: %s' "$separator" "$(json_text "${line%%=*}")" "$(json_text "${line#*=}")"
    separator=', '
  done
  printf '}'
}

supervised_service() {
  local service=$1
  printf '  {"name": "%s", "executable": %s, "directory": %s, "logFile": %s, "readiness": "%s", "liveness": "%s", "environment": %s}' \
    "$service" "$(json_text "$home/bin/$service")" "$(json_text "$home")" "$(json_text "$home/log/$service.log")" \
    "$(health_url "$service" ready)" "$(health_url "$service" live)" "$(environment_of "$service" | json_object)"
}

# SIGTERM lets PostgreSQL wait for its clients to leave, which the services do at the same time.
supervised_postgres() {
  printf '  {"name": "postgres", "executable": %s, "arguments": ["-D", %s], "directory": %s, "logFile": %s}' \
    "$(json_text "$(pg_bin)/postgres")" "$(json_text "$home/postgres/data")" "$(json_text "$home/postgres")" "$(json_text "$home/log/postgres.log")"
}

supervised_demo() {
  printf '  {"name": "demo", "executable": %s, "arguments": ["--url", "http://127.0.0.1:%s", "--pictures", %s, "--places", %s], "directory": %s, "logFile": %s, "environment": %s}' \
    "$(json_text "$home/bin/demo")" "$(setting http.port)" "$(json_text "$cache/demo")" "$(json_text "$cache/data/parking.json")" \
    "$(json_text "$home")" "$(json_text "$home/log/demo.log")" "$(environment_of_demo | json_object)"
}

# The list that `kampong supervise` reads.
supervision_file() {
  local service
  printf '[\n' && supervised_postgres
  for service in "${services[@]}"; do printf ',\n' && supervised_service "$service"; done
  [ "$(setting demo)" != on ] || { printf ',\n' && supervised_demo; }
  printf '\n]\n'
}

supervisor_pid() { cat "$home/run/supervisor.pid" 2>/dev/null || true; }

# Whether our supervisor runs. An id alone may have been given to another process since: its command line names our folder.
stack_is_up() {
  local pid
  pid=$(supervisor_pid)
  [ -n "$pid" ] && [ -r "/proc/$pid/cmdline" ] && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF -- "$home/run/stack.json"
}

# Brings all tables up to date, each service's as their owner; with a million rows a new index may take a minute or two. Called with PostgreSQL up
# and the services down.
migrate_tables() {
  local service url community=()
  mapfile -t community < <(grep '^KAMPONG_.*=.' "$(settings)" || true)
  for service in "${stateful_services[@]}"; do
    url=$(pg_owner_url "$service") || return
    # The log is the service's, and so it is opened with the stack's own rights.
    # shellcheck disable=SC2016  # expanded by the inner shell
    unprivileged env "${community[@]}" KAMPONG_LOG_FORMAT=json "KAMPONG_DATABASE_URL=$url" \
      sh -c 'log=$1 && shift && exec "$@" >>"$log" 2>&1' sh "$home/log/$service.log" "$home/bin/$service" migrate || {
      tail -n 5 "$home/log/$service.log" >&2
      fail "the tables of $service could not be brought up to date; its log is $home/log/$service.log."
    }
  done
}

make_keys() { unprivileged "$home/bin/kampong" keys --directory "$home/keys" >/dev/null || fail "the keys of the bus could not be made in $home/keys."; }

stack_start() {
  detached "$home/log/supervisor.log" sh -c 'echo $$ >"$1" && shift && exec "$@"' sh "$home/run/supervisor.pid" \
    "$home/bin/kampong" supervise "$home/run/stack.json" --state "$home/run/state.json"
  wait_for 10 stack_is_up || fail "the supervisor does not start; see $home/log/supervisor.log."
}

# shellcheck disable=SC2016  # expanded by the inner shell
unprivileged_kill() { unprivileged sh -c 'kill -s "$1" "$2"' sh "$1" "$2" 2>/dev/null || true; }
process_is_gone() { [ ! -e "/proc/$1" ]; }

stack_stop() {
  stack_is_up || return 0
  local pid
  pid=$(supervisor_pid)
  # With the stack's own rights, so that a forged id can end nothing else.
  unprivileged_kill TERM "$pid"
  wait_for 20 process_is_gone "$pid" || unprivileged_kill KILL "$pid"
  rm -f "$home/run/supervisor.pid"
}

is_ready() { curl -fsS -m 2 -o /dev/null "$(health_url "$1" ready)" 2>/dev/null; }
is_ready_or_hopeless() { is_ready "$1" || ! stack_is_up; }

await_readiness() {
  local service log
  for service in "${services[@]}"; do
    wait_for "$1" is_ready_or_hopeless "$service" || true
    ! is_ready "$service" || continue
    log=$home/log/$service.log
    stack_is_up || log=$home/log/supervisor.log
    tail -n 5 "$log" >&2 2>/dev/null || true
    stack_is_up || fail "the supervisor ended; its log is $log."
    fail "$service is not ready after $1 seconds; its log is $log."
  done
}

show_status() {
  local service
  stack_is_up || { say "Kampong is not running here."; return 1; }
  for service in "${services[@]}"; do
    printf '%-10s %s\n' "$service" "$(is_ready "$service" && echo ready || echo "not ready, see $home/log/$service.log")"
  done
  printf '%-10s %s\n' postgres "$(pg_is_up && echo ready || echo down)" address "$(public_url)"
}
