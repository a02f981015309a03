// A calendar by keyboard: arrows go from day to day, and from week to week; the links do the rest.

const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

function moved(day, step) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + step);
  return date.toISOString().slice(0, 10);
}

document.addEventListener("keydown", (event) => {
  const here = event.target.closest?.("[data-months] a[data-day]");
  if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
  const months = here.closest("[data-months]");
  const turn = document.documentElement.dir === "rtl" && Math.abs(steps[event.key]) === 1 ? -1 : 1;
  const step = steps[event.key] * turn;
  if (!step) return;
  // What can't be had is passed over.
  for (let day = moved(here.dataset.day, step), left = 60; left > 0; day = moved(day, step), left -= 1) {
    const found = months.querySelector(`[data-day="${day}"]`);
    if (!found) return;
    if (!found.matches("a")) continue;
    event.preventDefault();
    found.focus();
    return;
  }
});
