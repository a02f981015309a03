// In a chat about a thing, a ride or a delivery: what runs between the two, with the number to call, as it is now.

import { persistent } from "../persistent.js";
import { request, settled } from "../request.js";
import { room } from "./rows.js";

const head = document.querySelector(".room-head");
/** The path of what the chat is about. */
const subject = head.querySelector(".topic-link")?.getAttribute("href") ?? "";

/** Whether a rental, a request for seats or a delivery is of what the chat is about. */
export const isAbout = ({ rental, request: seat, match } = {}) => [`/things/${rental?.thing}`, `/rides/${seat?.ride.id}`, `/matches/${match?.id}`].includes(subject);

const renew = persistent(async () => {
  const answer = settled(await request(`/messages/${room}`));
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  // Somebody signed out meanwhile: that is another page.
  if (!page.querySelector(".room-head")) return;
  const fresh = page.querySelector(".room-rental");
  head.querySelector(".room-rental")?.remove();
  if (fresh) head.append(fresh);
});

/** Shows it where there is one, and with it the number as long as that may be known. */
export const renewAgreement = () => (/^\/(things|rides|matches)\//.test(subject) ? renew() : Promise.resolve());
