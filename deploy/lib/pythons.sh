# The environments of the tests that are written in Python. Sourced after common.sh and home.sh.
# shellcheck shell=bash disable=SC2154

# One for all tests. What only deploy/bench needs is not in it.
test_python() {
  local file files=()
  for file in "$root"/Tests/*/requirements.txt; do [[ $file == */Benchmarks/* ]] || files+=("$file"); done
  python_environment "$cache/venv" "${files[@]}"
}

provider_python() { python_environment "$cache/venv-provider" "$root/Tests/BrowserTests/provider/requirements.txt"; }

# The environment $1 with what the files after it name.
python_environment() {
  local environment=$1 wanted=("${@:2}") file options=()
  if [ "$(cat "${wanted[@]}")" != "$(cat "$environment/requirements.txt" 2>/dev/null)" ]; then
    for file in "${wanted[@]}"; do options+=(-r "$file"); done
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check "${options[@]}" >&2
    cat "${wanted[@]}" >"$environment/requirements.txt"
  fi
  printf '%s' "$environment/bin/python"
}
