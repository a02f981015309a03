// Passkeys: the browser's own window between two forms of ours. What it says goes back in a form, as everything does.

import { request } from "./request.js";
import { text } from "./text.js";

const bytes = (given) => Uint8Array.from(atob(given.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const listed = (credentials) => credentials.map((credential) => ({ ...credential, id: bytes(credential.id) }));

/** Whether this browser can, on a page of this host. */
const can = (party) => isSecureContext && "PublicKeyCredential" in window && (location.hostname === party || location.hostname.endsWith(`.${party}`));

for (const element of document.querySelectorAll("[data-passkey-can]")) {
  if (!can(element.dataset.passkeyCan)) continue;
  element.hidden = false;
  for (const notice of document.querySelectorAll("[data-passkey-cannot]")) notice.hidden = true;
}

const form = document.querySelector("[data-passkey]");
const said = form?.querySelector("[data-passkey-said]");

function say(error) {
  const known = { NotAllowedError: "cancelled", InvalidStateError: "there", NotSupportedError: "unsupported", ConstraintError: "unsupported", SecurityError: "elsewhere" };
  said.textContent = text(known[error.name] ? `passkey.${known[error.name]}` : "failed.server");
  said.hidden = false;
}

function send(credential) {
  form.elements.credential.value = JSON.stringify(credential);
  form.requestSubmit();
}

async function make() {
  const options = JSON.parse(form.dataset.passkeyOptions);
  const made = await navigator.credentials.create({
    publicKey: {
      ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) }, excludeCredentials: listed(options.excludeCredentials),
    },
  });
  const { response } = made;
  send({
    id: made.id, type: made.type,
    response: {
      clientDataJSON: encoded(response.clientDataJSON), attestationObject: encoded(response.attestationObject), transports: response.getTransports?.() ?? [],
    },
  });
}

// One question at a time: the one that waits in the field for the email address ends when the button asks.
let waiting;
async function ask(mediation) {
  waiting?.abort();
  const mine = (waiting = new AbortController());
  const answer = await request("/v1/sessions/passkey/options", { method: "POST", headers: { "Idempotency-Key": crypto.randomUUID() }, signal: mine.signal });
  if (!answer.ok) throw new Error(`options: ${answer.status}`);
  const options = await answer.json();
  // What waits is asked anew before its challenge is too old.
  const renewal = mediation && setTimeout(wait, options.timeout - 60_000);
  try {
    const found = await navigator.credentials.get({
      publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: listed(options.allowCredentials) }, signal: mine.signal, ...(mediation && { mediation }),
    });
    const { response } = found;
    send({
      id: found.id, type: found.type,
      response: {
        clientDataJSON: encoded(response.clientDataJSON), authenticatorData: encoded(response.authenticatorData), signature: encoded(response.signature),
        userHandle: response.userHandle ? encoded(response.userHandle) : undefined,
      },
    });
  } finally {
    clearTimeout(renewal);
  }
}

/** Offers passkeys where the browser lists what it could fill in. Nobody has asked for it, so nothing is said where it does not work. */
async function wait() {
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) await ask("conditional").catch(() => {});
}

if (form && can(form.dataset.passkeyCan)) {
  const start = form.querySelector("[data-passkey-start]");
  start.addEventListener("click", async () => {
    said.hidden = true;
    start.setAttribute("aria-busy", "true");
    await (form.dataset.passkey === "create" ? make() : ask()).catch(say);
    start.removeAttribute("aria-busy");
  });
  // Not after a refusal: what was refused would be offered again at once.
  if (form.dataset.passkey === "get" && said.hidden) wait();
}
