// What a page is measured for. Runs inside the page; each function gives a list of findings in words.
(() => {
  const isVisible = element =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest("[hidden], [inert]");

  const name = element => {
    const label = element.getAttribute("aria-label") || element.innerText || element.value || "";
    return `<${element.tagName.toLowerCase()}${element.id ? "#" + element.id : ""} class="${element.className?.baseVal ?? element.className}"> "${label.trim().slice(0, 40)}"`;
  };

  // Only for readers: one pixel, clipped.
  const isOnlyRead = element => {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const box = one.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1) return true;
    }
    return false;
  };

  const hasOwnText = element =>
    [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());

  const inScroller = element => {
    for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(one).overflowX)) return true;
    }
    return false;
  };

  // A phone makes its page as wide as what does not fit; the screen stays what it is.
  const width = () => Math.min(document.documentElement.clientWidth, screen.width);

  window.pageChecks = {
    scrollsSideways() {
      const room = width();
      const taken = document.documentElement.scrollWidth;
      if (taken <= room) return [];
      const wide = [...document.body.querySelectorAll("*")].filter(element =>
        isVisible(element) && !inScroller(element) && element.getBoundingClientRect().right > room + 1);
      return [`the page is ${taken} px wide in ${room} px: ${wide.slice(-3).map(name).join(", ")}`];
    },

    // Text that its box hides or that leaves its box or the screen. A preview may end in an ellipsis: the whole text is
    // a tap away.
    cutTexts() {
      const findings = [];
      const edge = width() + 1;
      for (const element of document.body.querySelectorAll("*")) {
        if (!isVisible(element) || !hasOwnText(element) || isOnlyRead(element) || element.closest("svg")) continue;
        const style = getComputedStyle(element);
        if (style.textOverflow === "ellipsis") continue;
        const range = document.createRange();
        range.selectNodeContents(element);
        const text = range.getBoundingClientRect();
        if ((text.right > edge || text.left < -1) && !inScroller(element)) {
          findings.push(`beyond the screen's edge: ${name(element)}`);
        }
        for (let box = element; box && box !== document.body; box = box.parentElement) {
          const clip = getComputedStyle(box);
          const area = box.getBoundingClientRect();
          if (["hidden", "clip"].includes(clip.overflowX) && clip.textOverflow !== "ellipsis" &&
              (text.right > area.right + 1 || text.left < area.left - 1)) {
            findings.push(`cut at the side: ${name(element)}`);
            break;
          }
          if (["hidden", "clip"].includes(clip.overflowY) && clip.webkitLineClamp === "none" &&
              (text.bottom > area.bottom + 2 || text.top < area.top - 2)) {
            findings.push(`cut above or below: ${name(element)}`);
            break;
          }
          if (clip.textOverflow === "ellipsis" || ["auto", "scroll"].includes(clip.overflowX)) break;
        }
      }
      return findings;
    },

    // Controls that something else covers, or that are too small for a finger.
    unreachableControls(least) {
      const findings = [];
      const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
      for (const control of document.querySelectorAll(controls)) {
        if (!isVisible(control) || control.disabled) continue;
        const modal = document.querySelector("dialog:modal");
        if (modal && !modal.contains(control)) continue;
        const target = control.closest("label") ?? control;
        if (isOnlyRead(target)) continue;
        target.scrollIntoView({ block: "center", inline: "center" });
        const box = target.getBoundingClientRect();
        const isInline = getComputedStyle(target).display === "inline";
        if (!isInline && Math.min(box.width, box.height) < least) {
          findings.push(`smaller than ${least} px (${Math.round(box.width)}x${Math.round(box.height)}): ${name(target)}`);
        }
        const first = target.getClientRects()[0];
        const there = document.elementFromPoint(first.left + first.width / 2, first.top + first.height / 2);
        if (there && !target.contains(there) && !there.contains(target)) {
          findings.push(`${name(target)} is covered by ${name(there)}`);
        }
      }
      scrollTo(0, 0);
      return findings;
    },

    // Whether a keyboard's user sees where it is: a line round the element, or round what holds it.
    focusMark() {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return { at: null };
      const box = focused.getBoundingClientRect();
      let isMarked = false;
      for (let one = focused, depth = 0; one && depth < 3; one = one.parentElement, depth += 1) {
        const style = getComputedStyle(one);
        if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) isMarked = true;
      }
      const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      const spot = inside && document.elementFromPoint(
        Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1),
        Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1));
      const isSeen = !!spot && (focused.contains(spot) || spot.contains(focused) || !!spot.closest("label")?.contains(focused));
      if (!focused.dataset.visit) focused.dataset.visit = String((window.focusVisits = (window.focusVisits ?? 0) + 1));
      return { at: focused.dataset.visit, name: name(focused), isMarked, isSeen };
    },
  };
})();
