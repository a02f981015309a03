// Times in the page: relative while near, absolute when far, exact in the title, all in the viewer's time zone. Which moment it is now says the server.

import { now } from "./clock.js";
import { language, text } from "./text.js";

// As the server writes them: in English the day first.
const dates = language === "en" ? "en-GB" : language;
const absolute = new Intl.DateTimeFormat(dates, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
const clock = new Intl.DateTimeFormat(dates, { hour: "numeric", minute: "2-digit" });
const date = new Intl.DateTimeFormat(dates, { day: "numeric", month: "long", year: "numeric" });
const weekday = new Intl.DateTimeFormat(dates, { weekday: "long", hour: "numeric", minute: "2-digit" });
const exact = new Intl.DateTimeFormat(dates, { dateStyle: "full", timeStyle: "short" });

const styles = {
  ago(seconds, time) {
    if (seconds < 45) return text("time.now");
    if (seconds < 3570) return text("time.minutesAgo", { n: Math.max(1, Math.round(seconds / 60)) });
    if (seconds < 86400) return text("time.hoursAgo", { n: Math.round(seconds / 3600) });
    return absolute.format(time);
  },
  until(seconds, time) {
    const left = -seconds;
    if (left <= 0) return text("time.over");
    if (left < 3570) return text("time.inMinutes", { n: Math.max(1, Math.round(left / 60)) });
    if (left < 86400) return text("time.inHours", { n: Math.round(left / 3600) });
    return absolute.format(time);
  },
  date: (_, time) => date.format(time),
  clock: (_, time) => clock.format(time),
  due: (seconds, time) => (seconds <= 0 && seconds > -6 * 86400 ? weekday : absolute).format(time),
  day(_, time) {
    const day = (ago) => new Date(now() - ago * 86_400_000).toDateString();
    if (time.toDateString() === day(0)) return text("time.today");
    return time.toDateString() === day(1) ? text("time.yesterday") : date.format(time);
  },
};

/** Writes every time below `root` as it is now. */
export function refreshTimes(root = document) {
  for (const element of root.querySelectorAll("time[data-time]")) {
    const time = new Date(element.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    const said = styles[element.dataset.time]?.((now() - time) / 1000, time);
    if (said && element.textContent !== said) element.textContent = said;
    element.title = exact.format(time);
  }
}

refreshTimes();
setInterval(refreshTimes, 15_000);
document.addEventListener("visibilitychange", () => document.hidden || refreshTimes());
document.addEventListener("htmx:afterSwap", () => refreshTimes());
