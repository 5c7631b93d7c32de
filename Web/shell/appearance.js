// Light, dark, or as the phone has it. Kept where it can be read before the first drawing.

/** @typedef {"system" | "light" | "dark"} Appearance */

const key = "appearance";
/** The ground's colour, for the browser's own bars. */
const ground = { light: "#F3F5F8", dark: "#0D1014" };

/** @returns {Appearance} */
export function appearance() {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

/** @param {Appearance} choice */
export function setAppearance(choice) {
  try {
    if (choice === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // A browser that keeps nothing has it for this visit.
  }
  showAppearance(choice);
}

/**
 * Makes the page look so.
 * @param {Appearance} [choice]
 */
export function showAppearance(choice = appearance()) {
  if (choice === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
    const own = meta.getAttribute("media")?.includes("dark") ? "dark" : "light";
    meta.setAttribute("content", ground[choice === "system" ? own : choice]);
  }
}
