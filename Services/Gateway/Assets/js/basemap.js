// The map's ground: the community's own maps and the outlines of the world, or the tiles of a server that the operator chose.

import { draw, palette, TOWNS_UNTIL, WORLD_UNTIL } from "./ground.js";
import { readWhole } from "./request.js";
import { PATIENCE, prepare, Squares } from "./squares.js";
import { text } from "./text.js";
/* global L */

const OUTLINES = '<a href="https://www.naturalearthdata.com">Natural Earth</a>';
const TOWNS = '<a href="https://www.geonames.org">GeoNames</a>, CC BY 4.0';
const STREETS_FROM = 11;

async function data(address) {
  const answer = address && (await readWhole(address, { as: "json", timeout: PATIENCE }));
  return answer?.ok ? answer.content : null;
}

const escaped = (words) => Object.assign(document.createElement("i"), { textContent: words }).innerHTML;
const linked = ({ text: words, licence, link }) => (link ? `<a href="${encodeURI(link)}">${escaped(words)}</a>` : escaped(words)) + (licence ? `, ${escaped(licence)}` : "");

/** Lays the ground on a Leaflet map; where there is no data, a plain one. */
export async function addBasemap(map) {
  const { basemap, world } = map.getContainer().dataset;
  const index = (await data(basemap)) ?? { sets: [] };
  if (index.tileServer) addTiles(map, index, world);
  else addGround(map, index, world);
}

/** Where the server does not answer, our own ground comes to lie under what is there of its tiles. */
function addTiles(map, { tileServer, sets }, world) {
  const from = new URL(tileServer.url, location.href);
  const words = linked(tileServer.attribution) + (from.host === location.host ? "" : ` · ${escaped(text("map.tilesFrom", { host: from.host }))}`);
  // Whom the tiles are for is none of the server's business; that somebody asks for them who may is: many demand it.
  const layer = L.tileLayer(tileServer.url, { maxZoom: map.getMaxZoom(), maxNativeZoom: tileServer.maxZoom, attribution: words, referrerPolicy: "strict-origin", zIndex: 2 });
  layer.once("tileerror", () => addGround(map, { sets }, world));
  layer.addTo(map);
}

function addGround(map, index, worldAddress) {
  const element = map.getContainer();
  let colours = palette(element), land;
  let { sets } = index;
  let squares = new Squares(sets, renew);
  /** Read when one looks from afar, which few do. */
  const worldAt = async (z) => {
    if (z > TOWNS_UNTIL) return null;
    return (land ??= data(worldAddress).then((world) => world && readied(world)));
  };
  const layer = L.gridLayer({ maxZoom: map.getMaxZoom(), keepBuffer: 3 });
  layer.createTile = (at, done) => {
    const tile = L.DomUtil.create("canvas", "leaflet-tile");
    const density = Math.min(devicePixelRatio || 1, 2);
    tile.width = tile.height = 256 * density;
    const context = tile.getContext("2d");
    context.scale(density, density);
    const around = 2 ** at.z;
    const here = { x: ((at.x % around) + around) % around, y: at.y, z: at.z, metre: metresToPixels(at) };
    Promise.all([squares.under(here), worldAt(at.z)]).then(([found, world]) => {
      draw(context, here, found, world && laid(world, here, sets), colours);
      done(null, tile);
    });
    return tile;
  };
  layer.addTo(map);

  /** The operator has had the maps drawn anew while this page was open. */
  async function renew() {
    const fresh = await data("/map/index.json");
    if (!fresh) return;
    sets = fresh.sets;
    squares = new Squares(sets, renew);
    layer.redraw();
    tell();
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = palette(element);
    layer.redraw();
  });
  addEventListener("online", () => layer.redraw());
  const tell = sayWhose(map, () => sets);
}

/** Pixels to a metre, as wide as it is drawn there. */
function metresToPixels({ y, z }) {
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - (2 * (y + 0.5)) / 2 ** z)));
  return (256 * 2 ** z) / (40_075_017 * Math.cos(latitude));
}

const readied = ({ extent, ...shapes }) => ({ ...prepare(shapes), extent });

const covers = ({ box }, longitude, latitude, more = 0) =>
  longitude >= box[0] - more && latitude >= box[1] - more && longitude <= box[2] + more && latitude <= box[3] + more;

/** The world under one tile, without the towns that maps of our own name themselves. */
function laid(world, { x, y, z }, sets) {
  const scale = (256 * 2 ** z) / world.extent;
  const names = world.names.filter(([, wx, wy]) => {
    const longitude = (wx / world.extent - 0.5) * 360, latitude = (Math.atan(Math.sinh(Math.PI * (1 - (2 * wy) / world.extent))) * 180) / Math.PI;
    return !sets.some((set) => z >= 9 && covers(set, longitude, latitude, 0.03));
  });
  return { ...world, names, scale, left: x * 256, top: y * 256 };
}

/** Keeps it said whose data is shown, and where there is none of streets. Returns what says it anew. */
function sayWhose(map, sets) {
  const note = L.control({ position: "bottomleft" });
  note.onAdd = () => Object.assign(L.DomUtil.create("p", "map-note"), { textContent: text("map.noStreets") });
  let said = [], noted = false;
  const tell = () => {
    const zoom = map.getZoom(), bounds = map.getBounds(), center = map.getCenter().wrap();
    const shown = sets().filter(({ box }) => zoom >= 9 && bounds.intersects([[box[1], box[0]], [box[3], box[2]]]));
    const now = [...new Set(shown.map(({ attribution }) => linked(attribution)))];
    if (zoom <= WORLD_UNTIL) now.push(OUTLINES);
    if (zoom <= TOWNS_UNTIL) now.push(TOWNS);
    said.filter((words) => !now.includes(words)).forEach((words) => map.attributionControl.removeAttribution(words));
    now.filter((words) => !said.includes(words)).forEach((words) => map.attributionControl.addAttribution(words));
    said = now;
    const missing = zoom >= STREETS_FROM && !sets().some((set) => covers(set, center.lng, center.lat));
    if (missing !== noted) missing ? note.addTo(map) : note.remove();
    noted = missing;
  };
  map.on("moveend", tell);
  tell();
  return tell;
}
