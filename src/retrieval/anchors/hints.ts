/**
 * Anchors of the user's hints: `--hint-path` (a path, its end, a folder or a glob) and `--hint-symbol` (a name or a dotted
 * name of a definition, else of a heading or key). A hint that matches nothing is an anchor without files.
 */
import type { KnowledgeBase, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import type { Anchor } from "../model/anchor.ts";
import { inFileOrder } from "./definition-names.ts";
import { isNamed, type PathIndex } from "./path-index.ts";

/** The anchors of the hints, paths first. */
export function hintAnchors(
  task: TaskQuery,
  kb: KnowledgeBase,
  paths: PathIndex,
  positions: ReadonlyMap<number, number>,
): readonly Anchor[] {
  const anchor = { kind: "hint", section: "title", codeLike: true, value: 1 } as const;
  const lastPart = (name: string): string => name.split(/\.|::|#/).at(-1) ?? name;
  const names = [...new Set(task.given.symbols.map(lastPart))];
  const named = inFileOrder(kb.symbolsNamed(names), positions);
  const parts = inFileOrder(kb.outlineNamed(names), positions);
  return [
    ...task.given.paths.map((text) => ({ ...anchor, text, files: filesLike(text, paths), symbols: [] })),
    ...task.given.symbols.map((text) => {
      const whole = text.replaceAll(/::|#/g, ".");
      const isMeant = ({ name, qualifiedName }: SymbolRow): boolean =>
        name === whole || qualifiedName === whole || qualifiedName.endsWith(`.${whole}`);
      const defined = named.filter(isMeant);
      const symbols = defined.length > 0 ? defined : parts.filter(isMeant);
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
  const match = paths.endingLike(text);
  if (match.components === match.written) return match.files;
  const inside = paths.under(text);
  if (inside.length > 0) return inside;
  const bare = paths.withoutExtension(text);
  // an absolute path agrees only at its end
  return bare.length > 0 ? bare : isNamed(text, match) ? match.files : [];
}
