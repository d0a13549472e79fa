/**
 * The last resort of reference resolution: a name that few files of the repository define.
 *
 * For members of values whose type is unknown, only methods are candidates; for bare names, only what
 * scripts without imports and exports share, and macros. Names that standard libraries use for their own methods
 * say nothing and are never looked up. Tests define names for themselves, not for others.
 */

import type { ImportFamily } from "../../languages/language.ts";
import { isCommonName } from "./common-names.ts";
import { type FileSymbols, listed, type Place, scopesOf } from "./file-symbols.ts";
import { CANDIDATES_MAX } from "./visible-names.ts";

/** Shorter names say too little. */
const NAME_LENGTH_MIN = 4;

/** Macros that Rust itself has, by which few mean those of a module with the same names. */
const STANDARD_MACROS: ReadonlySet<string> = new Set(
  `assert assert_eq assert_ne column compile_error concat debug_assert debug_assert_eq debug_assert_ne eprint eprintln
   format format_args include include_bytes include_str line matches module_path panic print println stringify
   thread_local todo unimplemented unreachable write writeln`.split(/\s+/),
);

export type NameTable = {
  /** Where a member of an unknown value may be defined: one to three methods, or none. */
  methods(name: string, from: FileSymbols): readonly Place[];
  /** Where a bare name of a script, or a macro, may be defined. */
  globals(name: string, from: FileSymbols): readonly Place[];
};

/**
 * Collects the names of a repository. A list stops growing once it is too long to say anything. What a
 * test file defines is listed under that file only.
 */
export function nameTable(files: Iterable<FileSymbols>): NameTable {
  const all = emptyNames();
  for (const file of files) if (!file.isTest) collect(file, all);
  return tableOf((sort, name, family) => all[sort].get(family)?.get(name) ?? NONE);
}

/** The same for few names: `filesOf` gives the files that may define one. */
export function nameTableIn(filesOf: (name: string) => Iterable<FileSymbols>): NameTable {
  const kept = new Map<string, readonly Place[]>();
  return tableOf((sort, name, family) => {
    const key = `${sort} ${family} ${name}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const names = emptyNames();
    const found = (): readonly Place[] => names[sort].get(family)?.get(name) ?? NONE;
    for (const file of filesOf(name)) {
      if (!file.isTest) collect(file, names, name);
      if (found().length > CANDIDATES_MAX) break;
    }
    kept.set(key, found());
    return found();
  });
}

type Sort = "methods" | "globals";

function tableOf(shared: (sort: Sort, name: string, family: ImportFamily) => readonly Place[]): NameTable {
  // Files are asked about one after another.
  let own: { readonly file: FileSymbols | null; readonly names: Names } = { file: null, names: emptyNames() };
  const ownOf = (file: FileSymbols): Names => {
    if (own.file === file) return own.names;
    own = { file, names: emptyNames() };
    collect(file, own.names);
    return own.names;
  };
  const among = (sort: Sort, name: string, from: FileSymbols): readonly Place[] => {
    if (isCommon(name, from)) return NONE;
    const others = shared(sort, name, from.family);
    const tested = from.isTest ? (ownOf(from)[sort].get(from.family)?.get(name) ?? NONE) : NONE;
    return others.length + tested.length > CANDIDATES_MAX ? NONE : [...tested, ...others];
  };
  return {
    methods: (name, from) => among("methods", name, from),
    globals: (name, from) => among("globals", name, from),
  };
}

/** Adds the names of a file, or one of them. */
function collect(file: FileSymbols, { methods, globals }: Names, only: string | null = null): void {
  const { macros } = file.rules;
  file.facts.symbols.forEach((symbol, index) => {
    if (only !== null && symbol.name !== only) return;
    const isMember = symbol.kind === "method" || (symbol.kind === "function" && symbol.qualifiedName !== symbol.name);
    const isMacro = macros !== "" && symbol.signature.startsWith(macros) && !STANDARD_MACROS.has(symbol.name);
    const isGlobal = (file.isScript && symbol.parent === null) || isMacro;
    if ((!isMember && !isGlobal) || isCommon(symbol.name, file) || isLocal(file, index)) return;
    const names = listed(isMember ? methods : globals, file.family, () => new Map<string, Place[]>());
    const known = names.get(symbol.name);
    if (known === undefined) names.set(symbol.name, [{ file, symbol: index }]);
    else if (known.length <= CANDIDATES_MAX) known.push({ file, symbol: index });
  });
}

type Table = Map<ImportFamily, Map<string, Place[]>>;
type Names = Readonly<Record<Sort, Table>>;
const emptyNames = (): Names => ({ methods: new Map(), globals: new Map() });
const NONE: readonly Place[] = [];

const isCommon = (name: string, { family, rules }: FileSymbols): boolean =>
  name.length < NAME_LENGTH_MIN || isCommonName(name, family, rules.nominal);

/** Is it defined inside a function, and so out of others' sight? */
function isLocal(file: FileSymbols, index: number): boolean {
  return scopesOf(file.facts, index).some((at) => {
    const kind = file.facts.symbols[at]?.kind;
    return at !== index && (kind === "function" || kind === "method");
  });
}
