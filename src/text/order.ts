/** Orders texts by UTF-16 code units, the same on every machine. */
export const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The same order for items with a path. */
export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => inOrder(a.path, b.path);

/** No path comes after it in SQLite's order, because no name is that long. In JavaScript's order some do. */
export const AFTER_ALL_PATHS = "\u{10ffff}".repeat(64);
