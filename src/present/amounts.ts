/** Sizes, counts and times as text: `3.4 MiB`, `3 files`, `2m 05s`, `python 12, json 3`. */
import type { ProgressStep } from "../app/workspace/environment.ts";
import { counted } from "../text/counted.ts";

/** Bytes with a unit: `812 B`, `3.4 MiB`. */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Bytes done, of a total if it is known: `3.4 of 12.0 MiB`, `3.4 MiB`. */
export function bytesOf(done: number, total: number | null): string {
  if (total === null) return bytesText(done);
  const whole = bytesText(total);
  const part = bytesText(done);
  const unit = whole.slice(whole.indexOf(" "));
  return `${part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole}`;
}

/** What steps of indexing count, unless that is bytes. */
const COUNTED: Readonly<Record<string, string>> = { walk: "file", resolve: "file", write: "file", history: "commit" };

/** The state of a step: `parse 3.4 of 12.0 MiB`, `walk 812 files`, `api: history 3 of 90 commits`, `wait`. */
export function stepText({ phase, done, total, unit }: ProgressStep): string {
  if (unit === "bytes") return `${phase} ${bytesOf(done, total)}`;
  const noun = COUNTED[phase.slice(phase.lastIndexOf(" ") + 1)];
  if (noun === undefined && total === null && done === 0) return phase;
  const part = total === null ? "" : `${done} of `;
  return `${phase} ${part}${noun === undefined ? (total ?? done) : counted(total ?? done, noun)}`;
}

/** Seconds as people say them: `8s`, `2m 05s`, `1h 10m`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(whole / 3600)}h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")}m`;
}

/** Milliseconds as text: `640 ms`, `1.2 s`. */
export const secondsText = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** Names with their counts, the largest first: `python 12, json 3`. */
export function tally(counts: readonly (readonly [string, number])[]): string {
  const sorted = counts.toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `${name} ${count}`).join(", ");
}

/** Of a package that was saved inside a repository. */
export const UNTRACKED = "lies in the repository, and git neither tracks nor ignores it; cra does not index it";
