/**
 * How much of each category is retrieved: a number of entries and of bytes, both of which hold.
 *
 * Adaptive caps follow the priority where files are concerned: more for a high one, less for a low one. Bytes are those
 * of the content in UTF-8.
 */
import type { Priority } from "./triggers.ts";

const KB = 1024;

/** The most that one category gives. */
export type Caps = { readonly entries: number; readonly bytes: number };
type CategoryCaps = { readonly runArtifacts: Caps; readonly sotFiles: Caps; readonly memoryEntries: Caps };

const FIXED: CategoryCaps = {
  runArtifacts: { entries: 5, bytes: 10 * KB },
  sotFiles: { entries: 3, bytes: 15 * KB },
  memoryEntries: { entries: 5, bytes: 5 * KB },
};
const LARGE: Caps = { entries: 7, bytes: 15 * KB };
const SMALL: Caps = { entries: 3, bytes: 5 * KB };

const ADAPTIVE = {
  high: { ...FIXED, runArtifacts: LARGE, sotFiles: LARGE },
  medium: FIXED,
  low: { ...FIXED, runArtifacts: SMALL, sotFiles: SMALL },
} as const satisfies Record<Priority, CategoryCaps>;

export const capsFor = (priority: Priority, { adaptive }: { readonly adaptive: boolean }): CategoryCaps =>
  adaptive ? ADAPTIVE[priority] : FIXED;
