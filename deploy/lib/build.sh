# Builds the package and puts what runs into $home/bin. Sourced after common.sh and home.sh.
# shellcheck shell=bash disable=SC2154

programs=("${services[@]}" kampong demo)
build=${KAMPONG_BUILD:-release}

# Release binaries carry Swift's runtime in them; debug ones share the flags with `swift test`, so that nothing is compiled twice.
# That nobody changes what another one is reading is checked while tests run, and not at each access in what is deployed. Nobody loads our programs
# as a library: the names of their functions, which a static Swift exports, are 4 MB of each. A debug build that nobody goes on with
# (KAMPONG_BUILD_ONCE) compiles whole modules, which is sooner done, and knows lines but no variables.
build_flags() {
  printf '%s\n' -c "$build" --explicit-target-dependency-import-check error
  if [ "$build" != debug ]; then
    printf '%s\n' --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked -Xlinker --no-export-dynamic
  elif [ -n "${KAMPONG_BUILD_ONCE:-}" ]; then
    printf -- '-Xswiftc\n%s\n' -whole-module-optimization -num-threads 2 -gline-tables-only
  fi
}

# Builds with further options of `swift build`. Its hundreds of lines go into a log; every half minute one says how far it is.
build_package() {
  local flags log=$home/log/build.log pid
  mapfile -t flags < <(build_flags)
  swift build --package-path "$root" "${flags[@]}" "$@" >"$log" 2>&1 &
  pid=$!
  # In the background it would outlive Control-C.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  show_progress "$pid" "$log" &
  if ! wait "$pid"; then
    grep -E 'error:' "$log" | sort -u | head -n 20 >&2 || tail -n 20 "$log" >&2
    fail "the build failed; all that the compiler said is in $log."
  fi
  trap - INT TERM
}

show_progress() {
  while sleep 30 && kill -0 "$1" 2>/dev/null; do
    say "        $(grep -oE '^\[[0-9]+/[0-9]+\]' "$2" | tail -n 1)"
  done
}

# The runtime libraries of Swift that a program is linked with, where it does not carry them in itself.
runtime_libraries() {
  ldd "$1" | awk '$3 ~ /\/lib(_?swift|_?Foundation|dispatch|BlocksRuntime|_?Testing)[^\/]*\.so/ { print $3 }'
}

# Copies a file where it differs, in one step: a running program keeps the old one until it is started again. Notes the change.
changed_programs=()
place() {
  local source=$1 target=$2/$3
  ! cmp -s "$source" "$target" || return 0
  install -m 0755 "$source" "$target.new"
  mv -f "$target.new" "$target"
  changed_programs+=("$3")
}

# Puts programs and all they need into the folder $1: executables, resources, and runtime libraries where they are needed.
install_programs() {
  local target=$1 from name library
  mkdir -p "$target"
  from=$(swift build --package-path "$root" -c "$build" --show-bin-path)
  for name in "${programs[@]}"; do
    place "$from/$name" "$target" "$name"
    while read -r library; do
      place "$library" "$target" "$(basename "$library")"
    done < <(runtime_libraries "$from/$name")
  done
  install_resources "$from" "$target"
}

install_resources() {
  local from=$1 target=$2 bundle name
  for bundle in "$from"/kampong_*Service.resources; do
    [ -d "$bundle" ] || continue
    name=$(basename "$bundle")
    ! diff -rq "$bundle" "$target/$name" >/dev/null 2>&1 || continue
    rm -rf "$target/$name.new" "$target/$name.old"
    cp -RL "$bundle" "$target/$name.new"
    chmod -R a+rX "$target/$name.new"
    [ ! -d "$target/$name" ] || mv "$target/$name" "$target/$name.old"
    mv "$target/$name.new" "$target/$name"
    rm -rf "$target/$name.old"
    changed_programs+=("$name")
  done
}
