// Asking /v1 to change something, from pages and from the service worker: as one person, and never as anybody else.

import { pictureTimeout, request } from "./request.js";

let known;

/** `{ person, csrf }` of whoever is signed in on this device; null where nobody is. Throws where that can't be learned. */
export async function pass({ fresh = false } = {}) {
  if (fresh || !known) {
    const answer = await request("/me/pass", { redirect: "manual", cache: "no-store" });
    if (answer.status !== 200 && answer.status !== 401) throw new Error(`pass: ${answer.status}`);
    known = answer.status === 200 ? await answer.json() : null;
  }
  return known;
}

/** The answer to what is sent on behalf of `person`; null where that is not who is signed in. A token of another session is refused by the
    server, so a change of person in between does no harm; then this asks once more who it is. */
export async function ask(method, path, body, person) {
  for (const fresh of [false, true]) {
    const mine = await pass({ fresh });
    if (mine?.person !== person) continue;
    const answer = await request(path, { method, ...content(body), timeout: timeout(body), headers: { "X-CSRF-Token": mine.csrf, ...type(body) } });
    if (fresh || ![401, 403].includes(answer.status)) return answer;
  }
  return null;
}

const isForm = (body) => body instanceof FormData;
const size = (form) => [...form.values()].reduce((sum, value) => sum + (value.size ?? value.length), 0);
const timeout = (body) => (isForm(body) ? pictureTimeout(size(body)) : undefined);
const content = (body) => (body === undefined ? {} : { body: isForm(body) ? body : JSON.stringify(body) });
const type = (body) => (body === undefined || isForm(body) ? {} : { "Content-Type": "application/json" });
