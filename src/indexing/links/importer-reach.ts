/**
 * Tells which files can see something of another one: those that import it, directly or through others, and those that mention a member
 * that it defines outside of its type.
 */

import { onDemand } from "../../concurrency/on-demand.ts";
import { nameRules } from "../../languages/languages.ts";
import { ownerOf } from "../../syntax/facts/member-owner.ts";
import { searchTerm } from "../../text/terms/search-terms.ts";
import { parameterType } from "../references/declarations/declared-types.ts";
import { scopesOf } from "../references/declarations/file-symbols.ts";
import type { Interface } from "./interface-diff.ts";

/** What is known of all files. */
type ReachSource = {
  /** The stored imports, as pairs of importer and imported file. */
  imports(): readonly (readonly [importer: string, imported: string])[];
  /** The members that are defined outside of their types, and the files that define them. */
  outsideMembers(): readonly { readonly name: string; readonly path: string }[];
  mentioning(terms: readonly string[]): Iterable<string>;
  interfaceOf(path: string): Interface | null;
  languageOf(path: string): string | null;
};

export type ImporterReach = {
  /** Whether a file can see another one. May be true wrongly. */
  sees(path: string, other: string): boolean;
  /** Whether no other file can see it. */
  isUnseen(path: string): boolean;
};

/** Where there are more of them, everything counts as seen by everything. */
const OUTSIDE_MAX = 200;

/** Reads what it needs on the first question. */
export function importerReach(source: ReachSource): ImporterReach {
  const all = new Map<string, ReadonlySet<string>>();
  const direct = onDemand(() => directSeers(source));
  const seersOf = (path: string, known: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> =>
    all.getOrInsertComputed(path, () => {
      const found = new Set([path]);
      // Files that are added meanwhile are visited, too.
      for (const each of found) for (const seer of known.get(each) ?? []) found.add(seer);
      return found;
    });
  return {
    sees(path, other) {
      if (path === other) return true;
      const known = direct();
      return known === null || seersOf(other, known).has(path);
    },
    isUnseen: (path) => direct()?.has(path) === false,
  };
}

/** The files that see each file directly; null if that is not known. */
function directSeers(source: ReachSource): ReadonlyMap<string, readonly string[]> | null {
  const { imports, mentioning } = source;
  const members = source
    .outsideMembers()
    .filter(({ name, path }) => mayHaveOwner(source.languageOf(path) ?? "", source.interfaceOf(path), name));
  if (members.length > OUTSIDE_MAX) return null;
  const seers = new Map<string, string[]>();
  for (const [importer, imported] of imports()) seers.getOrInsertComputed(imported, () => []).push(importer);
  for (const { name, path } of members) {
    const term = searchTerm(name);
    if (term === null) return null;
    for (const seer of mentioning([term])) seers.getOrInsertComputed(path, () => []).push(seer);
  }
  return seers;
}

/** Whether a file says something of what the owner of such a member may be: otherwise no type has the member. */
function mayHaveOwner(language: string, facts: Interface | null, name: string): boolean {
  if (facts === null || facts.imports.some(({ star }) => star)) return true;
  const known = new Set(facts.symbols.map((symbol) => symbol.name));
  for (const { names } of facts.imports) for (const bound of names) known.add(bound.alias ?? bound.name);
  return facts.symbols.some((symbol, at) => {
    const owner = symbol.name === name ? ownerOf(facts, symbol) : null;
    const [head = "", ...rest] = owner?.split(".") ?? [];
    if (owner === null || known.has(head) || head === "this") return owner !== null;
    // A path can begin with a parameter.
    const typeIn = (scope: number) => parameterType(facts.symbols[scope]?.signature ?? "", head, nameRules(language));
    return rest.length > 0 && scopesOf(facts, at).some((scope) => (typeIn(scope) ?? null) !== null);
  });
}
