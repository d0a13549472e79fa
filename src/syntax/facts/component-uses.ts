/**
 * Components that a file's markup uses, as references from the script in the same file.
 *
 * A tag counts if the script imports its name: `<MyButton>`, `<my-button>`, `<Ui.Button>`. The reference comes from the
 * component that the script exports, if there is one.
 */

import type { ComponentUse } from "../../languages/syntax.ts";
import type { Lines } from "../../text/lines.ts";
import type { ReferenceFact } from "./facts.ts";
import type { UncountedFacts } from "./text-facts.ts";

const NAME_MAX = 200;

/** The uses in order, one for each component. */
export function componentUses(
  components: readonly ComponentUse[],
  { imports, references, symbols, exportedAs }: UncountedFacts,
  lines: Lines,
): readonly ReferenceFact[] {
  const imported = new Set(imports.flatMap(({ names }) => names.flatMap(({ alias }) => alias ?? [])));
  const exported = new Map(Object.entries(exportedAs)).get("default") ?? "default";
  const at = symbols.findIndex(({ name, parent }) => name === exported && parent === null);
  const user = at === -1 ? null : at;
  const known = new Set(
    references.flatMap(({ kind, symbol, qualifier, name }) =>
      kind === "call" && symbol === user ? `${qualifier ?? ""} ${name}` : [],
    ),
  );
  return components.flatMap(({ name: tag, start }) => {
    if (tag.length > NAME_MAX) return [];
    const dot = tag.lastIndexOf(".");
    const qualifier = dot === -1 ? null : tag.slice(0, dot);
    const written = dot === -1 && tag.includes("-") ? inPascalCase(tag) : tag.slice(dot + 1);
    const key = `${qualifier ?? ""} ${written}`;
    if (known.has(key) || !imported.has(qualifier?.split(".", 1)[0] ?? written)) return [];
    known.add(key);
    return [{ name: written, qualifier, kind: "call", line: lines.lineOf(start), symbol: user }];
  });
}

/** Turns `my-button` into `MyButton`. */
const inPascalCase = (tag: string): string =>
  tag.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
