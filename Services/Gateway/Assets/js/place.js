// Where the person is: asked for once, remembered for this session only, never sent anywhere but in a search.

import { text } from "./text.js";
import { toast } from "./notice.js";

const key = "kampong.position";

/** `{ latitude, longitude }`, or null. */
export function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Asks the device. Resolves with null, and says why, where it cannot or may not be told. */
export function locate({ quiet = false } = {}) {
  return new Promise((resolve) => {
    const refuse = (error) => {
      if (!quiet) toast(text(error?.code === 1 ? "place.refused" : "place.unknown"));
      resolve(null);
    };
    if (!navigator.geolocation) return refuse();
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const place = { latitude: +coords.latitude.toFixed(6), longitude: +coords.longitude.toFixed(6) };
        sessionStorage.setItem(key, JSON.stringify(place));
        resolve(place);
      },
      refuse,
      { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 });
  });
}

/** Whether asking would not disturb: the person has allowed it before. */
export async function mayAsk() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false;
  }
}

export const written = ({ latitude, longitude }) => `${latitude},${longitude}`;

export function read(words) {
  const [latitude, longitude] = (words || "").split(",").map(Number);
  return words && Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : null;
}
