/**
 * Qualified names of a task, such as `A.b`: their parts, and the definitions that they mean.
 *
 * A module of Elixir may have dots in its own name, and functions of Ruby and Elixir may end with `!` or `?`, which no word has.
 */
import type { NamedDefinition } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { isShort } from "../../task/searched-task.ts";
import { IDENTIFIER, NAME_SEPARATOR } from "../../text/terms/identifiers.ts";
import { modulePartsOf, mostAgreeing } from "./module-names.ts";

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

/** In a task, a module has to be in the path of what it holds: a name alone is a word. */
const AGREEING_MIN = 2;

type Known = {
  /** Has what `namesToFind` asks for. */
  readonly byName: ReadonlyMap<string, readonly NamedDefinition[]>;
  readonly task: Pick<TaskQuery, "sections" | "frames" | "title">;
  pathOf(fileId: number): string;
};

/**
 * What a qualified name means: the module of that name, else each part that is inside the one before it; in a short task also a member
 * that is defined outside of its type, as methods of Go and of a Rust `impl` are, else the definition of the last part in the module that
 * stands before it. A report names such members in passing: of 319 tasks one loses its first place, and one gains a place among five.
 */
export function definitionsOf(text: string, { byName, task, pathOf }: Known): readonly Meant[] {
  const isExact = isShort(task);
  const parts = namePartsOf(text);
  const whole = byName.get(prefixesOf(text).at(-1) ?? "") ?? [];
  if (whole.length > 0) return [{ text, found: whole }];
  const members = parts.slice(1).flatMap((member, index) => {
    const holder = parts[index] ?? "";
    const isLast = index + 2 === parts.length;
    for (const name of isLast ? [...endedNames(member), member] : [member]) {
      const found = (byName.get(name) ?? []).filter(
        ({ parentId, qualifiedName }) => (isExact || parentId !== null) && isHeld(qualifiedName, `${holder}.${name}`),
      );
      const written = `${text}${name.slice(member.length)}`;
      if (found.length > 0 && (name === member || task.sections.some((section) => section.text.includes(written))))
        return [{ text: written, found }];
    }
    return [];
  });
  if (members.length > 0 || !isExact) return members;
  const inModule = modulePartsOf(text);
  const found = mostAgreeing(inModule, byName.get(inModule.at(-1) ?? "") ?? [], pathOf, AGREEING_MIN);
  return found.length === 0 ? [] : [{ text, found }];
}

/** Whether a qualified name is this one or ends in it. */
const isHeld = (qualifiedName: string, name: string): boolean =>
  qualifiedName === name || qualifiedName.endsWith(`.${name}`);
