// GeoJSON made ready for drawing: Mercator coordinates from 0 to 1, boxes for culling, and places for names.

const mercator = ([longitude, latitude]) => {
  const sine = Math.min(Math.max(Math.sin((latitude * Math.PI) / 180), -0.9999), 0.9999);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
};

const ringsOf = ({ type, coordinates }) =>
  ({ Polygon: () => coordinates, MultiPolygon: () => coordinates.flat(), LineString: () => [coordinates], MultiLineString: () => coordinates })[type]?.() ?? [];

/** One drawable for each feature: `{ kind, rank, name, rings, box }`, in the order they came. */
export function prepare(features) {
  return features.map(({ properties = {}, geometry }) => {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    const rings = ringsOf(geometry).map((ring) => {
      const flat = new Float64Array(ring.length * 2);
      ring.forEach((point, index) => {
        const [x, y] = mercator(point);
        flat[2 * index] = x;
        flat[2 * index + 1] = y;
        box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y);
      });
      return flat;
    });
    return { kind: properties.kind, rank: properties.class, name: properties.name, rings, box };
  });
}

const measure = document.createElement("canvas").getContext("2d");
const FONTS = { street: "600 11px system-ui, sans-serif", area: "italic 600 11px system-ui, sans-serif" };
const cache = new WeakMap();

/** Where names stand at a zoom: along streets that are long enough, in the middle of parks and water, never over one another.
    The same for every tile, so that a name that crosses tiles fits together. */
export function labelsFor(features, zoom) {
  const zooms = cache.get(features) ?? new Map();
  cache.set(features, zooms);
  if (!zooms.has(zoom)) zooms.set(zoom, choose(features, 256 * 2 ** zoom));
  return zooms.get(zoom);
}

function choose(features, scale) {
  const taken = new Map(), chosen = [];
  const rank = ({ rank, kind }) => ({ major: 0, minor: 1, service: 3 })[rank] ?? (kind === "building" ? 4 : 2);
  for (const feature of features.filter(({ name }) => name).sort((a, b) => rank(a) - rank(b))) {
    const street = feature.kind === "street";
    if (feature.kind === "building" && scale < 256 * 2 ** 17) continue;
    const font = street ? FONTS.street : FONTS.area;
    measure.font = font;
    const width = measure.measureText(feature.name).width + 12;
    const place = street ? along(feature, width / scale) : middle(feature, width / scale);
    if (place && free(taken, place, width, scale)) chosen.push({ ...place, name: feature.name, reach: width / 2 + 8, font });
  }
  return chosen;
}

/** The longest straight piece of a line that a name fits on. */
function along({ rings }, width) {
  let best = null, length = width;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const dx = ring[i + 2] - ring[i], dy = ring[i + 3] - ring[i + 1], size = Math.hypot(dx, dy);
      if (size <= length) continue;
      const angle = Math.atan2(dy, dx);
      length = size;
      best = { x: ring[i] + dx / 2, y: ring[i + 1] + dy / 2, angle: Math.abs(angle) > Math.PI / 2 ? angle + Math.PI : angle };
    }
  }
  return best;
}

function middle({ box }, width) {
  if (box[2] - box[0] < width) return null;
  return { x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2, angle: 0 };
}

/** Claims the squares of a coarse grid that a name covers, or says that one is taken. */
function free(taken, { x, y, angle }, width, scale) {
  const cell = 18, squares = [];
  for (let along = -width / 2; along <= width / 2; along += cell / 2) {
    const cx = Math.floor((x * scale + Math.cos(angle) * along) / cell), cy = Math.floor((y * scale + Math.sin(angle) * along) / cell);
    squares.push(`${cx},${cy}`);
  }
  if (squares.some((square) => taken.has(square))) return false;
  squares.forEach((square) => taken.set(square, true));
  return true;
}
