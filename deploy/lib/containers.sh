# The stack on containers, for deploy/test. Sourced after common.sh, home.sh, build.sh, tests.sh, gazetteer.sh and beside.sh.
# shellcheck shell=bash disable=SC2154

# Where none answers, KAMPONG_ENGINE names a folder that brings a Docker engine: `start`, to be sourced, and `stop`. A registry that is busy for a
# moment, or a daemon that is slow to come, is no fault of what is tested here.
need_engine() {
  local pause
  [ -n "${KAMPONG_ENGINE:-}" ] || return 0
  for pause in 5 20 60 0; do
    # shellcheck source=/dev/null
    . "$KAMPONG_ENGINE/start" && break
    "$KAMPONG_ENGINE/stop"
    unset DOCKER_HOST DOCKER_CONFIG
    sleep "$pause"
  done
  # The ports that its containers publish may be in a network of its own.
  ! declare -F in_engine >/dev/null || inside=(in_engine)
}

has_engine() { have docker && docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1; }

# What was built already goes into the images; deploy/compose/control makes containers of them, too.
export KAMPONG_BINARIES=prebuilt
compose() {
  docker compose --project-directory "$root" -f "$root/docker-compose.yml" -f "$root/deploy/compose/test.yml" "$@"
}

# Job: the engine; what is the same in every image, whatever was built; and the images, once the programs are there.
images() {
  await fetch
  need_engine
  has_engine || return 0
  warm_images
  until [ -e "$home/run/built" ]; do sleep 0.5; done
  rm -rf "$root/.build/image"
  "$root/deploy/lib/image.sh" programs "$root/.build/image"
  "$root/deploy/lib/image.sh" assets "$root/.build/image"
  few_towns
  install -m 0644 "$home/towns.json" "$root/.build/image/gazetteer/data/cities500.json"
  compose config -q
  compose build --quiet
}

# Packages of the distribution, and PostgreSQL.
warm_images() {
  local service
  rm -rf "$root/.build/image"
  compose pull --quiet --policy missing postgres
  for service in setup gazetteer "${services[@]}"; do
    # Its folder has to be there; it may be empty, and no image is made of it.
    mkdir -p "$root/.build/image/$service"
    docker buildx build --quiet --output type=cacheonly --build-arg SERVICE="$service" --build-arg BINARIES=prebuilt -f "$root/deploy/Dockerfile" "$root"
  done
}

section_compose() {
  need_engine
  if ! has_engine; then
    [ -z "${KAMPONG_REQUIRE_ENGINE:-}" ] || { say "No Docker engine with compose answers, and KAMPONG_REQUIRE_ENGINE demands one."; exit 1; }
    skip "no Docker engine with compose answers here"
  fi
  export COMPOSE_PROJECT_NAME=kampong-test-$$ KAMPONG_PORT=$((20000 + RANDOM % 12000))
  export KAMPONG_PUBLIC_URL=http://127.0.0.1:$KAMPONG_PORT
  trap 'compose down --volumes --timeout 2 >/dev/null 2>&1' EXIT
  step "   Waiting for the images"
  await images
  step "   Starting the containers"
  compose up -d --quiet-pull 2>&1 | grep -v -e Creat -e Start -e Wait -e Healthy -e Exited >&2 || true
  wait_for 240 "${inside[@]}" curl -fsS -m 2 "$KAMPONG_PUBLIC_URL/v1/about" || {
    compose ps -a
    compose logs --tail 20
    exit 1
  }
  step "   Asking who keeps order"
  { compose run --rm --no-deps database moderators list | grep -q 'Nobody keeps order' &&
    compose run --rm --no-deps database operators list | grep -q 'Nobody sees'; } || {
    compose logs --tail 20
    exit 1
  }
  step "   Running the stack's tests on them"
  KAMPONG_STACK_URL=$KAMPONG_PUBLIC_URL KAMPONG_STACK_CONTROL=$root/deploy/compose/control swift_test --filter '^StackTests\.' || {
    compose logs --tail 40
    exit 1
  }
}
