// What a browser calls itself, as words a person knows it by. For showing only: nothing is decided by it.

/**
 * The first that fits: most browsers name the others as well.
 * @type {[RegExp, string][]}
 */
const browsers = [
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom(?:e|ium)\/|CriOS\//, "Chrome"],
  [/AppleWebKit\/.*Safari|iPhone|iPad/, "Safari"],
  [/curl\//, "curl"],
];

/** @type {[RegExp, string][]} */
const systems = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];

/**
 * @param {string | null | undefined} agent the User-Agent header
 * @returns {{browser: string | null, system: string | null}}
 */
export function readAgent(agent) {
  const named = (/** @type {[RegExp, string][]} */ table) => table.find(([pattern]) => pattern.test((agent ?? "").slice(0, 500)))?.[1] ?? null;
  return { browser: named(browsers), system: named(systems) };
}
