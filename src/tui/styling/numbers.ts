/** Numbers and times as screens show them: grouped, shortened, as durations, percentages and bars. */
import { bytesOf, bytesText } from "../../present/amounts.ts";
import type { Signs } from "./theme.ts";

/** `24310` as `24,310`. */
export const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");

/** At most five characters: `9,999`, `12.4k`, `124k`, `1.2M`. */
export function shortened(count: number): string {
  if (count < 10_000) return grouped(count);
  if (count < 99_950) return `${(count / 1_000).toFixed(1)}k`;
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return count < 999_500_000 ? `${(count / 1_000_000).toFixed(count < 9_950_000 ? 1 : 0)}M` : "many";
}

/** `0.8s`, `12s`, `2m05s`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}

/** An ISO time as the user's clock showed it: `2026-11-30 03:45`. Another text stays as it is. */
export function clockTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** At most 999 percent; 100 only if nothing is missing. */
export function percent(part: number, whole: number): string {
  const share = whole <= 0 ? 0 : Math.min(999, Math.round((part / whole) * 100));
  return `${part < whole ? Math.min(99, share) : share}%`;
}

type Progress = {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit?: "bytes";
  readonly since: number;
  readonly from: number;
};

/** What a step of indexing does, and what it counts if that is not bytes. */
const PHASES: Readonly<Record<string, { readonly words: string; readonly counts?: string }>> = {
  wait: { words: "waiting for another cra" },
  walk: { words: "finding files" },
  count: { words: "counting words" },
  parse: { words: "parsing" },
  history: { words: "reading history", counts: "commits" },
  resolve: { words: "linking files" },
  write: { words: "writing", counts: "files" },
};

/** What a step of indexing does. */
export const phaseWords = (phase: string): string => PHASES[phase]?.words ?? phase;

/** `parsing 1,234/5,000 (24%)` of a long job, its rate, `· 500/s`, and the time left, `· 8s left`, each only if known. */
export function progressText({ phase, done, total, unit, since, from }: Progress, now: number, dot: string): string {
  // An update may have nothing to write, and waiting counts nothing.
  if (total === 0 || (total === null && done === 0)) return phaseWords(phase);
  const isBytes = unit === "bytes";
  const noun = PHASES[phase]?.counts;
  const plain = `${grouped(done)}${total === null ? "" : `/${grouped(total)}`}${noun === undefined ? "" : ` ${noun}`}`;
  const count = `${phaseWords(phase)} ${isBytes ? bytesOf(done, total) : plain}`;
  const parts = [total === null ? count : `${count} (${percent(done, total)})`];
  if (now - since >= PACE_MS_MIN && done > from) {
    const perSecond = ((done - from) * 1_000) / (now - since);
    parts.push(`${isBytes ? bytesText(perSecond) : shortened(perSecond)}/s`);
    if (total !== null && total > done) parts.push(`${elapsed(((total - done) / perSecond) * 1_000)} left`);
  }
  return parts.join(dot);
}

/** A rate over a shorter time would be noise. */
const PACE_MS_MIN = 500;

/** A count with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** A gauge of whole cells for `share` (0 to 1), padded with empty cells; full only at 1. */
export function gauge(share: number, columns: number, { bar: parts, empty }: Signs): string {
  const filled = share >= 1 ? columns : Math.max(0, Math.min(columns - 1, Math.round(share * columns)));
  return (parts.at(-1) ?? "").repeat(filled) + empty.repeat(columns - filled);
}

/** A bar for `share` (0 to 1) with fractions of a cell, padded with blanks; visible for any share above 0. */
export function bar(share: number, columns: number, { bar: parts }: Signs): string {
  const steps = parts.length;
  const wanted = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * columns * steps;
  const filled = wanted > 0 ? Math.max(1, Math.round(wanted)) : 0;
  const whole = Math.floor(filled / steps);
  const part = filled % steps;
  const drawn = (parts.at(-1) ?? "").repeat(whole) + (part === 0 ? "" : (parts[part - 1] ?? ""));
  return drawn + " ".repeat(Math.max(0, columns - whole - (part === 0 ? 0 : 1)));
}
