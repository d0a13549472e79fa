/**
 * Resolves one reference: through the path (`members.ts`) or the chain of calls (`call-chains.ts`) before the name, then by rules of
 * single languages, finally by a name that few files define.
 */
import type { NameRules } from "../../../languages/name-rules.ts";
import type { ReferenceFact } from "../../../syntax/facts/facts.ts";
import { byName, type Candidates, CONFIDENCE, candidates, isSymbol, type Resolution, weaker } from "../confidence.ts";
import type { Exports } from "../declarations/exports.ts";
import { type FileSymbols, type Role, type SymbolRef, scopesOf } from "../declarations/file-symbols.ts";
import { scopeOfBase } from "../declarations/mixins.ts";
import type { VisibleNames } from "../declarations/visible-names.ts";
import { isPointer, isPointerMethod } from "../types/cpp-pointers.ts";
import { isStep } from "../types/held-values.ts";
import { memberOfNameless } from "../types/nameless-objects.ts";
import type { ResolvePath } from "../types/resolve-path.ts";
import { attachedFunctions } from "./attached-functions.ts";
import { namesOfChain } from "./chain-text.ts";
import { extensionsOf } from "./extensions.ts";
import type { MemberResolver } from "./members.ts";
import type { RareNames } from "./rare-names.ts";

/** Longer qualifiers are not names. In characters. */
const QUALIFIER_LENGTH_MAX = 200;

/** The number of parsed qualifiers in the cache. */
const PATHS_KEPT = 1000;

/** Names separated by dots. A leading dot makes a path absolute. */
const PATH = /^(?:\.|\.?[\p{L}_$#@][\p{L}\p{N}_$#]*(?:\.[\p{L}_$#][\p{L}\p{N}_$#]*)*)$/u;

export type NameResolver = {
  /** The candidates for a reference, or null. */
  resolve(file: FileSymbols, use: ReferenceFact, role: Role): Candidates | null;
};

/** `isDefined`: false if nothing that a file can refer to has the name; may be true wrongly. */
export function nameResolver(
  paths: MemberResolver,
  exports: Exports,
  groups: VisibleNames,
  table: RareNames,
  isDefined: (file: FileSymbols, name: string) => boolean,
): NameResolver {
  const { resolvePath, classes, ofResult } = paths;
  const attached = attachedFunctions(paths);
  const parsed = qualifierParser();
  const extensions = extensionsOf(exports, paths.names, groups);

  const qualified = (file: FileSymbols, use: ReferenceFact, qualifier: string, role: Role): Candidates | null => {
    const path = parsed(qualifier);
    if (path === "literal") return attached(file, use) ?? extensions.named(file, use, role);
    const isPath = path !== null && !file.scoping.superNames.includes(qualifier);
    const parts = isPath ? [...path, use.name] : [];
    const scope = scopeOf(file, use);
    const named = isPath ? resolvePath(file, scope, parts, role, 0) : null;
    const isNamed = isPath && (isResolved(named) || !hasStep(path, file.rules));
    const member = isNamed ? named : ofResult(file, use, qualifier, role);
    const all = isResolved(member) ? member : (ofOwnModule(paths, file, scope, parts, role) ?? member);
    const found = isResolved(all) ? extensions.seen(file, use.name, all) : all;
    if (isResolved(found)) {
      const isUnsure = isOfPointer(resolvePath, file, scope, parts, role);
      return isUnsure ? weaker(found, found.targets, CONFIDENCE.ambiguous) : found;
    }
    const names = isPath ? parts : [...namesOfChain(qualifier), use.name];
    const extended =
      attached(file, use) ??
      paths.added(file, scope, names, role, !isPath) ??
      candidates(extensions.imported(file, use, role), CONFIDENCE.typed);
    if (extended !== null || role === "type") return extended;
    if (found === "external" && file.rules.extensions === "this" && OF_VALUE.test(qualifier))
      return byName(table.methods(use.name, file).filter(isExtension));
    const rare = found === "external" ? null : byName(table.methods(use.name, file));
    const seenRare = rare === null ? null : extensions.seen(file, use.name, rare);
    return seenRare ?? byName(extensions.around(file, use, role));
  };

  const resolveName = (
    file: FileSymbols,
    use: ReferenceFact,
    qualifier: string | null,
    role: Role,
  ): Candidates | null => {
    // Half of all references use names that nothing in the repository defines.
    if (!isDefined(file, use.name)) return null;
    if (qualifier !== null) return qualified(file, use, qualifier, role);
    if (file.scoping.superNames.includes(use.name)) return null;
    const scope = scopeOf(file, use);
    const found = paths.names.find(file, scope, use.name, role, 0);
    const seen = isResolved(found) ? extensions.seen(file, use.name, found) : null;
    if (seen !== null) return asCalled(exports, seen, role);
    // `a foo b`, and what a lambda calls of its receiver.
    const nameless = found === null ? memberOfNameless(resolvePath, classes, file, use.symbol, use.name, role) : null;
    const own = nameless === null ? null : extensions.seen(file, use.name, nameless);
    if (own !== null) return own;
    const extended = extensions.named(file, use, role);
    if (extended !== null || found === "external") return extended;
    const added = paths.added(file, scope, [use.name], role, false);
    return added ?? byName(isShared(file, role) ? table.globals(use.name, file) : []);
  };

  return {
    resolve: (file, use, role) => {
      if (use.name === "" || (use.qualifier !== null && use.qualifier.length > QUALIFIER_LENGTH_MAX)) return null;
      const qualifier = plainQualifier(use.qualifier, file.rules);
      const { attributes } = file.rules;
      if (use.kind === "decorate" && attributes !== "" && !use.name.endsWith(attributes)) {
        const attribute = resolveName(file, { ...use, name: use.name + attributes }, qualifier, role);
        if (attribute !== null) return attribute;
      }
      const found = resolveName(file, use, qualifier, role);
      // An attribute of Rust may be a macro, which is a function.
      return found ?? (use.kind === "decorate" && role === "type" ? resolveName(file, use, qualifier, "call") : null);
    },
  };
}

/** Whether a name can be one that all files share. */
const isShared = ({ isScript, rules }: FileSymbols, role: Role): boolean =>
  isScript || (role === "call" && rules.macros !== "");

/** By convention, only types and members of the class start with a capital. */
const OF_VALUE = /^(?:new |= |[\p{Ll}_])/u;

/** A method for values of other types, as C# declares it: `static bool IsOpen(this Cart cart)`. */
const isExtension = ({ file, symbol }: SymbolRef): boolean =>
  /\(\s*this\s/.test(file.facts.symbols[symbol]?.signature ?? "");

/** In Rust `self` is also the module (`self::f()`), used for what the object's type lacks. */
function ofOwnModule(
  { resolvePath, classes }: MemberResolver,
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
  role: Role,
): Resolution {
  const [first, second = "", ...rest] = parts;
  if (!file.rules.selfIsModule || first !== "self") return null;
  const own = classes.enclosing(file, scope);
  if (own !== null && classes.inherited([own], second, "value", false, 0) !== null) return null;
  const found = resolvePath(file, scope, [second, ...rest], role, 0);
  return isResolved(found) && own !== null ? weaker(found, found.targets, CONFIDENCE.unique) : found;
}

/** In C++ `p.reset()` may be a method of the pointer itself; facts do not distinguish it from `p->reset()`. */
function isOfPointer(
  resolvePath: ResolvePath,
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
  role: Role,
): boolean {
  return (
    file.rules.parts === "included" &&
    role === "call" &&
    isPointerMethod(parts.at(-1) ?? "") &&
    isHeldByPointer(resolvePath, file, scope, parts)
  );
}

/** Whether what the member is taken of is declared as a smart pointer. */
function isHeldByPointer(
  resolvePath: ResolvePath,
  file: FileSymbols,
  scope: number | null,
  parts: readonly string[],
): boolean {
  const holder = parts.at(-2) ?? "";
  const isHeld = (ref: SymbolRef): boolean => isPointer(ref.file.facts.symbols[ref.symbol]?.signature ?? "", holder);
  if (parts.length === 2 && scopesOf(file.facts, scope).some((symbol) => isHeld({ file, symbol }))) return true;
  const held = parts.length < 2 ? null : resolvePath(file, scope, parts.slice(0, -1), "value", 0);
  return isResolved(held) && held.targets.filter(isSymbol).some(isHeld);
}

/** Calling a module calls its default export. */
function asCalled(exports: Exports, found: Candidates, role: Role): Candidates {
  const [module] = found.targets;
  if (module === undefined || module.file === null || module.symbol !== null) return found;
  // A file of Zig is a type, and may have any function of this name.
  if (module.file.scoping.constantsAlias === true) return found;
  return candidates(exports.exported(module.file, "default", role), found.confidence) ?? found;
}

/** Whether a path may lead through a type that holds a value: `task.Result`. */
const hasStep = (path: readonly string[], rules: NameRules): boolean =>
  path.some((name, at) => at > 0 && isStep(name, rules));

/** `?` stays where it is a step to what a value holds. */
const plainQualifier = (written: string | null, rules: NameRules): string | null =>
  written !== null && /[?! ]|^this@/.test(written)
    ? written
        .replaceAll("?.", isStep("?", rules) ? "?." : ".")
        .replaceAll("!", "")
        // Kotlin's `Cart.this`
        .replace(/^this@(?=\p{Lu})/u, "")
        .trim()
    : written;

/** Names in the head of a class (bases, decorators) resolve outside it. */
const scopeOf = (file: FileSymbols, use: ReferenceFact): number | null =>
  use.symbol !== null && (use.kind === "inherit" || use.kind === "implement" || use.kind === "decorate")
    ? scopeOfBase(file, use)
    : use.symbol;

/** The names of a path; "literal" for text and numbers; null for other expressions. */
type Qualifier = readonly string[] | "literal" | null;

/** Parses qualifiers, with a cache, because few qualifiers make up most references. */
function qualifierParser(): (qualifier: string) => Qualifier {
  const cached = new Map<string, Qualifier>();
  return (qualifier) => {
    const known = cached.get(qualifier);
    if (known !== undefined) return known;
    const path = parseQualifier(qualifier);
    if (cached.size >= PATHS_KEPT) cached.clear();
    cached.set(qualifier, path);
    return path;
  };
}

function parseQualifier(qualifier: string): Qualifier {
  if (/^["'`[{(\d/]|^[rbfu]{1,2}["']/i.test(qualifier)) return "literal";
  if (!PATH.test(qualifier)) return null;
  return qualifier === "." ? [""] : qualifier.split(".");
}

const isResolved = (found: Resolution): found is Candidates => found !== null && found !== "external";
