/**
 * The definitions of Java, Kotlin and Scala files by full name (`a.b.Name`), and the choice among several files that define one.
 *
 * Packages come from declarations, never from folders. The contents of a Scala package object are in the package of that name;
 * Java sees the functions of a Kotlin file as members of a class named after the file. Among several files, those of the
 * importer's own module and source set (`<module>/src/<source set>/`) come first.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import { CONTAINER_KINDS, type OutlineSymbol } from "../../../syntax/facts/facts.ts";
import { nameOf } from "../../../text/repo-path.ts";
import type { SourceFile } from "../model.ts";

/** The files of a top-level definition, its package, and the path inside the package. */
export type Definition = { readonly files: readonly string[]; readonly group: string; readonly path: string };

export type JvmNames = {
  /** The definition for a full name, itself or as a member of a type, or null. */
  find(full: string): Definition | null;
  /** The files of a package that define a name, in path order. */
  inPackage(group: string, name: string): readonly string[];
  /** The files that declare a package, in path order. */
  filesOf(group: string): readonly string[];
};

/** Later parts of a name are ignored. */
const PARTS_MAX = 40;

const NONE: readonly string[] = [];

export function jvmNames(files: readonly SourceFile[]): JvmNames {
  const packages = new Map<string, string[]>();
  const names = new Map<string, string[]>();
  const types = new Set<string>();
  const define = (path: string, group: string, name: string, isType: boolean): void => {
    const full = `${group}.${name}`;
    if (isType) types.add(full);
    const known = names.get(full);
    if (known === undefined) names.set(full, [path]);
    else if (known.at(-1) !== path) known.push(path);
  };
  for (const { path, language, facts } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const group = facts.namespace ?? "";
    const declared = [group];
    let hasFunctions = false;
    for (const symbol of facts.symbols) {
      const { name, kind, parent } = symbol;
      if (isPackageObject(symbol)) {
        declared.push(dotted(group, name));
        continue;
      }
      if (parent === null) {
        define(path, group, name, CONTAINER_KINDS.has(kind));
        hasFunctions ||= kind === "function" || kind === "variable";
        continue;
      }
      const around = facts.symbols[parent];
      if (around?.parent === null && isPackageObject(around)) {
        define(path, dotted(group, around.name), name, CONTAINER_KINDS.has(kind));
      }
    }
    if (language === "kotlin" && hasFunctions) define(path, group, facadeOf(path), true);
    for (const each of declared) {
      packages.getOrInsertComputed(each, () => []).push(path);
    }
  }

  const find = (full: string): Definition | null => {
    const parts = full.split(".", PARTS_MAX);
    for (let length = parts.length; length > 0; length -= 1) {
      const group = parts.slice(0, length - 1).join(".");
      const key = `${group}.${parts[length - 1]}`;
      const found = names.get(key);
      // Only types have members.
      if (found === undefined || (length < parts.length && !types.has(key))) continue;
      // Members of a companion object are members of its class.
      const path = parts.slice(length - 1).filter((part, at) => at === 0 || part !== "Companion");
      return { files: found, group, path: path.join(".") };
    }
    return null;
  };
  return {
    find,
    inPackage: (group, name) => names.get(`${group}.${name}`) ?? NONE,
    filesOf: (group) => packages.get(group) ?? NONE,
  };
}

const isPackageObject = ({ kind, parent, signature }: OutlineSymbol): boolean =>
  kind === "namespace" && parent === null && /\bpackage object\b/.test(signature);

const dotted = (group: string, name: string): string => (group === "" ? name : `${group}.${name}`);

/** The class of the top-level functions of a Kotlin file: `strings.kt` is `StringsKt`. */
export function facadeOf(path: string): string {
  const name = nameOf(path).replace(/\.kts?$/, "");
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Kt`;
}

/** With more candidates than this, the definitions are unrelated and none is chosen. */
const CANDIDATES_MAX = 6;

type SourceSet = { readonly module: string; readonly name: string };

/** Chooses among the files that define a name, as seen from the file at `path`. Keeps their order. */
export function nearestDefiners(path: string, candidates: readonly string[]): readonly string[] {
  if (candidates.length < 2) return candidates;
  const sources = candidates.filter((candidate) => !isTest(candidate));
  const visible = isTest(path) || sources.length === 0 ? candidates : sources;
  const own = sourceSetOf(path);
  const inModule = (isNear: (name: string) => boolean): readonly string[] =>
    visible.filter((candidate) => {
      const { module, name } = sourceSetOf(candidate);
      return module === own.module && isNear(name);
    });
  const steps = [
    visible.filter((candidate) => candidate === path),
    inModule((name) => name === own.name),
    inModule((name) => tested(name) === tested(own.name)),
    inModule(() => true),
  ];
  const chosen = steps.find((step) => step.length > 0) ?? visible;
  return chosen.length > CANDIDATES_MAX ? [] : chosen;
}

function sourceSetOf(path: string): SourceSet {
  const [, module = "", name] = /^(?:(.*?)\/)?src\/([^/]+)\//.exec(path) ?? [];
  return name === undefined ? { module: "", name: "" } : { module, name };
}

/** The source set without its kind: `common` for `commonMain` and `commonTest`, empty for `main` and `test`. */
const tested = (sourceSet: string): string => sourceSet.replace(/(?:Main|Test|main|test|it)$/, "");

/** The names of test source sets end in `Test` (`jvmTest`). */
const isTest = (path: string): boolean => isTestPath(path) || /Test$/.test(sourceSetOf(path).name);
