/** Whether a task's text names what is sought: such cases are easier, and are told apart. Pure. */
import type { GivesAway, GoldSymbol } from "./model.ts";

/** A name of fewer letters is found in any text. */
const NAME_MIN = 3;

/**
 * Names count as whole words. A path is named by itself, or by how code names it: its last folder and its name without
 * the extension, with a slash or a dot between them (`views/debug`, `django.views.debug`).
 */
export function givesAway(
  task: string,
  expectedFiles: readonly string[],
  expectedSymbols: readonly Pick<GoldSymbol, "name">[],
): GivesAway {
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

/** Whether a file's name stands in the text, and not as the end of a longer name. */
function hasWhole(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + name.length] ?? " "}`;
    if (!/[\p{L}\p{N}_$]/u.test(around)) return true;
  }
  return false;
}
