/**
 * Elixir: `alias`, `require`, `import` and `use` name modules, and so does every call of another module's function (`Shop.Cart.add()`).
 *
 * A module is found by its whole name, wherever its file lies: in the project of the file first, then in the nearest one. `use` also gives
 * what the module imports in quoted blocks.
 */
import type { ImportFact, OutlinedFacts } from "../../syntax/facts/facts.ts";
import { isExternalMember } from "../../syntax/facts/member-owner.ts";
import { inOrder } from "../../text/order.ts";
import { folderOf, foldersUp, within } from "../../text/repo-path.ts";
import {
  type Binding,
  type Family,
  type RepoPaths,
  type Resolution,
  type Resolver,
  type SourceFile,
  UNBOUND,
} from "./model.ts";
import { nearestOf, withoutTests } from "./packages.ts";

export const ELIXIR: Family = {
  open: elixirResolver,
  scoping: {
    selfNames: ["__MODULE__"],
    superNames: [],
    implicitSelf: false,
    exportsAll: true,
    functionClauses: true,
  },
};

/** Modules that use each other are followed through at most this many. */
const USES_MAX = 4;

function elixirResolver(all: readonly SourceFile[], paths: RepoPaths): Resolver {
  const files = new Map(
    all.flatMap(({ path, language, facts }) =>
      language === "elixir" ? [[path, { facts, modules: modulesIn(facts) }] as const] : [],
    ),
  );
  const definers = new Map<string, string[]>();
  for (const [path, { modules }] of [...files].sort(([a], [b]) => inOrder(a, b)))
    for (const name of new Set(modules.map((module) => module.name)))
      definers.getOrInsertComputed(name, () => []).push(path);
  const projectOf = (path: string): string =>
    foldersUp(folderOf(path)).find((folder) => paths.has(within(folder, "mix.exs"))) ?? "";

  /** The file of a module. */
  const fileOf = (from: string, module: string): string | null => {
    const defining = definers.get(module) ?? [];
    if (defining.includes(from)) return from;
    return nearestOf(from, withoutTests(defining), projectOf)[0] ?? null;
  };

  /** What `import` and `use` of a module give: its names, and what it imports in quoted blocks. */
  const given = (path: string, module: string, depth: number): readonly Binding[] => {
    const file = files.get(path);
    const quoted = depth >= USES_MAX ? [] : (file?.facts.imports ?? []).filter(({ kind }) => kind === "reexport");
    return [
      { ...UNBOUND, name: module, module: path, star: true },
      ...quoted
        .filter(({ line }) => moduleAt(file, line) === module)
        .flatMap((fact) => resolveAt(path, fact, depth + 1).bindings),
    ];
  };

  const resolveAt = (path: string, fact: ImportFact, depth: number): Resolution => {
    const module = wholeName(files.get(path), fact.specifier, fact.line);
    const file = fileOf(path, module);
    const targets = file === null ? [] : [file];
    if (fact.star) return { targets, bindings: file === null ? [] : given(file, module, depth) };
    const bindings = fact.names.map(({ name, alias }): Binding => {
      const bound = alias === OWN ? module.slice(module.lastIndexOf(".") + 1) : alias;
      return { ...UNBOUND, alias: bound, name: name === "*" ? module : `${module}.${name}`, module: file };
    });
    return { targets, bindings };
  };

  return {
    resolve: (path, fact) => {
      const found = resolveAt(path, fact, 0);
      const within = innerModuleAt(files.get(path), fact.line);
      if (within === null) return found;
      return { ...found, bindings: found.bindings.map((binding) => (binding.star ? { ...binding, within } : binding)) };
    },
    implied: (path) => writtenOut(files.get(path)),
    groupOf: () => null,
  };
}

/** The module in which it is written. */
const OWN = "__MODULE__";

type Module = { readonly name: string; readonly startLine: number; readonly endLine: number };

/** The facts of a file, and its modules, outer before inner. */
type ModuleFile = { readonly facts: OutlinedFacts; readonly modules: readonly Module[] };

function modulesIn(facts: OutlinedFacts): readonly Module[] {
  return facts.symbols.flatMap((symbol) => {
    const { kind, qualifiedName, signature, startLine, endLine } = symbol;
    const isModule = (kind === "namespace" || kind === "interface") && !signature.startsWith("defimpl");
    return isModule && !isExternalMember(facts, symbol) ? [{ name: qualifiedName, startLine, endLine }] : [];
  });
}

/** The innermost module at a line; "" outside of modules. */
const moduleAt = (file: ModuleFile | undefined, line: number): string =>
  file?.modules.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine)?.name ?? "";

/** The innermost module at a line, if it is inside of another one. */
function innerModuleAt(file: ModuleFile | undefined, line: number): string | null {
  const around = file?.modules.filter(({ startLine, endLine }) => startLine <= line && line <= endLine) ?? [];
  return around.length < 2 ? null : (around.at(-1)?.name ?? null);
}

/** Aliases of aliases beyond this are not followed. */
const ALIASES_MAX = 8;

/** The whole name of a module, whose first part may be bound by an alias above the line. */
function wholeName(file: ModuleFile | undefined, written: string, line: number, depth = 0): string {
  const [first = ""] = written.split(".", 1);
  const rest = written.slice(first.length);
  if (first === OWN) return moduleAt(file, line) + rest;
  const alias = file?.facts.imports.findLast(
    (other) => other.line < line && other.names.some((each) => each.name === "*" && each.alias === first),
  );
  if (alias === undefined || depth > ALIASES_MAX) return written;
  return wholeName(file, alias.specifier, alias.line, depth + 1) + rest;
}

const MODULE = /^\p{Lu}[\p{L}\p{N}_]*(?:\.\p{Lu}[\p{L}\p{N}_]*)*$/u;

/** The modules that a file writes where it uses them, as imports under the names that it writes. */
function writtenOut(file: ModuleFile | undefined): readonly ImportFact[] {
  const inner = new Set(file?.facts.symbols.flatMap(({ name, parent }) => (parent === null ? [] : name)));
  const found = new Map<string, ImportFact>();
  for (const { name, qualifier, line } of file?.facts.references ?? []) {
    const specifier = qualifier ?? name;
    if (!MODULE.test(specifier) || found.has(specifier) || inner.has(specifier.split(".", 1)[0] ?? "")) continue;
    found.set(specifier, { specifier, line, kind: "import", names: [{ name: "*", alias: specifier }], star: false });
  }
  return [...found.values()];
}
