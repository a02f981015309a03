// The squares that the map's data comes in: fetched where they are looked at, kept while they may be looked at again, made ready for drawing.

import { readWhole } from "./request.js";

/** Milliseconds within which a part of a map is there: it may be large, and it is worth waiting for. */
export const PATIENCE = 120_000;
const KEPT = 80;

/** From the way between points to where they are, with the box around them. */
function decode(numbers) {
  const points = new Int32Array(numbers.length);
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  let x = 0, y = 0;
  for (let i = 0; i < numbers.length; i += 2) {
    points[i] = x += numbers[i];
    points[i + 1] = y += numbers[i + 1];
    if (x < box[0]) box[0] = x;
    if (x > box[2]) box[2] = x;
    if (y < box[1]) box[1] = y;
    if (y > box[3]) box[3] = y;
  }
  return { points, box };
}

/** `{ names, shapes: { building: [{ points, box }], … } }` */
export function prepare({ names = [], ...kinds }) {
  return { names, shapes: Object.fromEntries(Object.entries(kinds).map(([kind, shapes]) => [kind, shapes.map(decode)])) };
}

/** Whether a number is in runs: [first, last, first, last, …]. */
const within = (runs, number) => {
  for (let i = 0; i < runs.length; i += 2) if (number >= runs[i] && number <= runs[i + 1]) return true;
  return false;
};

export class Squares {
  #sets;
  #kept = new Map();
  #gone;

  /** `sets` as the map's index has them; `gone` is called once where squares are no longer there: the map has been drawn anew since. */
  constructor(sets, gone) {
    this.#sets = sets;
    this.#gone = gone;
  }

  /** What is under a tile of the screen: for each map that has a square there, its content and how it lies under the tile. */
  async under({ x, y, z }) {
    const found = await Promise.all(this.#sets.map((set) => this.#under(set, x, y, z)));
    return found.filter(Boolean);
  }

  async #under(set, x, y, z) {
    const level = set.levels.find(({ first, last }) => z >= first && z <= last);
    if (!level) return null;
    const deeper = z - level.zoom;
    const column = x >> deeper, row = y >> deeper;
    if (!within(level.rows[row] ?? [], column)) return null;
    const content = await this.#fetch(`${set.squares}/${level.zoom}/${column}/${row}.json`);
    return content && { ...content, scale: (256 * 2 ** deeper) / level.extent, left: (x - column * 2 ** deeper) * 256, top: (y - row * 2 ** deeper) * 256 };
  }

  /** What could not be had is asked for again the next time. */
  #fetch(address) {
    const kept = this.#kept.get(address) ?? this.#ask(address);
    // Last in a Map is what was put there last: the first is what was not used for longest.
    this.#kept.delete(address);
    this.#kept.set(address, kept);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
    return kept;
  }

  async #ask(address) {
    const answer = await readWhole(address, { as: "json", timeout: PATIENCE });
    if (answer?.ok) return prepare(answer.content);
    this.#kept.delete(address);
    if (answer?.status === 404) {
      this.#gone?.();
      this.#gone = null;
    }
    return null;
  }
}
