#!/usr/bin/env bash
# Stages what the containers hold, one folder per SERVICE of the Dockerfile:
#   image.sh programs FOLDER    executables (of KAMPONG_BUILD), resources, and runtime libraries where they are linked with them
#   image.sh assets FOLDER      the map and the third-party files, for the gateway; the places that are there from the beginning
set -euo pipefail
lib=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=deploy/lib/common.sh
. "$lib/common.sh"
# shellcheck source=deploy/lib/build.sh
. "$lib/build.sh"

# Without debug information: it is four fifths of a debug binary, and nobody looks at it in a container.
stage_program() {
  local program=$1 folder=$2/$3 from=$4 library
  install -d -m 0755 "$folder"
  strip --strip-debug -o "$folder/$program" "$from/$program"
  while read -r library; do install -m 0644 "$library" "$folder/"; done < <(runtime_libraries "$from/$program")
  chmod 0755 "$folder/$program"
}

stage_programs() {
  local folder=$1 from service
  from=$(products)
  for service in "${services[@]}"; do stage_program "$service" "$folder" "$service" "$from"; done
  for service in gateway notification; do install_resources "$from" "$folder/$service"; done
  stage_program places "$folder" gazetteer "$from"
  install -m 0755 "$root/deploy/compose/gazetteer" "$folder/gazetteer/gazetteer"
  stage_program kampong "$folder" setup "$from"
  install -m 0755 "$root/deploy/compose/setup" "$folder/setup/setup"
  install -m 0644 "$root/deploy/lib/services.sh" "$folder/setup/"
  install -m 0644 "$root"/deploy/postgres/*.sql "$folder/setup/"
}

stage_assets() {
  install -d -m 0755 "$1/auth" "$1/gateway" "$1/gazetteer/data"
  cp -R "$cache/map" "$cache/vendor" "$1/gateway/"
  chmod -R a+rX "$1/gateway"
  install -m 0644 "$cache/data/common-passwords.py" "$1/auth/"
  install -m 0644 "$cache"/data/{regions.tsv,countries.geojson,cities500.json,extract.geojsonseq,extract.opl} "$1/gazetteer/data/"
}

mkdir -p "$2"
case $1 in
  programs) stage_programs "$2" ;;
  assets) stage_assets "$2" ;;
  *) fail "image.sh: programs or assets?" ;;
esac
