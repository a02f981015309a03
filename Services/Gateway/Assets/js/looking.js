// Whether somebody looks at this page: not that a tab is open somewhere behind others.

export const isLookedAt = () => !document.hidden && document.hasFocus();

/** A function that does `act` at once where somebody looks, else once somebody does. */
export function onceLookedAt(act) {
  let isDue = false;
  const now = () => {
    if (!isDue || !isLookedAt()) return;
    isDue = false;
    act();
  };
  addEventListener("focus", now);
  document.addEventListener("visibilitychange", now);
  return () => {
    isDue = true;
    now();
  };
}
