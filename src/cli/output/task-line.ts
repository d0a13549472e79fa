/** A task's text as one line of a terminal. */

/** A task can be a whole issue; a line of it is enough to know it again. */
const CHARS_MAX = 100;

/** The first line that says something, cut, with a mark when the task says more. */
export function taskLine(task: string, charsMax = CHARS_MAX): string {
  const line =
    task
      .split("\n")
      .find((text) => text.trim() !== "")
      ?.trim() ?? "";
  const chars = [...line];
  const isWhole = chars.length <= charsMax && line === task.trim();
  return isWhole ? line : `${chars.slice(0, charsMax).join("")} …`;
}
