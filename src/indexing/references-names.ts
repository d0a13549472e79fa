/**
 * The last resort of reference resolution: a name that few files of the repository define.
 *
 * For members of values whose type is unknown, only methods are candidates; for bare names, only what
 * scripts without imports and exports share. Names that standard libraries use for their own methods
 * say nothing and are never looked up. Tests define names for themselves, not for others.
 */

import type { Target } from "./references-exports.ts";
import { type FileSymbols, scopesOf } from "./references-symbols.ts";

/** Shorter names say too little. */
const NAME_LENGTH_MIN = 4;

/** More candidates than this, and the name says nothing. */
const CANDIDATES_MAX = 3;

/** Methods of the built-in types and the usual libraries of Python and JavaScript. */
const COMMON_NAMES: ReadonlySet<string> = new Set(
  `abort accept acquire addEventListener apply append appendChild apply assert astype bind call cancel capitalize catch
   ceil charAt charCodeAt clear clone close closest codePointAt commit concat configure connect contains content copy
   count create createElement cursor debug decode delete describe destroy difference dispatch dispatchEvent dispose
   disconnect discard done dump dumps emit encode encodeURIComponent endswith endsWith entries equals error escape
   every exception execute exists exit expandtabs expect extend fail fetch fetchall fetchone fileno fill filter finalize
   finally find findIndex findLast find_all first flat flatMap floor flush format forEach freeze from fromEntries
   fromkeys fullmatch get getAttribute getElementById getTime getvalue getitem group groupdict groups handle hasAttribute
   hasOwnProperty header headers index indexOf info init initialize insert intersection isArray isalnum isalpha isdigit
   isidentifier islower isnumeric isspace issubset issuperset istitle isupper items iter join json keys kill last
   lastIndexOf length list listen listener ljust load loads localeCompare lock log lower lstrip main make match matchAll
   mean merge message method name next normalize notify notifyAll open options padEnd padStart parse partition pause
   peek pipe poll popitem post prepend preventDefault print process push querySelector querySelectorAll quit raise read
   readline readlines receive recv reduce reduceRight register reject release reload remove removeAttribute
   removeChild removeEventListener removeListener render repeat replace replaceAll request reset resolve respond restore
   result resume return reverse rfind rindex rjust rollback round rpartition rsplit rstrip save search seek select
   send sendall serialize setAttribute setdefault setItem getItem removeItem setTimeout setup shape shift shutdown size
   skip slice some sort sorted splice split splitlines spawn start startswith startsWith stat status stop stringify
   strftime strip strptime submit subscribe substr substring success sum swapcase symmetric_difference tell teardown test
   text then throw time title toArray toFixed toISOString toJSON toList toLocaleString toLowerCase toString toUpperCase
   tobytes tolist total transform translate trigger trim trimEnd trimStart truncate type union unlink unlock unregister
   unshift unsubscribe update upper validate value valueOf values view visit wait walk warn warning where with wrap
   write writelines yield zfill __init__ __new__ __call__ __enter__ __exit__ __eq__ __repr__ __str__ __len__ __iter__
   constructor`.split(/\s+/),
);

export type NameTable = {
  /** Where a member of an unknown value may be defined: one to three methods, or none. */
  methods(name: string, from: FileSymbols): readonly Target[];
  /** Where a bare name of a script may be defined. */
  globals(name: string, from: FileSymbols): readonly Target[];
};

/**
 * Collects the names of a repository. A list stops growing once it is too long to say anything. What a
 * test file defines is listed under that file only.
 */
export function nameTable(files: Iterable<FileSymbols>): NameTable {
  const methods = new Map<string, Target[]>();
  const globals = new Map<string, Target[]>();
  for (const file of files) {
    file.facts.symbols.forEach((symbol, index) => {
      const isMember = symbol.kind === "method" || (symbol.kind === "function" && symbol.qualifiedName !== symbol.name);
      const isGlobal = file.isScript && symbol.parent === null;
      if ((!isMember && !isGlobal) || isCommon(symbol.name) || isLocal(file, index)) return;
      const table = isMember ? methods : globals;
      const key = `${file.isTest ? file.path : file.family}\0${symbol.name}`;
      const known = table.get(key);
      if (known === undefined) table.set(key, [{ file, symbol: index }]);
      else if (known.length <= CANDIDATES_MAX) known.push({ file, symbol: index });
    });
  }
  const among = (table: ReadonlyMap<string, readonly Target[]>, name: string, from: FileSymbols): readonly Target[] => {
    if (isCommon(name)) return [];
    const shared = table.get(`${from.family}\0${name}`) ?? [];
    const own = from.isTest ? (table.get(`${from.path}\0${name}`) ?? []) : [];
    return shared.length + own.length > CANDIDATES_MAX ? [] : [...own, ...shared];
  };
  return {
    methods: (name, from) => among(methods, name, from),
    globals: (name, from) => among(globals, name, from),
  };
}

const isCommon = (name: string): boolean => name.length < NAME_LENGTH_MIN || COMMON_NAMES.has(name);

/** Is it defined inside a function, and so out of others' sight? */
function isLocal(file: FileSymbols, index: number): boolean {
  return scopesOf(file.facts, index).some((at) => {
    const kind = file.facts.symbols[at]?.kind;
    return at !== index && (kind === "function" || kind === "method");
  });
}
