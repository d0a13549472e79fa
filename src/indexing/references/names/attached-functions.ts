/**
 * Functions that a class or file attaches to values: `using L for T` in Solidity, a "decorate" reference to a library or a function.
 *
 * The types of values are often unknown, so every library counts that the class or file names. Of several functions of one name in a library
 * the one counts whose first parameter has the type of the value.
 */
import type { ReferenceFact } from "../../../syntax/facts/facts.ts";
import { type Candidates, CONFIDENCE, candidates, distinct, isSymbol } from "../confidence.ts";
import { declaredType, parameterType } from "../declarations/declared-types.ts";
import { type FileSymbols, type SymbolRef, scopesOf } from "../declarations/file-symbols.ts";
import type { ResolvePath } from "../types/resolve-path.ts";
import type { MemberResolver } from "./members.ts";

/** Finds the function that a call of a member (`x.f()`) means if no type has it. */
export function attachedFunctions({
  resolvePath,
  classes,
}: MemberResolver): (file: FileSymbols, use: ReferenceFact) => Candidates | null {
  const cached = new Map<FileSymbols, readonly ReferenceFact[]>();
  const attachments = (file: FileSymbols): readonly ReferenceFact[] =>
    cached.getOrInsertComputed(file, () => file.facts.references.filter(({ kind }) => kind === "decorate"));

  const attachedBy = (
    file: FileSymbols,
    { name, qualifier, symbol }: ReferenceFact,
    wanted: string,
    type: string | null,
  ): readonly SymbolRef[] => {
    const path = [...(qualifier?.split(".") ?? []), name];
    const found = resolvePath(file, symbol, path, "value", 0);
    if (found === null || found === "external") return [];
    const named = found.targets.filter(isSymbol);
    const isLibrary = ({ file: { facts }, symbol: at }: SymbolRef): boolean => facts.symbols[at]?.kind === "class";
    const libraries = named.filter(isLibrary);
    const fitting = type === null ? [] : libraries.flatMap((library) => ofType(library, wanted, type));
    const members =
      fitting.length > 0
        ? fitting
        : (classes.inherited(libraries, wanted, "call", false, 0)?.targets.filter(isSymbol) ?? []);
    return name === wanted ? [...named.filter((ref) => !isLibrary(ref)), ...members] : members;
  };

  return (file, use) => {
    if (file.scoping.attaches !== true || use.kind !== "call") return null;
    const scopes = scopesOf(file.facts, use.symbol);
    const visible = attachments(file).filter(({ symbol }) => symbol === null || scopes.includes(symbol));
    if (visible.length === 0) return null;
    const type = typeOfValue(resolvePath, file, use);
    const functions = distinct(visible.flatMap((attachment) => attachedBy(file, attachment, use.name, type)));
    return candidates(functions, CONFIDENCE.typed);
  };
}

/** The last function of a library whose first parameter has a type. */
const ofType = ({ file, symbol }: SymbolRef, name: string, type: string): readonly SymbolRef[] =>
  file
    .named(symbol, name)
    .filter((index) => lastName(FIRST_PARAMETER.exec(file.facts.symbols[index]?.signature ?? "")?.[1] ?? "") === type)
    .slice(-1)
    .map((index) => ({ file, symbol: index }));

const FIRST_PARAMETER = /\(\s*([^\s,()]+)/;
const MADE = /^new ([\w$.]+)\(\)$/;
const INDICES = /(?:\[[^[\]]*\])+$/;
/** What a list, or a mapping of mappings, has in it. */
const ELEMENT = /^(?:.*=>\s*)?([\w$.]+)/s;

/** The name of the type of what is before the dot, without the library or contract that it is in; null if it is not known. */
function typeOfValue(resolvePath: ResolvePath, file: FileSymbols, { qualifier, symbol }: ReferenceFact): string | null {
  const made = MADE.exec(qualifier ?? "")?.[1];
  if (made !== undefined) return lastName(made);
  const path = (qualifier ?? "").replace(INDICES, "");
  const written = typeWritten(resolvePath, file, symbol, path.split("."));
  const isPart = path !== qualifier;
  if (written === null || (!isPart && /[[=]/.test(written))) return null;
  const name = (isPart ? ELEMENT.exec(written)?.[1] : written.trim().split(/\s/, 1)[0]) ?? "";
  return name === "" ? null : lastName(name);
}

/** The text of the type that a parameter or variable is declared with. */
function typeWritten(
  resolvePath: ResolvePath,
  file: FileSymbols,
  scope: number | null,
  path: readonly string[],
): string | null {
  const [first = ""] = path;
  for (const around of path.length > 1 ? [] : scopesOf(file.facts, scope)) {
    const type = parameterType(file.facts.symbols[around]?.signature ?? "", first, file.rules, asWritten);
    if (type !== undefined) return type;
  }
  const found = resolvePath(file, scope, path, "value", 0);
  const [only, ...others] = found === null || found === "external" ? [] : found.targets.filter(isSymbol);
  const fact = only === undefined || others.length > 0 ? undefined : only.file.facts.symbols[only.symbol];
  return fact === undefined ? null : declaredType(fact.signature, fact.name, file.rules, asWritten);
}

const asWritten = (text: string): string => text;

const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1);
