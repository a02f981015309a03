// A time that is said by the clocks of another place is said by the viewer's own too, where theirs show something else.

import { language } from "./text.js";

/** Shows or hides the viewer's own time at each place below `root` that names its zone. */
export function tellApart(root) {
  for (const place of root.querySelectorAll("[data-elsewhere]")) {
    const time = new Date(place.querySelector("time").dateTime);
    const shown = (timeZone) => new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "short", timeZone }).format(time);
    try {
      place.hidden = shown(place.dataset.elsewhere) === shown(undefined);
    } catch {
      // A zone that this browser does not know.
      place.hidden = false;
    }
  }
}

tellApart(document);
document.addEventListener("htmx:afterSwap", () => tellApart(document));
