/** The task of a review: a list of what has changed, or words that ask for nothing but a review (`review-words.ts`). */
import { analyzeTask, type TaskBackground } from "../../task/analyze.ts";
import type { TaskQuery } from "../../task/query.ts";
import { display } from "../../text/display.ts";
import { symbolParts } from "./request-names.ts";
import { askedInWords, asksForReview } from "./review-words.ts";

/** The text of a task that consists of changes alone. `isPath` tells the files that are changed. */
export function changesTask(names: readonly string[], isPath: (path: string) => boolean): string {
  const parts = names.map((text) => {
    const { path, name } = symbolParts(text, isPath);
    return isPath(text) || path === "" ? { path: text, name: "" } : { path, name };
  });
  const byFile = Map.groupBy(parts, ({ path }) => path);
  const lines = [...byFile].map(([path, own]) => {
    const symbols = own.flatMap(({ name }) => (name === "" ? [] : [`\`${name}\``]));
    return `- \`${display(path)}\`${symbols.length === 0 ? "" : `: ${symbols.join(", ")}`}`;
  });
  return `${REVIEW}\n\n${lines.join("\n")}`;
}

const REVIEW = "Please review these changes:";

/** Whether a text is such a task. Nobody wrote its words: the changes themselves say what it is about. */
export const isChangesTask = (text: string): boolean =>
  text.startsWith(`${REVIEW}\n\n`) &&
  text
    .slice(REVIEW.length + 2)
    .split("\n")
    .every((line) => line.startsWith("- `"));

/** The analysis of a task. Of a review, only what it shall look for has words to search for: the changes say what it is about. */
export function analyzeAsked(text: string, background: TaskBackground, hasChanges: boolean): TaskQuery {
  const whole = analyzeTask(text, background);
  const about = hasChanges || isChangesTask(text) ? aboutOf(text) : null;
  if (about === null) return whole;
  const { raw, title, taskType } = whole;
  return { ...analyzeTask(about, background), raw, title, taskType };
}

/** Whether a task was analysed as a review without words to search for. */
export const isOnlyReview = ({ raw, sections }: Pick<TaskQuery, "raw" | "sections">): boolean =>
  sections.length === 0 && aboutOf(raw) !== null;

/** What a review shall look for, "" for no more than flaws; null for any other task. */
function aboutOf(text: string): string | null {
  if (isChangesTask(text) || asksForReview(text)) return "";
  const asked = askedInWords(text);
  return asked === null ? null : (asked.about ?? "");
}
