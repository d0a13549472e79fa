/** Finds what the meaning of a file's own names depends on: other names, in their signatures, bases, owners and imports. */
import { nameRules } from "../../languages/languages.ts";
import { CONTAINER_KINDS, type OutlineSymbol } from "../../syntax/facts/facts.ts";
import { isExternalMember } from "../../syntax/facts/member-owner.ts";
import { IDENTIFIER } from "../../text/terms/identifiers.ts";
import { familyOf } from "../imports/model.ts";
import { typesRead } from "../references/declarations/declared-types.ts";
import { CLASS_KINDS, scopesOf } from "../references/declarations/file-symbols.ts";
import { type Interface, isBase, isHidden, isModular, isReexport } from "./interface-diff.ts";

/** A name of a file, and the names that its meaning depends on. `seenBy`: only the file itself, importers, or files that import nothing. */
export type Mention = {
  readonly name: string;
  readonly by: ReadonlySet<string>;
  readonly seenBy: "file" | "importers" | "all";
};

const WORDS = new RegExp(IDENTIFIER, "gu");
const wordsOf = (text: string): readonly string[] => text.match(WORDS) ?? [];

export function mentionsOf(language: string, facts: Interface): readonly Mention[] {
  const { symbols, imports, references, exportedAs } = facts;
  const isModule = isModular(familyOf(language));
  const mentions: (Mention & { readonly by: Set<string> })[] = symbols.map((symbol, at) => {
    const by = new Set(wordsOf(isModule ? typesAround(language, facts, symbol, at) : symbol.signature));
    const isExternal = isExternalMember(facts, symbol);
    if (isExternal) for (const word of wordsOf(symbol.qualifiedName)) by.add(word);
    const seenBy = isExternal ? "all" : isModule && isHidden(symbols, at) ? "file" : "importers";
    return { name: symbol.name, by, seenBy };
  });
  for (const reference of references) {
    const own = reference.symbol === null ? undefined : mentions[reference.symbol];
    if (own === undefined || !isBase(reference)) continue;
    for (const word of wordsOf(`${reference.qualifier ?? ""} ${reference.name}`)) own.by.add(word);
    // A mixin calls members of what uses it.
    if (nameRules(language).mixins && reference.kind === "implement")
      mentions.push({ name: reference.name, by: new Set(usersNamed(symbols, reference.symbol)), seenBy: "importers" });
  }
  for (const { specifier, kind, names } of imports) {
    const around = isModule ? [] : wordsOf(specifier);
    const seenBy = isModule && !isReexport(kind) ? "file" : "importers";
    for (const { name, alias } of names)
      if (alias !== null) mentions.push({ name: alias, by: new Set([...around, ...wordsOf(name)]), seenBy });
  }
  for (const [name, local] of Object.entries(exportedAs))
    mentions.push({ name, by: new Set(wordsOf(local)), seenBy: "importers" });
  return mentions;
}

/** The names of what uses a mixin: a class or module, or a hook of one. */
function usersNamed(symbols: Interface["symbols"], symbol: number | null): readonly string[] {
  const scopes = scopesOf({ symbols }, symbol).flatMap((scope) => symbols[scope] ?? []);
  const end = scopes.findIndex(({ kind }) => CONTAINER_KINDS.has(kind)) + 1;
  return scopes.slice(0, end).map(({ name }) => name);
}

/** The types that a signature names, and what the signatures around it name, where parameters are looked up. */
function typesAround(language: string, { symbols }: Interface, symbol: OutlineSymbol, at: number): string {
  const types = typesRead(symbol, nameRules(language));
  const scopes = scopesOf({ symbols }, at).slice(types.some((type) => type.includes(".")) ? 0 : 1);
  const around = scopes.flatMap((scope) => {
    const { kind = "class", signature = "" } = symbols[scope] ?? {};
    return CLASS_KINDS.has(kind) ? [] : signature;
  });
  return [...types, ...around].join(" ");
}
