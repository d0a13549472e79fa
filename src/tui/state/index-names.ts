/**
 * How a name of the index stands on one line.
 */
import type { IndexedName } from "./state.ts";

/** What the finder searches and shows. */
export const labelOf = ({ path, name }: IndexedName): string => (name === null ? path : `${path}:${name}`);
