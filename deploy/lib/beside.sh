# Work that goes on beside something else, because it waits for the network more than for a processor. Sourced after common.sh and home.sh.
# shellcheck shell=bash disable=SC2154

begun=()

# Starts the function $1 beside us; what it says goes into a log of its name.
begin() {
  local name=$1
  rm -f "$home/run/$name.done"
  (
    close_inherited
    set -e
    "$name"
    : >"$home/run/$name.done"
  ) >"$home/log/$name.log" 2>&1 &
  printf '%s' "$!" >"$home/run/$name.pid"
  begun+=("$name")
}

# Waits until it is done; false, with its last words, where it failed. Also from what was begun itself.
await() {
  while [ ! -e "$home/run/$1.done" ]; do
    if ! kill -0 "$(cat "$home/run/$1.pid")" 2>/dev/null; then
      [ ! -e "$home/run/$1.done" ] || break
      tail -n 5 "$home/log/$1.log" >&2
      say "        $1 failed; all that it said is in $home/log/$1.log."
      return 1
    fi
    sleep 0.2
  done
}

# What is still under way takes no further step.
end_begun() {
  local name
  for name in "${begun[@]}"; do [ -e "$home/run/$name.done" ] || kill "$(cat "$home/run/$name.pid")" 2>/dev/null || true; done
}
