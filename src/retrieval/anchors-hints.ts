/**
 * What the user gave: `--hint-path` (a path, its end, a folder or a glob) and `--hint-symbol` (a name,
 * or a dotted one). A hint is never guessed at, and never left out: one that matches nothing is an
 * anchor without files.
 */
import type { KnowledgeBase } from "../db/curated.ts";
import type { TaskQuery } from "../task/query.ts";
import type { Anchor } from "./anchors.ts";
import type { PathIndex } from "./anchors-paths.ts";

/** The anchors of the hints, paths first. */
export function findHints(
  task: TaskQuery,
  kb: KnowledgeBase,
  paths: PathIndex,
  known: ReadonlySet<number>,
): readonly Anchor[] {
  const anchor = { kind: "hint", section: "title", codeLike: true, value: 1 } as const;
  const lastPart = (name: string): string => name.split(/\.|::|#/).at(-1) ?? name;
  const named = kb.symbolsNamed([...new Set(task.given.symbols.map(lastPart))]);
  return [
    ...task.given.paths.map((text) => ({ ...anchor, text, files: filesLike(text, paths), symbols: [] })),
    ...task.given.symbols.map((text) => {
      const whole = text.replaceAll(/::|#/g, ".");
      const symbols = named.filter(
        ({ name, qualifiedName, fileId }) =>
          known.has(fileId) && (name === whole || qualifiedName === whole || qualifiedName.endsWith(`.${whole}`)),
      );
      return {
        ...anchor,
        text,
        files: [...new Set(symbols.map(({ fileId }) => fileId))],
        symbols: symbols.map(({ id }) => id),
      };
    }),
  ];
}

function filesLike(text: string, paths: PathIndex): readonly number[] {
  if (/[*?{]/.test(text)) return paths.matchingGlob(text);
  const { files, components, written } = paths.endingLike(text);
  if (files.length > 0 && components === written) return files;
  const bare = paths.withoutExtension(text);
  if (bare.length > 0) return bare;
  const inside = paths.under(text);
  // an absolute path agrees only at its end
  return inside.length > 0 ? inside : components >= 2 ? files : [];
}
