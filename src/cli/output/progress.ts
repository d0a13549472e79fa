/**
 * The progress of a long job as one line on stderr: phase, done of total, rate, time left.
 *
 * Drawn only on a terminal, at most ten times a second, never wider than the terminal, and erased at the end.
 */
import stringWidth from "string-width";
import type { ProgressStep } from "../../app/workspace/environment.ts";
import { bytesOf, bytesText, duration } from "../../present/amounts.ts";
import { display } from "../../text/display.ts";
import type { Sink } from "./sink.ts";

const DRAW_EVERY_MS = 100;
/** Earlier rates are guesses. */
const RATE_AFTER_MS = 2_000;
/** Back to the first column, and erase to the end of the line. */
const CLEAR = "\r\x1b[K";

export type Progress = {
  /** Shows a state unless the last one was just drawn. Never fails. */
  update(step: ProgressStep): void;
  clear(): Promise<void>;
};

export function progressOn(sink: Sink, nowMs: () => number, { shown }: { readonly shown: boolean }): Progress {
  if (!shown) return { update: () => {}, clear: async () => {} };
  let drawn = false;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let phase = "";
  let phaseAt = 0;
  return {
    update(step) {
      const now = nowMs();
      if (step.phase !== phase) [phase, phaseAt] = [step.phase, now];
      else if (now - drawnAt < DRAW_EVERY_MS) return;
      [drawn, drawnAt] = [true, now];
      void sink.write(`${CLEAR}${progressLine(step, now - phaseAt, sink.columns - 1)}`);
    },
    async clear() {
      if (drawn) await sink.write(CLEAR);
      [drawn, phase] = [false, ""];
    },
  };
}

/** The line's text, at most `columns` wide. */
export function progressLine({ phase, done, total, unit }: ProgressStep, elapsedMs: number, columns: number): string {
  const count = unit === "bytes" ? bytesOf(done, total) : total === null ? `${done}` : `${done}/${total}`;
  const parts = [display(phase), ...(done > 0 || (total ?? 0) > 0 ? [count] : [])];
  if (elapsedMs >= RATE_AFTER_MS && done > 0) {
    const perSecond = done / (elapsedMs / 1000);
    parts.push(unit === "bytes" ? `${bytesText(perSecond)}/s` : rateText(perSecond));
    if (total !== null && total > done) parts.push(`${duration((total - done) / perSecond)} left`);
  }
  return truncated(parts.join("  "), columns);
}

function rateText(perSecond: number): string {
  if (perSecond < 0.1) return `${(perSecond * 60).toFixed(1)}/min`;
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
}

/** Cut to a width in columns, with an ellipsis. */
function truncated(text: string, columns: number): string {
  if (columns < 1) return "";
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
