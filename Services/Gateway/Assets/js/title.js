// How much is new, in the title and on the app's own icon: of chats and of what one was told, whichever is more, since a chat's news are told of as well.

const counts = new Map();

export function count(what, number) {
  counts.set(what, number);
  const most = Math.max(...counts.values());
  // None takes the number away.
  navigator.setAppBadge?.(most).catch(() => {});
  document.title = (most ? `(${most}) ` : "") + document.title.replace(/^\(\d+\) /, "");
}

/** What a badge says now. */
export const shown = (badge) => Number(badge.querySelector("[data-number]").textContent) || 0;

/** Shows a number on a badge, or no badge. */
export function show(badge, number) {
  badge.hidden = number === 0;
  badge.querySelector("[data-number]").textContent = number || "";
}
