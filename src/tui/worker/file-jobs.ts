/** The jobs about files of the index: the text of one, its definitions, and the names that the finder searches. */

import type { IndexedFile, IndexedName } from "../../app/indexing/browse-index.ts";
import { Failed } from "../../failure.ts";
import { fuzzyOf } from "../state/lists/fuzzy.ts";
import { previewLine } from "../state/preview/preview.ts";
import { isFirstAnswer, type PreviewLine } from "../state/review-state.ts";
import { labelOf } from "../state/state.ts";
import { type HandlerContext, withStoredIndex } from "./handler-context.ts";
import type { JobHandlers } from "./protocol.ts";

const PREVIEW_LINES_MAX = 5_000;
const PREVIEW_LINE_CHARS_MAX = 2_000;
const OUTLINE_MAX = 5_000;

/** A file without an entry in the index, or without an index, has no text and no definitions. */
export function fileHandlers(context: HandlerContext): Pick<JobHandlers, "preview" | "outline" | "find"> {
  return {
    async preview(path) {
      const file = await indexedFile(context, path);
      if (file === null) return { path, language: "", lines: null };
      return { path, language: file.language, lines: linesOf(file.text) };
    },
    async outline(path) {
      return ((await indexedFile(context, path))?.symbols ?? []).slice(0, OUTLINE_MAX);
    },
    async find({ query, limit }) {
      context.names ??= named(await knownNames(context));
      const { all, fuzzy } = context.names;
      const { count, best } = fuzzy.search(query, limit);
      const rows = best.flatMap(({ index, at }) => {
        const found = all[index];
        return found === undefined ? [] : [{ found, at }];
      });
      return { rows, matches: count, of: fuzzy.size };
    },
  };
}

/** A file of the index; null where it is not in it, or there is no index, such as after a first answer was stopped. */
async function indexedFile({ openApp }: HandlerContext, path: string): Promise<IndexedFile | null> {
  const app = await openApp();
  try {
    return app.indexedFile(path);
  } catch (error) {
    if (error instanceof Failed && error.failure.code === "not-indexed") return null;
    throw error;
  }
}

/** The names of the index; those that are known without one, if there is none. */
async function knownNames(context: HandlerContext): Promise<readonly IndexedName[]> {
  const stored = await withStoredIndex(context, (app) => (app.isIndexed() ? app.names() : null));
  return stored ?? (isFirstAnswer(context.newest) ? (await context.openApp()).names() : []);
}

const named = (all: readonly IndexedName[]) => ({ all, fuzzy: fuzzyOf(all.map(labelOf)) });

function linesOf(text: string): readonly PreviewLine[] {
  const lines = text.split("\n", PREVIEW_LINES_MAX + 1);
  if (lines.at(-1) === "") lines.pop();
  const shown = lines
    .slice(0, PREVIEW_LINES_MAX)
    .map((line, at) => previewLine("code", at + 1, line.slice(0, PREVIEW_LINE_CHARS_MAX)));
  return lines.length > PREVIEW_LINES_MAX ? [...shown, previewLine("mark", null, "…")] : shown;
}
