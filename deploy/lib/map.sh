# Maps from extracts of OpenStreetMap: drawn as squares that browsers fetch where they look. Sourced after common.sh; the operator's own maps need
# home.sh too.
# shellcheck shell=bash disable=SC2154

map_tools=$root/deploy/map
# Debian's, which the package python3-shapely belongs to, whatever other Python is first on the path.
map_python=/usr/bin/python3

need_map_tools() {
  have osmium || fail "osmium is missing (package osmium-tool); deploy/up installs it."
  "$map_python" -c 'import shapely' 2>/dev/null || fail "Shapely is missing (package python3-shapely); deploy/up installs it."
}

# What an extract holds, as features, one a line; with the shores that its edge cuts off.
map_features() {
  osmium export --no-progress -c "$map_tools/export.json" -f geojsonseq -x print_record_separator=false \
    --geometry-types=point,linestring,polygon "$1" -o - &&
    osmium add-locations-to-ways --no-progress --ignore-missing-nodes "$1" -f opl -o - | python3 "$map_tools/shore.py" "$(map_box "$1")"
}

map_box() {
  local box
  box=$(osmium fileinfo -g header.boxes "$1" | head -n 1)
  [ -n "$box" ] || box=$(osmium fileinfo -e -g data.bbox "$1")
  tr -d '()\n' <<<"$box"
}

# Made from this file by these programs: another extract or a better program makes it anew.
map_stamp() { cat "$1" "$map_tools"/{cut,kinds,labels,levels,shore,tiles}.py "$map_tools/export.json" | sha256sum | cut -d ' ' -f 1; }

# A folder's name for a source, whatever the source is called.
map_name() { printf '%s' "$1" | sha256sum | cut -c 1-16; }

# Draws the extract $1 as the map of the source $2 into the folder of maps $3. It appears there as a whole, in place of the former one; where
# something goes wrong the former one stays. Does nothing where that is of the same extract.
draw_map() {
  local extract=$1 source=$2 maps=$3 name stamp drawn old
  name=$(map_name "$source")
  stamp=$(map_stamp "$extract")
  drawn=$maps/$name-${stamp:0:16}
  [ ! -e "$drawn" ] || return 0
  mkdir -p "$maps" || return
  # What was interrupted left it there; what is being drawn at this moment is younger.
  find "$maps" -maxdepth 1 -name '.new.*' -mmin +1440 -exec rm -rf {} +
  draw_whole_map "$extract" "$source" "$maps" "$drawn" || return
  for old in "$maps/$name"-*; do [ "$old" = "$drawn" ] || rm -rf "$old"; done
}

# Each step by itself: whoever asks whether this worked has switched `set -e` off.
draw_whole_map() {
  local extract=$1 source=$2 maps=$3 drawn=$4 new
  new=$(mktemp -d "$maps/.new.XXXXXX") || return
  if (set -o pipefail && map_features "$extract" | PYTHONDONTWRITEBYTECODE=1 "$map_python" "$map_tools/tiles.py" "$new" --source "$source") >/dev/null &&
    chmod -R a+rX "$new" && mv -T "$new" "$drawn"; then return 0; fi
  rm -rf "$new"
  return 1
}

# Takes the map of the source $1 out of the folder $2; none there is none to take.
remove_map() { rm -rf "$2/$(map_name "$1")"-*; }

# Where a source's map goes: beside the stack of this machine, or into the volume that the gateway's container reads.
show_map() {
  local extract=$1 source=$2 folder status=0
  if [ -x "$home/bin/places" ]; then
    draw_map "$extract" "$source" "$home/maps"
    return
  fi
  folder=$(mktemp -d "${TMPDIR:-/tmp}/kampong-map.XXXXXX") || return
  # shellcheck disable=SC2016  # expanded in the container
  draw_map "$extract" "$source" "$folder" && tar -C "$folder" -c . | in_gateway '
    find /maps -maxdepth 1 -name ".new.*" -mmin +1440 -exec rm -rf {} + ; name=$1 && new=$(mktemp -d /maps/.new.XXXXXX) && tar -x -C "$new" && drawn=$(cd "$new" && echo "$name"-*) && rm -rf "/maps/$drawn" &&
      mv "$new/$drawn" /maps/ && rmdir "$new" && for old in /maps/"$name"-*; do [ "$old" = "/maps/$drawn" ] || rm -rf "$old"; done' "$(map_name "$source")" || status=$?
  rm -rf "$folder"
  return "$status"
}

hide_map() {
  if [ -x "$home/bin/places" ]; then
    remove_map "$1" "$home/maps"
  elif have docker; then
    # shellcheck disable=SC2016
    in_gateway 'rm -rf /maps/"$1"-*' "$(map_name "$1")" </dev/null
  fi
}

# A few lines of shell in a container that has the gateway's volumes.
in_gateway() { (cd "$root" && docker compose run --rm -T --no-deps --entrypoint sh gateway -c "$1" sh "${@:2}"); }
