# Builds the package and puts what runs into $home/bin. Sourced after common.sh and home.sh.
# shellcheck shell=bash disable=SC2154

programs=("${services[@]}" kampong demo)
build=${KAMPONG_BUILD:-release}
# Where the package is, which is the checkout or a copy of it (`keep_build`), and where it is built.
package=${KAMPONG_PACKAGE:-$root}
scratch=${KAMPONG_SCRATCH:-$package/.build}

# The folder that the build puts programs and resources into.
products() { printf '%s/%s' "$scratch" "$build"; }

# Release binaries carry Swift's runtime in them; debug ones share the flags with `swift test`, so that nothing is compiled twice.
# That nobody changes what another one is reading is checked while tests run, and not at each access in what is deployed. Nobody loads our programs
# as a library: the names of their functions, which a static Swift exports, are 4 MB of each. A debug build that nobody goes on with
# (KAMPONG_BUILD_ONCE) compiles whole modules, which is sooner done, and knows neither lines nor variables, which take long to write and to link.
build_flags() {
  printf '%s\n' -c "$build" --explicit-target-dependency-import-check error
  if [ "$build" != debug ]; then
    printf '%s\n' --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked -Xlinker --no-export-dynamic
  elif [ -n "${KAMPONG_BUILD_ONCE:-}" ]; then
    printf -- '-Xswiftc\n%s\n' -whole-module-optimization -num-threads 2 -gnone -use-ld=lld
  fi
}

# Builds with further options of `swift build`. What was kept and does not build is built from nothing, before the sources are blamed.
build_package() {
  local log=$home/log/build.log
  if ! run_build "$log" "$@" && ! { is_kept && say "        what was kept does not build; once more, from nothing" && rm -rf "$scratch" && run_build "$log" "$@"; }; then
    grep -E 'error:' "$log" | sort -u | head -n 20 >&2 || tail -n 20 "$log" >&2
    fail "the build failed; all that the compiler said is in $log."
  fi
}

# Hundreds of lines go into the log $1; every half minute one says how far it is.
run_build() {
  local flags log=$1 pid status=0
  shift
  mapfile -t flags < <(build_flags)
  swift build --package-path "$package" --scratch-path "$scratch" "${flags[@]}" "$@" >"$log" 2>&1 &
  pid=$!
  # In the background it would outlive Control-C.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  show_progress "$pid" "$log" &
  wait "$pid" || status=$?
  trap - INT TERM
  return "$status"
}

show_progress() {
  while sleep 30 && kill -0 "$1" 2>/dev/null; do
    say "        $(grep -oE '^\[[0-9]+/[0-9]+\]' "$2" | tail -n 1)"
  done
}

is_kept() { [ "$package" != "$root" ]; }

# From now on the package is built in a folder below $1, which outlives the checkout: a clone compiles only what differs from the one before, and
# nothing of the third-party code, two fifths of it all. The folder is ours alone until we end; whoever comes meanwhile builds in the checkout.
keep_build() {
  local folder
  folder=$1/$(build_key)
  git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || return 0
  mkdir -p "$folder"
  exec 8>"$1/lock"
  if ! flock -n 8; then
    say "        another run builds in $1; this one builds in the checkout, from nothing."
    return 0
  fi
  # Those of other toolchains and other manifests.
  find "$1" -mindepth 1 -maxdepth 1 ! -path "$folder*" ! -name lock -exec rm -rf {} +
  copy_sources "$folder"
  # Versions are chosen as in a new clone, and what a bundle holds is copied anew: the build system may not see that a file in a folder changed.
  rm -rf "$folder/Package.resolved" "$folder/.build/$build"/*.resources
  package=$folder scratch=$folder/.build
  export KAMPONG_PACKAGE=$package KAMPONG_SCRATCH=$scratch
}

build_key() { { swift --version 2>&1 && cat "$root/Package.swift" && build_flags; } | sha256sum | cut -c 1-16; }

# Makes the folder $1 hold the checkout's files, as they are now, and no others. Git keeps its own list of what is there: what is the same is not
# written, and so is not compiled.
copy_sources() {
  local repository index tree
  repository=$(git -C "$root" rev-parse --absolute-git-dir)
  index=$(mktemp -u)
  (cd "$root" && GIT_INDEX_FILE=$index git add --all .)
  tree=$(cd "$root" && GIT_INDEX_FILE=$index git write-tree)
  rm -f "$index"
  (
    cd "$1"
    export GIT_DIR=$repository GIT_WORK_TREE=$1 GIT_INDEX_FILE=$1.sources
    git read-tree --reset -u "$tree"
    git checkout-index --all --force --quiet
  )
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
  from=$(products)
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
  for bundle in "$from"/kampong_{*Service,Sentences}.resources; do
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
