/**
 * How a name of the index stands on one line.
 */
import type { FoundName } from "./state.ts";

/** What the finder searches and shows. */
export const labelOf = ({ path, name }: FoundName): string => (name === null ? path : `${path}:${name}`);
