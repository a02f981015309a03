// The server's clock. That of the device may be off by minutes or years, and ages are of moments that the server has written down.

/** Milliseconds that the server is ahead of the device. */
let ahead = 0;

/** The moment that it is now, as the server says. */
export const now = () => Date.now() + ahead;

/** What the server said that it is, and what the device said then. Headers say whole seconds, and a line takes its time: less than two are none. */
function hear(said, here) {
  const difference = Date.parse(said) - here;
  if (Math.abs(difference - ahead) > 2000) ahead = difference;
}

// A page says when it was made, which is when it began to arrive; the one that is kept for when no network is says nothing of it.
const [arrival] = performance.getEntriesByType?.("navigation") ?? [];
const loading = arrival?.responseStart > 0 ? performance.now() - arrival.responseStart : 0;
hear(document.body.dataset.now, Date.now() - loading);

// Either clock may be set meanwhile. What was kept by a browser says when it was asked for first, so only what nobody keeps counts.
document.addEventListener("htmx:beforeSwap", ({ detail: { xhr } }) => {
  if (xhr.getResponseHeader("Cache-Control")?.includes("no-store")) hear(xhr.getResponseHeader("Date"), Date.now());
});

/** `4:07`, of so many seconds. */
export const countdown = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
