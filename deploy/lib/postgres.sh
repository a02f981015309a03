# A private PostgreSQL cluster under $home/postgres. Sourced after common.sh and home.sh.
# shellcheck shell=bash disable=SC2154

database=kampong

# The folder with PostgreSQL's programs: of the version that made the cluster, or of the newest that is installed.
pg_bin() {
  local version=
  [ ! -f "$home/postgres/data/PG_VERSION" ] || version=$(cat "$home/postgres/data/PG_VERSION")
  local found
  found=$(printf '%s\n' /usr/lib/postgresql/${version:-*}/bin | sort -V | tail -n 1)
  [ -x "$found/postgres" ] || fail "PostgreSQL ${version} is not installed; the data in $home/postgres needs it."
  printf '%s' "$found"
}

pg_is_up() { unprivileged "$(pg_bin)/pg_ctl" -D "$home/postgres/data" status >/dev/null 2>&1; }

# A unix socket's path may have 107 bytes at most; a checkout may lie deeper than that.
pg_socket_folder() {
  local folder=$home/postgres/run
  [ "${#folder}" -le 80 ] || folder=
  printf '%s' "$folder"
}

pg_initialise() {
  local folder=$home/postgres
  [ ! -s "$folder/data/PG_VERSION" ] || return 0
  step "Making a private PostgreSQL cluster"
  install -d -m 0700 "$folder" "$folder/run"
  ! is_root || chown "$service_user:$service_user" "$folder" "$folder/run"
  unprivileged sh -c 'rm -rf "$1/data" && umask 077 && cat >"$1/password" && "$2/initdb" -D "$1/data" --username=postgres \
    --pwfile="$1/password" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --data-checksums >"$1/initdb.log" && rm -f "$1/password"' \
    sh "$folder" "$(pg_bin)" <<<"$(setting_or postgres.password secret)" ||
    fail "PostgreSQL could not make its cluster; see $folder/initdb.log."
}

# In megabytes, what PostgreSQL keeps of its tables by itself: a quarter of the memory, as its manual advises (of the control group, where that has
# less). It takes only as much as it comes to use.
pg_buffers() {
  local kilobytes limit quarter
  kilobytes=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  [ "$limit" = max ] || [ $((limit / 1024)) -gt "$kilobytes" ] || kilobytes=$((limit / 1024))
  quarter=$((kilobytes / 4096))
  printf '%s' $((quarter < 128 ? 128 : quarter > 8192 ? 8192 : quarter))
}

# Before version 15 there is only one that takes longer than it spares.
pg_log_compression() { [ "$(cat "$home/postgres/data/PG_VERSION")" -lt 15 ] || printf 'wal_compression = lz4'; }

pg_configure() {
  unprivileged tee "$home/postgres/data/postgresql.auto.conf" >/dev/null <<CONF
# Written by deploy/up at every start.
listen_addresses = '127.0.0.1'
port = $(own_port postgres.port)
unix_socket_directories = '$(pg_socket_folder)'
unix_socket_permissions = 0700
max_connections = ${KAMPONG_POSTGRES_CONNECTIONS:-100}
fsync = ${KAMPONG_POSTGRES_FSYNC:-on}
password_encryption = 'scram-sha-256'
shared_buffers = '${KAMPONG_POSTGRES_BUFFERS:-$(pg_buffers)MB}'
# After each checkpoint the whole of each page that changes goes into the log, and ids come at random: a rental changes a dozen pages.
max_wal_size = '4GB'
$(pg_log_compression)
timezone = 'UTC'
log_timezone = 'UTC'
CONF
}

pg_start() {
  ! pg_is_up || return 0
  pg_initialise
  pg_configure
  # pg_ctl's child lives on.
  (close_inherited && unprivileged "$(pg_bin)/pg_ctl" -D "$home/postgres/data" -l "$home/log/postgres.log" -w -t 60 -s start </dev/null >/dev/null 2>&1) ||
    fail "PostgreSQL does not start; see $home/log/postgres.log."
}

pg_stop() {
  [ -s "$home/postgres/data/PG_VERSION" ] && pg_is_up || return 0
  unprivileged "$(pg_bin)/pg_ctl" -D "$home/postgres/data" -m fast -w -s stop || say "PostgreSQL did not stop; see $home/log/postgres.log."
}

pg_url() {
  local role=$1 password=$2 name=${3:-$database}
  printf 'postgres://%s:%s@127.0.0.1:%s/%s' "$role" "$password" "$(setting postgres.port)" "$name"
}

# The same by the socket, which costs both sides less than TCP; for those who run as the same user.
pg_own_url() {
  local role=$1 password=$2 folder
  folder=$(pg_socket_folder)
  if [ -z "$folder" ]; then
    pg_url "$role" "$password"
    return
  fi
  folder=${folder//'%'/%25} folder=${folder//'&'/%26} folder=${folder//' '/%20} folder=${folder//'#'/%23} folder=${folder//'+'/%2B}
  printf 'postgres://%s:%s@/%s?host=%s&port=%s' "$role" "$password" "$database" "$folder" "$(setting postgres.port)"
}

# For the owner of a service's tables, which no process of the stack is.
pg_owner_url() {
  local password
  password=$(setting "$1.owner.password")
  [ -n "$password" ] || fail "the tables of $1 have no owner yet: deploy/up brings them up to date."
  pg_own_url "$1_owner" "$password"
}

# psql as the superuser in the database $1; the password goes through the environment, where `ps` does not show it.
pg_psql() {
  local name=$1
  shift
  PGPASSWORD=$(setting postgres.password) psql -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$(setting postgres.port)" -U postgres -d "$name" "$@"
}

pg_make_database() {
  [ "$(pg_psql postgres -At -c "SELECT 1 FROM pg_database WHERE datname = '$1'")" = 1 ] || pg_psql postgres -c "CREATE DATABASE $1"
}

pg_provision() {
  pg_make_database "$database"
  pg_psql "$database" -f "$root/deploy/postgres/database.sql" >/dev/null
  local service
  for service in "${stateful_services[@]}"; do
    SERVICE=$service SERVICE_PASSWORD=$(setting_or "$service.password" secret) OWNER_PASSWORD=$(setting_or "$service.owner.password" secret) \
      pg_psql "$database" -f "$root/deploy/postgres/service.sql" >/dev/null
  done
}
