/**
 * Finds the stack traces in the lines of a log, so that an excerpt shows them whole.
 */
import { isErrorLine, isFrameLine, isTraceHead } from "../task/section-patterns.ts";

/** Lines from `from` up to, excluding, `to`. */
export type LineRange = { readonly from: number; readonly to: number };

/** The most lines within a trace that are neither frames nor errors, and the most with indented code. */
const GAP_MAX = 4;
const CODE_GAP_MAX = 40;
const FRAMES_MIN = 2;

/** The traces in order: frames with their heads and errors, and the few lines between them. */
export function traceBlocks(lines: readonly string[]): readonly LineRange[] {
  const found: LineRange[] = [];
  let open: { from: number; to: number; frames: number; gap: number } | null = null;
  const close = (): void => {
    if (open !== null && open.frames >= FRAMES_MIN) found.push({ from: open.from, to: open.to });
    open = null;
  };
  for (const [at, line] of lines.entries()) {
    const isFrame = isFrameLine(line);
    if (isFrame || isTraceHead(line) || isErrorLine(line)) {
      open ??= { from: at, to: at, frames: 0, gap: 0 };
      [open.to, open.gap] = [at + 1, 0];
      open.frames += isFrame ? 1 : 0;
    } else if (open !== null) {
      open.gap += /^\s/.test(line) ? 0 : 1;
      if (open.gap > GAP_MAX || at - open.to > CODE_GAP_MAX) close();
    }
  }
  close();
  return found;
}
