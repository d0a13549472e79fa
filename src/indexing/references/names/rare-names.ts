/**
 * The last resort of name resolution: names that few files define.
 *
 * For members of values of unknown type, only methods are candidates; for unqualified names, only macros and what scripts without imports
 * and exports share. Method names of standard libraries are never looked up. Names defined in tests count only in their own file.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import type { ImportFamily } from "../../../languages/language.ts";
import { nameRules } from "../../../languages/languages.ts";
import { STANDARD_MACROS } from "../../../languages/rust/standard-macros.ts";
import type { OutlinedFacts } from "../../../syntax/facts/facts.ts";
import { isExternalMember } from "../../../syntax/facts/member-owner.ts";
import { familyOf } from "../../imports/model.ts";
import { CANDIDATES_MAX } from "../declarations/disambiguation.ts";
import { type FileSymbols, isScriptFile, type SymbolRef, scopeAround } from "../declarations/file-symbols.ts";
import { isCommonName } from "./common-names.ts";

/** Shorter names are ambiguous. */
const NAME_LENGTH_MIN = 4;

export type RareNames = {
  /** Candidates for a member of a value of unknown type: one to three methods, or none. */
  methods(name: string, from: FileSymbols): readonly SymbolRef[];
  /** Candidates for an unqualified name of a script, or a macro. */
  globals(name: string, from: FileSymbols): readonly SymbolRef[];
};

/** Collects the names of all files except tests. */
export function rareNames(files: Iterable<FileSymbols>): RareNames {
  const all = emptyNames();
  for (const file of files) if (!file.isTest) collect(file, all);
  return tableOf((sort, name, family) => all[sort].get(family)?.get(name) ?? NONE);
}

/** The same on demand: `filesOf` gives the files that may define a name, in path order. */
export function rareNamesIn(filesOf: (sort: Sort, name: string) => Iterable<FileSymbols>): RareNames {
  const cached = new Map<string, readonly SymbolRef[]>();
  return tableOf((sort, name, family) => {
    const key = `${sort} ${family} ${name}`;
    const known = cached.get(key);
    if (known !== undefined) return known;
    const names = emptyNames();
    const found = (): readonly SymbolRef[] => names[sort].get(family)?.get(name) ?? NONE;
    for (const file of filesOf(sort, name)) {
      if (!file.isTest) collect(file, names, name);
      if (found().length > CANDIDATES_MAX) break;
    }
    cached.set(key, found());
    return found();
  });
}

export type Sort = "methods" | "globals";

function tableOf(shared: (sort: Sort, name: string, family: ImportFamily) => readonly SymbolRef[]): RareNames {
  // Lookups come file by file, so one cached file is enough.
  let own: { readonly file: FileSymbols | null; readonly names: Names } = { file: null, names: emptyNames() };
  const ownOf = (file: FileSymbols): Names => {
    if (own.file === file) return own.names;
    own = { file, names: emptyNames() };
    collect(file, own.names);
    return own.names;
  };
  const among = (sort: Sort, name: string, from: FileSymbols): readonly SymbolRef[] => {
    if (isCommon(name, from)) return NONE;
    const others = shared(sort, name, from.family);
    const tested = from.isTest ? (ownOf(from)[sort].get(from.family)?.get(name) ?? NONE) : NONE;
    if (others.length + tested.length > CANDIDATES_MAX) return NONE;
    const seen = from.rules.hidesMembers ? others.filter((other) => isSeen(from, other)) : others;
    return tested.length === 0 ? seen : [...tested, ...seen];
  };
  return {
    methods: (name, from) => among("methods", name, from),
    globals: (name, from) => among("globals", name, from),
  };
}

/** Whether a member can be one of a value in a file. What is in a private class may be private by that alone. */
function isSeen(from: FileSymbols, { file, symbol }: SymbolRef): boolean {
  const { symbols } = file.facts;
  const { exported = false, parent = null } = symbols[symbol] ?? {};
  return exported || file === from || symbols[parent ?? -1]?.exported === false;
}

/** Adds the names of a file, or only one. */
function collect(file: FileSymbols, { methods, globals }: Names, only: string | null = null): void {
  const { macros } = file.rules;
  for (const [index, symbol] of file.facts.symbols.entries()) {
    if (only !== null && symbol.name !== only) continue;
    // In Lua a function of a table is called through its module, and only methods through other values.
    const isFunction = symbol.kind === "function" && file.family !== "lua";
    const isMember = symbol.kind === "method" || (isFunction && symbol.qualifiedName !== symbol.name);
    const isMacro = macros !== "" && symbol.signature.startsWith(macros) && !STANDARD_MACROS.has(symbol.name);
    const isGlobal = (file.isScript && symbol.parent === null) || isMacro;
    if ((!isMember && !isGlobal) || isCommon(symbol.name, file) || isLocal(file.facts, index)) continue;
    const names = (isMember ? methods : globals).getOrInsertComputed(file.family, () => new Map<string, SymbolRef[]>());
    const known = names.get(symbol.name);
    if (known === undefined) names.set(symbol.name, [{ file, symbol: index }]);
    else if (known.length <= CANDIDATES_MAX) known.push({ file, symbol: index });
  }
}

/** The names of a file that other files may find without importing it: those that the tables collect, and external members. */
export function sharedNames(
  path: string,
  language: string,
  facts: Pick<OutlinedFacts, "symbols" | "imports" | "exportedAs">,
): readonly string[] {
  const family = familyOf(language);
  if (family === null) return [];
  const rules = nameRules(language);
  const isTest = isTestPath(path);
  const isOpen = isScriptFile(rules, facts);
  return facts.symbols.flatMap((symbol, index) => {
    const { name, kind, qualifiedName, parent, signature } = symbol;
    if (isExternalMember(facts, symbol)) return [name];
    const isMember = kind === "method" || (kind === "function" && qualifiedName !== name);
    const isGlobal = (isOpen && parent === null) || (rules.macros !== "" && signature.startsWith(rules.macros));
    const isShared = !isTest && (isMember || isGlobal) && !isCommon(name, { family, rules });
    return isShared && !isLocal(facts, index) ? [name] : [];
  });
}

type Table = Map<ImportFamily, Map<string, SymbolRef[]>>;
type Names = Readonly<Record<Sort, Table>>;
const emptyNames = (): Names => ({ methods: new Map(), globals: new Map() });
const NONE: readonly SymbolRef[] = [];

const isCommon = (name: string, { family, rules }: Pick<FileSymbols, "family" | "rules">): boolean =>
  name.length < NAME_LENGTH_MIN || isCommonName(name, family, rules.nominal);

/** True if it is defined inside a function. */
function isLocal(facts: Pick<OutlinedFacts, "symbols">, index: number): boolean {
  for (let at = scopeAround(facts, index); at !== null; at = scopeAround(facts, at)) {
    const kind = facts.symbols[at]?.kind;
    if (kind === "function" || kind === "method") return true;
  }
  return false;
}
