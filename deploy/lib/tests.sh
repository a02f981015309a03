# What `deploy/test` and `deploy/ledger` share. Sourced after common.sh, home.sh, packages.sh, postgres.sh and build.sh.
# shellcheck shell=bash disable=SC2154

# What the tests and their stacks are given beside programs and a database.
fetch_files() {
  "$root/deploy/vendor"
  "$root/deploy/basemap"
  "$root/deploy/gazetteer"
}

# Extensions beforehand, because two tests that make one at the same moment disturb each other.
make_test_database() {
  pg_start
  pg_make_database kampong_test
  pg_psql kampong_test -f "$root/deploy/postgres/database.sql" >/dev/null
  KAMPONG_TEST_DATABASE_URL=$(pg_url postgres "$(setting postgres.password)" kampong_test)
  export KAMPONG_TEST_DATABASE_URL
}

# The database of the tests, what the gateway serves, and the tests themselves, built.
prepare_tests() {
  fetch_files
  make_test_database
  step "Building with the tests"
  build_package --build-tests
}

# Runs tests and shows what failed; all the rest is in the log. Where a filter finds nothing, that is a failure. The program is what `swift test`
# starts, which would read the package's description anew each time: five seconds for each of two dozen modules.
inside=()
# All at once, hundreds of tests with a database each wait for one another; a few keep the processors just as busy.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8
swift_test() {
  local log=$home/log/swift-test.log status=0
  NO_COLOR=1 "${inside[@]}" "$(products)/kampongPackageTests.xctest" --testing-library swift-testing "$@" >"$log" 2>&1 || status=$?
  grep -E '^(✘|↳|ledger: )|^. Test run with|rror: ' "$log" >&2 || true
  # What takes turns, and had none, and what cannot be shown here: the summary says it.
  sed -nE 's/^[^ ]+ Test (.*) skipped: "(its turn is|it runs on processes|the engine cannot)(.*)"$/\2\3: \1/p' "$log" >>"$home/run/left-out"
  cat "$log" >>"$home/log/swift-tests.log"
  if [ "$status" != 0 ]; then
    tail -n 5 "$log" >&2
    cp "$log" "$log.failed"
  fi
  grep -qE 'Test run with [1-9][0-9]* test' "$log" || { say "No test was found for: $*"; return 1; }
  return "$status"
}
