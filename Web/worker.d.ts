/** What Scripts/web puts into the worker. */
declare const ASSETS: string[];
declare const SHELLS: Record<string, string>;
