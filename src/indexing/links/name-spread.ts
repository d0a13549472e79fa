/**
 * Follows names whose meaning differs from file to file: to the files that mention them, and from there to the names that depend on them.
 *
 * In families of modules a name leads only to files that see the one in which it differs.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { searchTerm } from "../../text/terms/search-terms.ts";
import { familyOf } from "../imports/model.ts";
import { isModular } from "./interface-diff.ts";
import type { LinkedFiles } from "./linked-files.ts";
import { type Mention, mentionsOf } from "./mentions.ts";

/** Names and files beyond these limits are not followed one by one: the whole family is affected. */
const NAMES_MAX = 400;
export const FILES_MAX = 4_000;

export type NameSpread = {
  /** A name differs in a file; for null, whatever files see. */
  name(written: string, path: string | null): void;
  /** A name differs that only its own file sees. */
  own(written: string, path: string): void;
  /** The default export of a file differs. */
  defaultOf(path: string): void;
  /** A file is affected. */
  file(path: string): void;
  /** Follows all that was added; false if they are too many. */
  isDone(): boolean;
};

/** A name that differs. `at`: in which file, null for any. */
type Differing = { readonly name: string; readonly at: string | null; readonly isOwn: boolean };

/** What the parser may take for a name in a reference. */
const IDENTIFIER = /^[\p{L}_$#@~][\p{L}\p{M}\p{N}_$]*[?!=]?$/u;

/** Adds to `affected`. */
export function nameSpread(family: ImportFamily, files: LinkedFiles, affected: Set<string>): NameSpread {
  const isModule = isModular(family);
  const reach = files.reachIn(family);
  const seen = new Set<string>();
  const waiting: Differing[] = [];
  const defaults = new Set<string>();
  const mentionsIn = mentionReader(files);
  const mentioning = mentioningReader(family, files);
  let [followed, found] = [0, 0];

  const add = (written: string, at: string | null, isOwn: boolean): void => {
    for (const name of written.split(".")) {
      const key = `${name}\0${at ?? ""}\0${isOwn}`;
      if (name === "" || name === "*" || name === "default" || seen.has(key)) continue;
      seen.add(key);
      waiting.push({ name, at, isOwn });
    }
  };
  const name = (written: string, path: string | null): void => add(written, isModule ? path : null, false);
  const own = (written: string, path: string): void => (isModule ? add(written, path, true) : name(written, path));
  const defaultOf = (path: string): void => void defaults.add(path);

  /** Spreads to the names of a file that depend on one; false if these are not known. */
  const spreadIn = (path: string, differing: string): boolean => {
    const known = mentionsIn(path);
    const depending = known?.filter(({ by }) => by.has(differing));
    // Who sees the file is asked last: that reads the imports of all files.
    if (depending?.length === 0 || (isModule && reach.isUnseen(path))) return true;
    if (depending === undefined) return false;
    for (const mention of depending) {
      if (mention.name === "default" || mention.name === "exports") defaultOf(path);
      else if (mention.seenBy === "file") own(mention.name, path);
      else name(mention.name, mention.seenBy === "all" ? null : path);
    }
    return true;
  };

  /** Spreads a name into the files that mention it. */
  const spreadName = ({ name: differing, at, isOwn }: Differing): boolean => {
    if (isOwn && at !== null) return spreadIn(at, differing);
    // No reference can have the name of a test or a quoted property.
    if (isModule && !IDENTIFIER.test(differing)) return true;
    followed += 1;
    for (const path of mentioning(differing) ?? []) {
      if (at !== null && !reach.sees(path, at)) continue;
      found += 1;
      affected.add(path);
      if (found > FILES_MAX || !spreadIn(path, differing)) return false;
    }
    return mentioning(differing) !== null && followed <= NAMES_MAX;
  };

  /** Spreads a default export to the names that importers give it. */
  const spreadDefault = (path: string): void => {
    for (const importer of files.importersOf(path)) {
      affected.add(importer);
      for (const { module, name: there, alias, star, reexport } of files.bindingsOf(importer)) {
        if (module !== path) continue;
        if (star) defaultOf(importer);
        else if (there !== "default" && there !== "*") continue;
        else if (reexport && (alias ?? there) === "default") defaultOf(importer);
        else if (alias !== null) (reexport ? name : own)(alias, importer);
      }
    }
  };

  const isDone = (): boolean => {
    // What is added meanwhile is visited, too.
    let visited = 0;
    while (waiting.length > 0 || visited < defaults.size) {
      for (const each of waiting.splice(0)) if (!spreadName(each)) return false;
      for (const path of [...defaults].slice(visited)) {
        visited += 1;
        spreadDefault(path);
      }
    }
    return true;
  };
  return { name, own, defaultOf, file: (path) => void affected.add(path), isDone };
}

/** Reads what the names of a file depend on, once for each; null if its facts are unreadable. */
function mentionReader(files: LinkedFiles): (path: string) => readonly Mention[] | null {
  const known = new Map<string, readonly Mention[] | null>();
  return (path) =>
    known.getOrInsertComputed(path, () => {
      const facts = files.interfaceOf(path);
      return facts === null ? null : mentionsOf(files.languageOf(path) ?? "", facts);
    });
}

/** The files of a family that mention a name; null if that is not known. */
function mentioningReader(family: ImportFamily, files: LinkedFiles): (name: string) => readonly string[] | null {
  const known = new Map<string, readonly string[] | null>();
  return (name) =>
    known.getOrInsertComputed(name, () => {
      const term = searchTerm(name);
      const all = term === null ? null : [...files.mentioning([term])];
      return all?.filter((path) => familyOf(files.languageOf(path) ?? "") === family) ?? null;
    });
}
