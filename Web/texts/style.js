// What Texts has and the design's own style had not.

import { style } from "../core/style.js";

style`
texts-panel, texts-composer { display: contents }
.face {
  &.teal { --hue: light-dark(#0B6B6B, #63CFCB) }
  &.violet { --hue: light-dark(#6038B0, #C3A6FF) }
  &.green { --hue: var(--ok) }
  &.amber { --hue: var(--warn) }
}

/* The list. Its place is kept by the script, also where the browser would not. */
.talk-row, .entry, .side, texts-panel { overflow-anchor: none }
.talk-row { content-visibility: auto; contain-intrinsic-size: auto 61px }
mark { background: none; color: inherit; font-weight: 600; text-decoration: underline; text-decoration-color: var(--hue); text-underline-offset: .2em }
/* Of another direction, but in its place in the row. */
.talk-row .what > * { text-align: left }
.find .go { display: grid }
.side .head { display: flex; align-items: center; padding-inline-start: 0 }
.more .btn, .older .btn { justify-self: center }
.part > .age .link { min-height: 32px; font-size: inherit }

h1 { hyphens: auto; overflow-wrap: anywhere }
/* Letters twice as large: what stood beside a name stands under it, and nothing is cut off. */
.faces { container-type: inline-size }
@container (max-width: 14em) {
  .row { flex-wrap: wrap; row-gap: 0 }
  .row .cut { white-space: normal }
  .row > .what { flex-basis: 60% }
  .row > .value { flex: 1 0 100%; display: flex; align-items: center; gap: 12px; padding-inline-start: 56px }
}
.badge { min-width: 1.54em; border-radius: 1em; line-height: 1.54 }
.pick { flex-wrap: wrap; label { min-width: max-content } }
`;
