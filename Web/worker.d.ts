/** What Scripts/web puts into the worker. */
declare const BUILD: { name: string; files: string[]; shells: Record<string, string> };
