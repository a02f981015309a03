// Draws one tile of the map's ground on a canvas: the world's land from afar, areas, streets, names.

const COLOURS = ["ground", "sea", "land", "water", "green", "building", "parking", "road", "case", "major", "path", "rail", "name", "halo", "deep"];
const AREAS = ["green", "water", "parking", "building"];
// Metres; and the least that is drawn, in pixels.
const WIDTHS = { major: [12, 2], middle: [9, 1.4], minor: [8, 1], service: [4.5, 1], path: [1.8, 1], rail: [1.4, 1], tram: [1.2, 0.7], river: [5, 1] };
const STREETS = ["service", "minor", "middle", "major"];
const FACE = "px system-ui, sans-serif";
const FONTS = {
  city: `700 17${FACE}`, town: `700 15${FACE}`, village: `700 13${FACE}`, suburb: `700 13${FACE}`, quarter: `700 12${FACE}`, hamlet: `700 12${FACE}`,
  neighbourhood: `700 12${FACE}`, water: `italic 600 11${FACE}`, green: `italic 600 11${FACE}`, building: `italic 600 11${FACE}`,
};
const STREET_FONT = `600 11${FACE}`;
export const WORLD_UNTIL = 9, TOWNS_UNTIL = 12;

/** The colours of the page as they are now: tokens are resolved by the browser, light or dark. */
export function palette(element) {
  const probe = document.createElement("i");
  element.append(probe);
  const colours = {};
  for (const name of COLOURS) {
    probe.style.color = `var(--map-${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}

/** `squares` as squares.js has them; `world` is one that lies under all of the earth, with `towns` that no map of ours covers. */
export function draw(context, { z, metre }, squares, world, colours) {
  const far = world && z <= WORLD_UNTIL;
  context.fillStyle = far ? colours.sea : colours.ground;
  context.fillRect(0, 0, 256, 256);
  if (far) fill(context, world, "land", colours.land);
  for (const kind of AREAS) for (const square of squares) fill(context, square, kind, colours[kind]);
  drawLines(context, z, metre, squares, colours);
  for (const square of squares) for (const name of square.names) if (z >= name[4] && z <= name[5]) drawName(context, square, name, colours);
  if (world) for (const name of world.names) if (z >= name[4] && z <= TOWNS_UNTIL) drawName(context, world, name, colours);
}

/** All shapes of a kind that can be seen, as one path. */
function trace(context, { shapes, scale, left, top }, kind, close) {
  const margin = 24;
  const west = (left - margin) / scale, north = (top - margin) / scale, east = (left + 256 + margin) / scale, south = (top + 256 + margin) / scale;
  let any = false;
  context.beginPath();
  for (const { points, box } of shapes[kind] ?? []) {
    if (box[2] < west || box[0] > east || box[3] < north || box[1] > south) continue;
    any = true;
    context.moveTo(points[0] * scale - left, points[1] * scale - top);
    for (let i = 2; i < points.length; i += 2) context.lineTo(points[i] * scale - left, points[i + 1] * scale - top);
    if (close) context.closePath();
  }
  return any;
}

// By the nonzero rule: areas that overlap are one, and holes go the other way round.
function fill(context, square, kind, colour) {
  if (!trace(context, square, kind, true)) return;
  context.fillStyle = colour;
  context.fill("nonzero");
}

function drawLines(context, zoom, metre, squares, colours) {
  context.lineJoin = context.lineCap = "round";
  const stroke = (kind, colour, extra = 0, dash = []) => {
    context.strokeStyle = colour;
    context.setLineDash(dash);
    const [metres, least] = WIDTHS[kind];
    context.lineWidth = Math.min(Math.max(metres * metre, least), 40) + extra;
    for (const square of squares) if (trace(context, square, kind, false)) context.stroke();
    context.setLineDash([]);
  };
  stroke("river", colours.water);
  stroke("path", colours.path, 0, [3, 4]);
  stroke("tram", colours.rail);
  stroke("rail", colours.rail);
  const streets = zoom >= 14 ? STREETS : STREETS.slice(1);
  if (zoom >= 14) for (const kind of streets) stroke(kind, colours.case, 1.6);
  for (const kind of streets) stroke(kind, kind === "major" ? colours.major : colours.road);
}

function drawName(context, { scale, left, top }, [name, x, y, angle, , , style], colours) {
  const px = x * scale - left, py = y * scale - top, reach = name.length * 12 + 20;
  if (px < -reach || py < -reach || px > 256 + reach || py > 256 + reach) return;
  context.save();
  context.translate(px, py);
  context.rotate((angle * Math.PI) / 180);
  context.font = FONTS[style] ?? STREET_FONT;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  context.strokeStyle = colours.halo;
  context.strokeText(name, 0, 0);
  context.fillStyle = style === "water" ? colours.deep : colours.name;
  context.fillText(name, 0, 0);
  context.restore();
}
