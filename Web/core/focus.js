/** @type {HTMLElement | null} */
let region = null;

/**
 * Says a sentence to those who hear the screen. The same sentence twice is said twice.
 * @param {string} text
 */
export function announce(text) {
  if (!region) {
    region = document.createElement("p");
    region.className = "hidden";
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  const place = region;
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/** Puts the reader at the beginning of what is shown: its heading. */
export function focusMain() {
  const heading = document.querySelector("h1") ?? document.querySelector("main");
  if (!(heading instanceof HTMLElement)) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
