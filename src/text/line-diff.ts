/**
 * Which lines of a text are new against an earlier one, and where lines are gone.
 *
 * Pure, and always the same for the same texts. Lines that differ in their line end alone are the same. Texts that
 * have next to nothing in common are not looked through to the end: then all between what they begin and end with is
 * new. Not here: reading the texts.
 */
import type { LineRange } from "./ranges.ts";

/**
 * `added`: ranges of lines of the later text. `goneAfter`: lines of the later text (0: none) behind which earlier
 * lines are missing, with nothing new in their place.
 */
export type LineDiff = { readonly added: readonly LineRange[]; readonly goneAfter: readonly number[] };

/** Edits that are looked for; what is kept meanwhile grows with their square. */
const EDITS_MAX = 1_000;

/** Compares two texts by line. */
export function diffLines(before: string, after: string): LineDiff {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shortest = Math.min(old.length, now.length);
  let head = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const steps = edits(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return hunks(steps, head);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** How one text becomes the other, line by line. */
type Step = "same" | "gone" | "new";

/** A shortest way from one text to the other: Myers' greedy algorithm (1986). */
function edits(old: readonly string[], now: readonly string[]): readonly Step[] {
  const rewritten = (): readonly Step[] => [...old.map(() => "gone" as const), ...now.map(() => "new" as const)];
  if (old.length === 0 || now.length === 0) return rewritten();
  const most = Math.min(old.length + now.length, EDITS_MAX);
  // How far each diagonal has come, after each number of edits.
  const reached: Int32Array[] = [];
  let at = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let count = 0; count <= most; count += 1) {
    reached.push(at.slice(middle - count - 1, middle + count + 2));
    const next = at.slice();
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = isDown(at, middle, diagonal, count)
        ? (at[middle + diagonal + 1] ?? 0)
        : (at[middle + diagonal - 1] ?? 0) + 1;
      let y = x - diagonal;
      while (x < old.length && y < now.length && old[x] === now[y]) [x, y] = [x + 1, y + 1];
      next[middle + diagonal] = x;
      if (x >= old.length && y >= now.length) return back(reached, old.length, now.length);
    }
    at = next;
  }
  return rewritten();
}

/** Whether a diagonal is reached by a new line, not by one that is gone. */
const isDown = (at: Int32Array, middle: number, diagonal: number, count: number): boolean =>
  diagonal === -count || (diagonal !== count && (at[middle + diagonal - 1] ?? 0) < (at[middle + diagonal + 1] ?? 0));

/** The way back from the end, turned around. */
function back(reached: readonly Int32Array[], oldEnd: number, nowEnd: number): readonly Step[] {
  const steps: Step[] = [];
  let [x, y] = [oldEnd, nowEnd];
  for (let count = reached.length - 1; count >= 0; count -= 1) {
    const at = reached[count] ?? new Int32Array(0);
    const middle = count + 1;
    const diagonal = x - y;
    const down = isDown(at, middle, diagonal, count);
    const fromX = count === 0 ? 0 : (at[middle + diagonal + (down ? 1 : -1)] ?? 0);
    const fromY = count === 0 ? 0 : fromX - diagonal - (down ? 1 : -1);
    while (x > fromX && y > fromY) {
      steps.push("same");
      [x, y] = [x - 1, y - 1];
    }
    if (count > 0) steps.push(down ? "new" : "gone");
    [x, y] = [fromX, fromY];
  }
  return steps.reverse();
}

/** `before` lines stand in front of the first step. */
function hunks(steps: readonly Step[], before: number): LineDiff {
  const added: LineRange[] = [];
  const goneAfter: number[] = [];
  let line = before;
  for (let at = 0; at < steps.length; ) {
    if (steps[at] === "same") {
      [line, at] = [line + 1, at + 1];
      continue;
    }
    const startLine = line + 1;
    for (; at < steps.length && steps[at] !== "same"; at += 1) if (steps[at] === "new") line += 1;
    if (line >= startLine) added.push({ startLine, endLine: line });
    else goneAfter.push(line);
  }
  return { added, goneAfter };
}
