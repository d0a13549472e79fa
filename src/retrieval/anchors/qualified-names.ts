/**
 * Qualified names of a task, such as `A.b`: their parts, and the definitions that they mean.
 *
 * A module of Elixir may have dots in its own name, and functions of Ruby and Elixir may end with `!` or `?`, which no word has.
 */
import type { NamedDefinition } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { IDENTIFIER, NAME_SEPARATOR } from "../../text/terms/identifiers.ts";

const QUALIFIED = new RegExp(`^${IDENTIFIER}(?:(?:${NAME_SEPARATOR.source})${IDENTIFIER})+$`, "u");

/** The components of `a.b.c`, `a::b` or `A\B::c`; empty for anything that is not such a name. */
export function namePartsOf(text: string): readonly string[] {
  const name = text.replace(/\(\)?$/, "");
  return QUALIFIED.test(name) ? name.split(NAME_SEPARATOR) : [];
}

/** The beginnings of a qualified name that have two parts or more: Elixir calls a module `Shop.Cart` whatever holds it. */
export function prefixesOf(text: string): readonly string[] {
  const parts = namePartsOf(text);
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join("."));
}

/** All names that the definitions of a qualified name can have. */
export function namesToFind(text: string): readonly string[] {
  const parts = namePartsOf(text);
  return [...parts, ...prefixesOf(text), ...endedNames(parts.at(-1) ?? "")];
}

const endedNames = (name: string): readonly string[] => (name === "" ? [] : [`${name}!`, `${name}?`]);

/** Definitions, and the name as the task writes it. */
type Meant = { readonly text: string; readonly found: readonly NamedDefinition[] };

/** What a qualified name means: the module of that name, else each part that is inside the one before it. `byName` has what `namesToFind` asks for. */
export function definitionsOf(
  text: string,
  byName: ReadonlyMap<string, readonly NamedDefinition[]>,
  sections: TaskQuery["sections"],
): readonly Meant[] {
  const parts = namePartsOf(text);
  const whole = byName.get(prefixesOf(text).at(-1) ?? "") ?? [];
  if (whole.length > 0) return [{ text, found: whole }];
  return parts.slice(1).flatMap((member, index) => {
    const holding = [parts[index] ?? "", parts.slice(0, index + 1).join(".")];
    const holders = new Set(holding.flatMap((name) => byName.get(name) ?? []).map(({ id }) => id));
    const isLast = index + 2 === parts.length;
    for (const name of isLast ? [...endedNames(member), member] : [member]) {
      const found = (byName.get(name) ?? []).filter(({ parentId }) => parentId !== null && holders.has(parentId));
      const written = `${text}${name.slice(member.length)}`;
      if (found.length > 0 && (name === member || sections.some((section) => section.text.includes(written))))
        return [{ text: written, found }];
    }
    return [];
  });
}
