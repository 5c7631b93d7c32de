// The operator's screens.

import { style } from "../core/style.js";

style`
.carrier h2 { overflow-wrap: anywhere }
.carrier .stats { grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)) }
.words { background: var(--mine) }
.carrier .btns { grid-template-columns: minmax(0, max-content) }
.cord .said { overflow-wrap: anywhere; white-space: pre-line; border-inline-start: 2px solid var(--hair); padding-inline-start: 8px; margin-top: 2px }
.cord li > :first-child svg { width: 20px; height: 20px }
.facts { display: grid; gap: 8px; div { display: grid } code { color: var(--ink) } }
.trouble svg { display: inline-block; vertical-align: -.15em }
.locked { display: flex; gap: 8px; align-items: start; svg { flex: none } }
`;
