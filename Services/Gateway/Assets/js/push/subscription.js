// A browser's subscription, told to the server: by a page, or by the service worker when the browser's vendor has made another one.

import { ask } from "../ask.js";

/** Resolves with the answer; null where `person` is not who is signed in. */
export function register(subscription, person) {
  const { endpoint, keys } = subscription.toJSON();
  return ask("POST", "/v1/push-subscriptions", { kind: "webPush", endpoint, keys }, person);
}
