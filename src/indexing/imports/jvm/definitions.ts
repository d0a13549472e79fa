/**
 * The definitions of Java, Kotlin and Scala files by full name (`a.b.Name`), and which of several files a name means.
 *
 * Packages come from declarations, never from folders. The contents of a Scala package object are in the package of that name;
 * Java sees the functions of a Kotlin file as members of a class named after the file. Among several files, those of the
 * importer's own module and source set (`<module>/src/<source set>/`) come first.
 */

import { isTestPath } from "../../../languages/file-role.ts";
import { CONTAINER_KINDS, type SymbolFact } from "../../../syntax/facts/facts.ts";
import type { SourceFile } from "../model.ts";
import { nameOf } from "../repo-path.ts";

/** What a full name leads to: the files of its top-level definition, its package, and the path inside of that. */
export type Found = { readonly files: readonly string[]; readonly group: string; readonly path: string };

export type JvmNames = {
  /** The definition that a full name stands for, itself or as a member of a type, or null. */
  find(full: string): Found | null;
  /** The files of a package that define a name, in path order. */
  inPackage(group: string, name: string): readonly string[];
  /** The files that declare a package, in path order. */
  filesOf(group: string): readonly string[];
};

/** Names have few parts; more are not looked at. */
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

  const find = (full: string): Found | null => {
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

const isPackageObject = ({ kind, parent, signature }: SymbolFact): boolean =>
  kind === "namespace" && parent === null && /\bpackage object\b/.test(signature);

const dotted = (group: string, name: string): string => (group === "" ? name : `${group}.${name}`);

/** The class that holds the functions of a Kotlin file: `strings.kt` is `StringsKt`. */
function facadeOf(path: string): string {
  const name = nameOf(path).replace(/\.kts?$/, "");
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Kt`;
}

/** More candidates than this are different things of one name. */
const CANDIDATES_MAX = 6;

type Place = { readonly module: string; readonly sourceSet: string };

/** The files among those that define a name that a file means, in their order. */
export function meantFrom(path: string, candidates: readonly string[]): readonly string[] {
  if (candidates.length < 2) return candidates;
  const sources = candidates.filter((candidate) => !isTest(candidate));
  const seen = isTest(path) || sources.length === 0 ? candidates : sources;
  const own = placeOf(path);
  const near = (isNear: (place: Place) => boolean): readonly string[] =>
    seen.filter((candidate) => isNear(placeOf(candidate)));
  const inModule = ({ module }: Place): boolean => module === own.module;
  const steps = [
    seen.filter((candidate) => candidate === path),
    near((place) => inModule(place) && place.sourceSet === own.sourceSet),
    near((place) => inModule(place) && tested(place.sourceSet) === tested(own.sourceSet)),
    near(inModule),
  ];
  const chosen = steps.find((step) => step.length > 0) ?? seen;
  return chosen.length > CANDIDATES_MAX ? [] : chosen;
}

function placeOf(path: string): Place {
  const [, module = "", sourceSet] = /^(?:(.*?)\/)?src\/([^/]+)\//.exec(path) ?? [];
  return sourceSet === undefined ? { module: "", sourceSet: "" } : { module, sourceSet };
}

/** `commonMain` and `commonTest` are `common`, `main` and `test` are nothing. */
const tested = (sourceSet: string): string => sourceSet.replace(/(?:Main|Test|main|test|it)$/, "");

/** Source sets of tests are named so (`jvmTest`), wherever else tests stand. */
const isTest = (path: string): boolean => isTestPath(path) || /Test$/.test(placeOf(path).sourceSet);
