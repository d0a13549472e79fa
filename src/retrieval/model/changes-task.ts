/** The task of a review without a task of its own: a list of what has changed. */
import { display } from "../../text/display.ts";
import { symbolParts } from "./request-names.ts";

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
