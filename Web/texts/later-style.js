// A conversation, a new text, contacts: what the list does without.

import { style } from "../core/style.js";

style`
/* A conversation */
.talk { align-content: end; gap: 8px; padding-bottom: 8px; overflow-anchor: none }
.talk:has(> .blank) { align-content: center }
.talk > .blank { gap: 8px }
.entry { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; min-width: 0 }
.bubble { overflow-wrap: anywhere; overflow: clip; unicode-bidi: isolate; text-align: start }
.bubble .link { display: inline; min-height: 0; vertical-align: baseline }
.under {
  padding-bottom: 8px;
  > button { min-height: 24px; text-align: inherit; font-variant-numeric: tabular-nums }
  .danger &, &.danger { color: var(--danger) }
}
.deeds { display: flex; flex-wrap: wrap; gap: 0 20px; margin-top: 4px; .tap { min-width: 0; text-decoration: none } }
.mine + .under .deeds { justify-content: end }
.end { height: 1px; margin-top: -9px }
.news { justify-self: center; position: sticky; bottom: calc(6.5rem + var(--safe-end)); box-shadow: var(--lift) }

/* The field at the foot of it, above the keyboard that covers the page */
.talk ~ * > .dock, .talk ~ .dock { bottom: var(--keyboard, 0px) }
.dock {
  gap: 8px; padding-block: 12px calc(10px + var(--safe-end));
  .head { display: flex; align-items: end; gap: 12px }
  textarea { min-height: 48px; max-height: 40dvh; padding-block: 11px; overflow-y: auto }
  .tap.main { width: 48px; height: 48px; border-radius: 50%; color: var(--on-accent) }
  .link { min-height: 24px; font-size: inherit }
}
.count { overflow-wrap: anywhere }

/* A new text */
.chips { display: flex; flex-wrap: wrap; gap: 8px }
.chip {
  display: flex; align-items: center; min-width: 0; max-width: 100%; min-height: 44px; padding-inline-start: 14px; border-radius: 22px; background: var(--surface-2); font-size: var(--second);
  button { display: grid; place-items: center; width: 44px; height: 44px; border-radius: 50%; color: var(--ink-2) }
}
small:empty { display: none }
small .link { display: inline; min-height: 24px; font-size: inherit }
.then { flex: 1 0 100%; gap: 4px; padding-bottom: 8px }
.field > .part > .input > .tap:not(:last-child) { margin-inline-end: -8px }

/* Contacts */
.person { display: flex; align-items: center; .row { flex: 1; min-width: 0 } > .tap { margin-inline-end: 8px } }
.numbered { display: flex; gap: 8px; select { flex: 0 1 9rem; width: auto } input { flex: 1 } }
.file { position: relative; &:has(:focus-visible) { outline: var(--ring); outline-offset: 2px } input { inset: 0 } }

/* A text's life */
.box > .pair > * { min-width: 0; flex: 0 1 auto }
.quoted { justify-self: start; max-width: 100%; display: -webkit-box; -webkit-line-clamp: 6; -webkit-box-orient: vertical; overflow: hidden }
details.box { display: block; code { display: block; padding-top: 8px } }
.cord li > :first-child svg { width: 20px; height: 20px }
details code { white-space: pre-line }
`;
