# Turns the drawings of deploy/Demo into the JPEGs that the demo community uploads. Sourced after common.sh.
# shellcheck shell=bash disable=SC2154

draw_pictures() {
  local drawing target folder
  for folder in pictures people; do
    install -d -m 0755 "$cache/demo/$folder"
    for drawing in "$root/deploy/Demo/$folder"/*.svg; do
      target=$cache/demo/$folder/$(basename "$drawing" .svg).jpg
      [ "$target" -ot "$drawing" ] || continue
      # Drawn at its own size; the gateway makes the smaller ones.
      vips copy "$drawing" "$target.new.jpg[Q=88,optimize_coding,strip]" || fail "libvips cannot draw $drawing; it needs librsvg."
      mv -f "$target.new.jpg" "$target"
    done
  done
}
