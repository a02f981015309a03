// What is done until it succeeds: while the page is there, ever more rarely, and at once when the network is back or somebody looks again.

const FIRST = 2000;
const LONGEST = 60_000;

/** A function that does `act`, one time after the other, and by itself again after `act` has thrown. It resolves when this time is over, however it went. */
export function persistent(act) {
  let last = Promise.resolve();
  /** What has not begun yet will see all that there is to do. */
  let next;
  let pause = FIRST;
  let timer;

  const over = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const begin = () => {
    next = undefined;
    return act();
  };
  const done = () => {
    over();
    pause = FIRST;
  };
  const failed = () => {
    over();
    timer = setTimeout(now, pause);
    pause = Math.min(pause * 2, LONGEST);
  };
  function now() {
    return (next ??= last = last.then(begin).then(done, failed));
  }

  const soon = () => timer && !document.hidden && now();
  addEventListener("online", soon);
  document.addEventListener("visibilitychange", soon);
  return now;
}
