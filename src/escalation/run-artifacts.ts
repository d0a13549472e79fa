/** Chooses the files of a run for a bundle: files of the last 24 hours first, newest first. */
import type { ListedFile } from "../source/walk/sandboxed-reader.ts";
import { inOrder } from "../text/order.ts";
import { type Caps, packTexts } from "./caps.ts";
import { isoTime, type RunArtifact } from "./escalation-schema.ts";
import { FAILURE_MARKERS } from "./triggers.ts";

const WINDOW_MS = 24 * 60 * 60 * 1000;

/** Times in the future count as now. */
const isInWindow = ({ modifiedMs }: ListedFile, nowMs: number): boolean => nowMs - modifiedMs <= WINDOW_MS;

/** Files of the last 24 hours, newest first, then the others, newest first. */
export function byRecency(files: readonly ListedFile[], nowMs: number): readonly ListedFile[] {
  return files.toSorted(
    (a, b) =>
      Number(isInWindow(b, nowMs)) - Number(isInWindow(a, nowMs)) ||
      b.modifiedMs - a.modifiedMs ||
      inOrder(a.path, b.path),
  );
}

/** The run artifacts of a bundle. `read` returns the text of a file, or null. Long logs show failures and keywords. */
export function runArtifacts(
  files: readonly ListedFile[],
  { caps, nowMs, keywords }: { readonly caps: Caps; readonly nowMs: number; readonly keywords: readonly string[] },
  read: (file: ListedFile) => string | null,
): readonly RunArtifact[] {
  const terms = [...new Set([...FAILURE_MARKERS.map((marker) => marker.toLowerCase()), ...keywords])];
  const recent = byRecency(files, nowMs);
  const packed = packTexts(recent, { caps, terms, sharing: recent.length, textOf: read });
  return packed.map(({ candidate, content, size }) => ({
    path: candidate.path,
    content,
    size,
    modified: isoTime(candidate.modifiedMs),
    within_24h: isInWindow(candidate, nowMs),
  }));
}
