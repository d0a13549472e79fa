/** Whether the text of a task already names what is sought. Such cases are easier, and results list them apart. */
import type { AnswerLeak, GoldSymbol } from "./model.ts";

/** Shorter names occur in any text. */
const NAME_MIN = 3;

/**
 * Names match as whole words. A path matches as it is, or as code refers to it: its last folder and its name without
 * extension, joined by a slash or a dot (`views/debug`, `django.views.debug`).
 */
export function answerLeak(
  task: string,
  expectedFiles: readonly string[],
  expectedSymbols: readonly Pick<GoldSymbol, "name">[],
): AnswerLeak {
  const words = new Set(task.match(/[\p{L}\p{N}_$]+/gu));
  const basenames = expectedFiles.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return {
    path: expectedFiles.some((path) => pathForms(path).some((form) => hasWhole(task, form))),
    basename: basenames.some((name) => hasWhole(task, name)),
    symbol: expectedSymbols.some(({ name }) => name.length >= NAME_MIN && words.has(name)),
  };
}

function pathForms(path: string): readonly string[] {
  const last = path.split("/").slice(-2);
  if (last.length < 2) return [path];
  const [folder = "", name = ""] = last;
  const stem = name.replace(/(?<=.)\.[^.]*$/, "");
  return [path, `${folder}/${stem}`, `${folder}.${stem}`];
}

/** Whether the text contains the name, not as a part of a longer one. */
function hasWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + name.length] ?? " "}`;
    if (!/[\p{L}\p{N}_$]/u.test(around)) return true;
  }
  return false;
}
