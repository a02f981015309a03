// A username is looked up while it is typed; a suggested one is taken over by pressing it.

const input = document.getElementById("username");
const said = document.getElementById("username-said");

// What was said of another name holds no longer.
input.addEventListener("input", () => {
  said.replaceChildren();
  document.getElementById("username-error")?.remove();
});

said.addEventListener("click", (event) => {
  const offer = event.target.closest("[data-suggest]");
  if (!offer) return;
  input.value = offer.dataset.suggest;
  input.focus();
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
