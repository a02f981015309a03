# The folder .kampong: whose it is, where it is, and what is remembered in it. Sourced after common.sh.
# shellcheck shell=bash

# PostgreSQL refuses to run as root, and no service needs to. Started by root, everything runs as this user of the system.
service_user=kampong

# Runs a command with the rights that a stack has, and with nothing of our environment but what it needs.
unprivileged() {
  local clean=(env -i "PATH=$PATH" "HOME=$home" "LANG=C.UTF-8" "TZ=${TZ:-UTC}")
  if is_root; then
    setpriv --reuid="$service_user" --regid="$service_user" --init-groups --inh-caps=-all "${clean[@]}" "$@"
  else
    "${clean[@]}" "$@"
  fi
}

# Starts a command that lives on after us, in a session of its own, writing to the log $1. The log is opened with the stack's own
# rights, and our lock and outputs are not handed down.
detached() {
  local log=$1
  shift
  # shellcheck disable=SC2016  # expanded by the inner shell
  (cd "$home" && close_inherited && unprivileged setsid --fork sh -c 'log=$1 && shift && exec "$@" >>"$log" 2>&1' sh "$log" "$@" \
    </dev/null >/dev/null 2>&1)
}

make_user() {
  is_root || return 0
  id "$service_user" >/dev/null 2>&1 && return 0
  useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$service_user" ||
    fail "the system user $service_user cannot be made."
}

# Where the service user may not enter the checkout (one under /root, say), .kampong becomes a link to a place where it may.
make_reachable() {
  if ! is_root || setpriv --reuid="$service_user" --regid="$service_user" --clear-groups test -x "$root"; then
    install -d -m 0700 "$cache"
    return
  fi
  [ ! -L "$cache" ] || return 0
  local name place
  name=$(basename "$root")-$(printf '%s' "$root" | sha256sum | cut -c 1-8)
  place=/var/lib/kampong/$name
  install -d -m 0755 /var/lib/kampong
  install -d -m 0700 "$place"
  if [ -d "$cache" ]; then
    cp -a "$cache/." "$place/"
    rm -rf "$cache"
  fi
  ln -s "$place" "$cache"
  say "        .kampong is kept in $place, because the user $service_user cannot enter $root"
}

make_home() {
  make_user
  make_reachable
  # By its real path: PostgreSQL and the supervisor are found again by it.
  install -d -m 0700 "$home"
  home=$(cd "$home" && pwd -P)
  install -d -m 0700 "$home/run" "$home/log" "$home/photos" "$home/mail" "$home/streets"
  install -d -m 0755 "$home/bin" "$home/maps"
  if is_root; then
    chown "$service_user:$service_user" "$cache/" "$home" "$home/run" "$home/log" "$home/photos" "$home/mail" "$home/streets"
  fi
}

# Settings: `key=value` lines in .kampong/settings, read as text and never run. What is set once is kept between runs.
settings() { printf '%s' "$home/settings"; }

setting() {
  [ ! -f "$(settings)" ] || sed -n "s/^$1=//p" "$(settings)" | head -n 1
}

set_setting() {
  local file
  file=$(settings)
  { [ ! -f "$file" ] || grep -v "^$1=" "$file" || true; printf '%s=%s\n' "$1" "$2"; } | sort | write_file "$file" 0600
}

unset_setting() {
  local file
  file=$(settings)
  { grep -v "^$1=" "$file" || true; } | write_file "$file" 0600
}

# The setting $1; on first use, what the command after it prints.
setting_or() {
  local key=$1 value
  shift
  value=$(setting "$key")
  if [ -z "$value" ]; then
    value=$("$@")
    set_setting "$key" "$value"
  fi
  printf '%s' "$value"
}

port_is_free() {
  python3 - "$1" <<'PYTHON'
import socket, sys
with socket.socket() as probe:
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind(("127.0.0.1", int(sys.argv[1])))
    except OSError:
        sys.exit(1)
PYTHON
}

# A free port below the range that the kernel gives to outgoing connections.
free_port() {
  local port
  for _ in $(seq 100); do
    port=$((20000 + RANDOM % 12000))
    if port_is_free "$port"; then
      printf '%s' "$port"
      return
    fi
  done
  fail "no free port was found between 20000 and 32000."
}

# The remembered port under the key $1; another one where something else has taken it meanwhile. Call it only while ours is down.
own_port() {
  local port
  port=$(setting_or "$1" free_port)
  if ! port_is_free "$port"; then
    port=$(free_port)
    set_setting "$1" "$port"
  fi
  printf '%s' "$port"
}
