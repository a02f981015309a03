// The days between messages, as the viewer's own clock has them: the server counts them in UTC.

import { refreshTimes } from "../time.js";

const pattern = document.getElementById("day");

export function markDays(list) {
  list.querySelectorAll("[data-day]").forEach((day) => day.remove());
  let last;
  for (const message of list.querySelectorAll("[data-number]")) {
    const { dateTime } = message.querySelector("time");
    const date = new Date(dateTime).toDateString();
    if (date === last) continue;
    last = date;
    const day = pattern.content.firstElementChild.cloneNode(true);
    day.querySelector("time").dateTime = dateTime;
    const before = message.previousElementSibling;
    message.classList.remove("run");
    (before?.classList.contains("news") ? before : message).before(day);
  }
  refreshTimes(list);
}
