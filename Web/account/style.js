// Terms, settings and the guide to the home screen.

import { style } from "../core/style.js";

style`
.points { display: grid; gap: 8px; padding-inline-start: 20px; li { list-style: disc } }
.tall .wrap { gap: 0 20px; margin-bottom: -8px }
.guide { display: grid; gap: 12px }
.scene { width: 100%; max-width: 280px; height: auto; margin-inline: auto; color: var(--ink-2); .faint { opacity: .45 } }
.nth { display: inline-grid; place-items: center; width: 1.6em; height: 1.6em; border-radius: 50%; background: var(--surface-2); font-size: var(--small) }
`;
