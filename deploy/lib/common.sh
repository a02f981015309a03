# What every script of this folder starts from: where things are, how to speak, how to stop. Sourced, never run.
# shellcheck shell=bash disable=SC2034  # what is set here is used by those who source it

# The checkout, by its real path: two names of one folder must not become two stacks.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
# What is fetched or made once for the checkout, and what a stack of processes owns. The tests' stack lives in a home of its own.
cache=$root/.kampong
home=${KAMPONG_HOME:-$cache}
case $home in /*) ;; *) home=$root/$home ;; esac

# shellcheck source=deploy/lib/services.sh
. "$root/deploy/lib/services.sh"

say() { printf '%s\n' "$*" >&2; }
step() { printf '[%4d s] %s\n' "$SECONDS" "$*" >&2; }
# One sentence that says what is missing and what would help; 69 is sysexits' "something that is needed is not available".
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 69
}

have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }

# Runs a command as root: as ourselves, or through sudo.
as_root() {
  if is_root; then "$@"; elif have sudo; then sudo "$@"; else return 1; fi
}

# 24 random bytes as text that needs no quoting anywhere.
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

# Replaces a file in one step, so that a reader sees the old one or the new one: stdin to $1 with mode $2.
write_file() {
  local target=$1 mode=${2:-0644} temporary
  temporary=$(mktemp "$target.XXXXXX")
  cat >"$temporary"
  chmod "$mode" "$temporary"
  mv -f "$temporary" "$target"
}

# Waits until the command succeeds, for at most $1 seconds.
wait_for() {
  local limit=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$limit" ] || return 1
    sleep 0.2
  done
}

# Takes the lock $1 until the script ends: two that start one stack at once would make two of everything. Children don't inherit
# the descriptor (see `detached`), so that the lock does not outlive the script in a daemon.
take_lock() {
  exec 9>"$1"
  flock -n 9 || fail "another run is at work here (lock $1); wait until it is done."
}

# Closes what the shell was started with beside the standard three, and our lock: for children that live on, and must not hold open what
# somebody else waits for.
close_inherited() {
  local descriptor
  for descriptor in "/proc/$BASHPID/fd"/*; do
    descriptor=${descriptor##*/}
    [ "$descriptor" -le 2 ] || [ "$descriptor" = 255 ] || eval "exec $descriptor>&-"
  done
}
