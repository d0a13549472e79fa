/**
 * Which files of a run go into a bundle: what changed within a day comes first, and the newest of it before the rest.
 *
 * A long log gives the lines around its failures and the keywords.
 */
import type { ListedFile } from "../source/walk/sandboxed-reader.ts";
import { inOrder } from "../text/order.ts";
import type { Caps } from "./caps.ts";
import type { RunArtifact } from "./escalation-schema.ts";
import { fillUp } from "./fill.ts";
import { isoTime } from "./time.ts";
import { FAILURE_MARKERS } from "./triggers.ts";

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** A file that claims to be of a later time is as new as can be. */
const isInWindow = ({ modifiedMs }: ListedFile, nowMs: number): boolean => nowMs - modifiedMs <= WINDOW_MS;

/** Files of the last 24 hours, newest first, then the others, newest first. The order of the input does not matter. */
export function byRecency(files: readonly ListedFile[], nowMs: number): readonly ListedFile[] {
  return files.toSorted(
    (a, b) =>
      Number(isInWindow(b, nowMs)) - Number(isInWindow(a, nowMs)) ||
      b.modifiedMs - a.modifiedMs ||
      inOrder(a.path, b.path),
  );
}

/** The run's artefacts of a bundle. `read` gives a file's text, null for one that has none. */
export function runArtifacts(
  files: readonly ListedFile[],
  { caps, nowMs, keywords }: { readonly caps: Caps; readonly nowMs: number; readonly keywords: readonly string[] },
  read: (file: ListedFile) => string | null,
): readonly RunArtifact[] {
  const signs = [...new Set([...FAILURE_MARKERS.map((marker) => marker.toLowerCase()), ...keywords])];
  const recent = byRecency(files, nowMs);
  const filled = fillUp(recent, { caps, signs, sharing: recent.length, textOf: read });
  return filled.map(({ candidate, content, size }) => ({
    path: candidate.path,
    content,
    size,
    modified: isoTime(candidate.modifiedMs),
    within_24h: isInWindow(candidate, nowMs),
  }));
}
