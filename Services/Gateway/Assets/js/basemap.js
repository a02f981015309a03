// The map's ground: streets, water, houses of the community's own extract, drawn on canvas tiles in the colours of the page.

import { labelsFor, prepare } from "./geometry.js";
/* global L */

const COLOURS = ["ground", "sea", "land", "water", "green", "building", "parking", "road", "case", "major", "path", "rail", "name", "halo"];
const AREAS = ["green", "water", "parking", "building"];
const WIDTHS = { major: 12, minor: 8, service: 4.5, path: 1.8, rail: 1.4 };
const WORLD_UNTIL = 10, STREETS_FROM = 11, DETAILS_FROM = 15;

/** The colours of the page as they are now: tokens are resolved by the browser, light or dark. */
function palette(element) {
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

async function load(address) {
  if (!address) return [];
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? prepare((await answer.json()).features ?? []) : [];
}

/** Lays the ground on a Leaflet map; where there is no data, a plain one. */
export async function addBasemap(map) {
  const element = map.getContainer();
  const { basemap, world } = element.dataset;
  const [streets, land] = await Promise.all([load(basemap), load(world)]);
  let colours = palette(element);
  const layer = L.gridLayer({ maxZoom: map.getMaxZoom(), keepBuffer: 3 });
  layer.createTile = (at) => {
    const tile = L.DomUtil.create("canvas", "leaflet-tile");
    const density = Math.min(devicePixelRatio || 1, 2);
    tile.width = tile.height = 256 * density;
    const context = tile.getContext("2d");
    context.scale(density, density);
    draw(context, at, streets, land, colours);
    return tile;
  };
  layer.addTo(map);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = palette(element);
    layer.redraw();
  });
  map.attributionControl.addAttribution('© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap contributors</a>, ODbL · Natural Earth');
}

function draw(context, { x, y, z }, streets, land, colours) {
  const view = { context, scale: 256 * 2 ** z, left: x * 256, top: y * 256, zoom: z };
  const far = z < WORLD_UNTIL && land.length > 0;
  context.fillStyle = far ? colours.sea : colours.ground;
  context.fillRect(0, 0, 256, 256);
  if (far) for (const feature of visible(land, view)) fill(view, feature, colours.land);
  if (z < STREETS_FROM) return;
  const seen = visible(streets, view);
  for (const kind of AREAS) {
    if (kind === "building" && z < DETAILS_FROM) continue;
    for (const feature of seen) if (feature.kind === kind) fill(view, feature, colours[kind]);
  }
  drawLines(view, seen, colours);
  if (z >= DETAILS_FROM) drawNames(view, labelsFor(streets, z), colours);
}

function visible(features, { scale, left, top }) {
  const margin = 24 / scale, w = left / scale - margin, n = top / scale - margin, size = 256 / scale + 2 * margin;
  return features.filter(({ box }) => box[0] < w + size && box[2] > w && box[1] < n + size && box[3] > n);
}

function trace({ context, scale, left, top }, rings, close) {
  context.beginPath();
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const px = ring[i] * scale - left, py = ring[i + 1] * scale - top;
      if (i) context.lineTo(px, py);
      else context.moveTo(px, py);
    }
    if (close) context.closePath();
  }
}

function fill(view, feature, colour) {
  trace(view, feature.rings, true);
  view.context.fillStyle = colour;
  view.context.fill("evenodd");
}

function drawLines(view, features, colours) {
  const { context, zoom } = view;
  const metre = 2 ** zoom / 78_000; // pixels, at sixty degrees north; elsewhere streets are a little wider or narrower
  context.lineJoin = context.lineCap = "round";
  const stroke = (wanted, colour, extra, dash = []) => {
    context.strokeStyle = colour;
    context.setLineDash(dash);
    for (const feature of features) {
      if ((feature.rank ?? feature.kind) !== wanted) continue;
      context.lineWidth = Math.min(Math.max(WIDTHS[wanted] * metre, wanted === "major" ? 2 : 1), 40) + extra;
      trace(view, feature.rings, false);
      context.stroke();
    }
    context.setLineDash([]);
  };
  if (zoom >= DETAILS_FROM) stroke("path", colours.path, 0, [3, 4]);
  stroke("rail", colours.rail, 0);
  const ranks = zoom >= 14 ? ["service", "minor", "major"] : ["minor", "major"];
  if (zoom >= 14) for (const rank of ranks) stroke(rank, colours.case, 1.6);
  for (const rank of ranks) stroke(rank, rank === "major" ? colours.major : colours.road, 0);
}

function drawNames({ context, scale, left, top }, labels, colours) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const { name, x, y, angle, reach, font } of labels) {
    const px = x * scale - left, py = y * scale - top;
    if (px < -reach || py < -reach || px > 256 + reach || py > 256 + reach) continue;
    context.save();
    context.translate(px, py);
    context.rotate(angle);
    context.font = font;
    context.lineWidth = 3;
    context.strokeStyle = colours.halo;
    context.strokeText(name, 0, 0);
    context.fillStyle = colours.name;
    context.fillText(name, 0, 0);
    context.restore();
  }
}
