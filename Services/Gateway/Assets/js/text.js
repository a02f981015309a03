// The words that scripts say, from the page's own catalogue, with plural forms as the language has them.

const words = JSON.parse(document.getElementById("strings")?.textContent || "{}");
export const language = document.documentElement.lang || "en";
const plurals = new Intl.PluralRules(language);

/** `text("time.minutes", { n: 5 })`: the catalogue's sentence with its places filled in; the key itself where it is unknown. */
export function text(key, values = {}) {
  let found = key.split(".").reduce((part, name) => part?.[name], words);
  if (found && typeof found === "object") found = (Number(values.n) === 0 && found.zero) || (found[plurals.select(values.n)] ?? found.other);
  if (typeof found !== "string") return key;
  return found.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
