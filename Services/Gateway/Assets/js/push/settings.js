// Being told on this device: says how it stands, turns it on and off; and offers the time zones that the browser knows.

import { failed } from "../notice.js";
import { me } from "../session.js";
import { text } from "../text.js";
import { forget, isSupported, keep, leave, owner, subscription } from "./device.js";

const panel = document.getElementById("push");

function show(state) {
  panel.dataset.state = state;
  panel.querySelector("[data-said]").textContent = text(`push.${state}`);
  panel.querySelector("[data-on]").hidden = state !== "off";
  panel.querySelector("[data-off]").hidden = state !== "on";
}

async function state() {
  if (!isSupported) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  const isOn = Notification.permission === "granted" && "registered" in panel.dataset && owner() === me && (await subscription());
  return isOn ? "on" : "off";
}

async function subscribe() {
  const worker = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: panel.dataset.key };
  try {
    return await worker.pushManager.subscribe(options);
  } catch (error) {
    // Of a key that is no longer ours: the browser keeps one subscription only.
    if (error.name !== "InvalidStateError") throw error;
    await (await subscription())?.unsubscribe();
    return worker.pushManager.subscribe(options);
  }
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return show(Notification.permission === "denied" ? "denied" : "off");
  const found = await subscribe();
  if (!(await keep(found, me))) throw new Error("The server did not take it.");
  // The list below is the server's.
  location.reload();
}

async function turnOff() {
  await forget(me);
  location.reload();
}

/** A press that is on its way is not made again. */
function press(button, act) {
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      await act();
    } catch {
      failed(() => button.click());
      show(await state());
    }
    button.removeAttribute("aria-busy");
  });
}

async function begin() {
  show(await state());
  press(panel.querySelector("[data-on]"), turnOn);
  press(panel.querySelector("[data-off]"), turnOff);
  // Removed from the list, this device is off as well.
  document.querySelector("[data-device][data-current] form")?.addEventListener("submit", (event) => {
    if (owner() !== me) return;
    event.preventDefault();
    leave(me).then(() => location.reload());
  });
}

function offerZones() {
  const field = document.getElementById("timeZone");
  const list = document.createElement("datalist");
  list.id = "time-zones";
  for (const zone of Intl.supportedValuesOf?.("timeZone") ?? []) list.append(new Option(zone, zone));
  field.after(list);
  field.setAttribute("list", list.id);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Nobody lives in it: it was never said.
  if (here && ["", "UTC", "Etc/UTC", "GMT"].includes(field.value)) field.value = here;
}

offerZones();
if (panel) begin().catch(() => show("unsupported"));
