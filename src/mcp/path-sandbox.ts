/** Keeps the paths of clients inside the repository, following links, and writes them from its root. */
import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { Member } from "../app/workspace/members.ts";
import { Failed } from "../failure.ts";
import { isAbsolute } from "../retrieval/anchors/path-index.ts";
import { withoutAddress } from "../retrieval/anchors/typed-names.ts";
import { endAmong, partAmong, pathAmong } from "../source/files/path-among.ts";
import { isStoredEntry, pathInStored, shownEntry } from "../store/stored-entries.ts";
import { systemErrorWords } from "../text/system-errors.ts";

/** The path from the root, "" for the root itself. `root` is a real path. Throws a usage failure for any other place. */
export function placeInside(root: string, typed: string, argument: string): string {
  const refused = (why: string): Failed =>
    new Failed({
      code: "usage",
      message: `${argument}: ${typed.slice(0, 200)}: ${why}`,
      next: "give a path relative to the repository's root",
    });
  if (typed.includes("\0")) throw refused("it is not a path");
  let place: string;
  try {
    place = relative(root, realpathSync(resolve(root, typed))).replaceAll(sep, "/");
  } catch (error) {
    // Nonexistent paths are judged by their text alone, so the error reveals nothing about other folders.
    throw refused(leavesRoot(relative(root, resolve(root, typed))) ? OUTSIDE : systemErrorWords(error));
  }
  if (leavesRoot(place)) throw refused(OUTSIDE);
  return place;
}

/** What a server serves: its repository, or those that are asked instead. `repos` lists these as settings do, also those of a store. */
export type Served = {
  readonly root: string;
  readonly members: readonly Member[];
  readonly repos?: readonly string[];
};

/** Files and folders that limit a call, as the index names them; empty if one is the root, which is no limit. */
export function boundsInside({ root, members, repos = [] }: Served, typed: readonly string[]): readonly string[] {
  const isOne = members.length + repos.length === 0;
  const places = typed.map((one) => (isOne ? placeInside(root, one, "only") : placeAmong(root, members, repos, one)));
  return places.includes("") ? [] : [...new Set(places)].sort();
}

function placeAmong(root: string, members: readonly Member[], repos: readonly string[], typed: string): string {
  const among = (): string | null => pathAmong(members, typed, [root]) ?? pathInStored(repos, typed);
  const found = [".", "./"].includes(typed) ? "" : among();
  if (found !== null) return found;
  throw new Failed({
    code: "usage",
    message: `only: ${typed.slice(0, 200)}: it is in none of the repositories that this server serves`,
    next: `begin the path with ${[...members.map(({ name }) => name), ...repos.filter(isStoredEntry).map(shownEntry)].join(" or ")}`,
  });
}

/**
 * A path, or `path:name`, as the index names it if it is absolute and begins with the root of a repository or a link to it, or ends as a path
 * in it, or if it leads from the root into one of several; else as typed. What is after an absolute root is not looked at.
 */
export function fromRoot({ root, members }: Served, written: string): string {
  const typed = withoutAddress(written);
  if (/^\.\.?\//.test(typed)) return partAmong(members, typed, [root]) ?? typed;
  if (!isAbsolute(typed) || typed.includes("\0")) return typed;
  const starts = new Map(members.length === 0 ? [[root, ""]] : members.map((one) => [one.root, `${one.name}/`]));
  for (let end = typed.lastIndexOf(sep); end > 0; end = typed.lastIndexOf(sep, end - 1)) {
    const start = starts.get(realFolder(typed.slice(0, end)));
    if (start !== undefined) return `${start}${typed.slice(end + 1).replaceAll(sep, "/")}`;
  }
  return endAmong(members.length === 0 ? [{ name: "", root }] : members, typed) ?? typed;
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

const OUTSIDE = "it is outside the repository that this server serves";

/** Includes a path on another drive, which is absolute. */
const leavesRoot = (place: string): boolean =>
  place === ".." || /^\.\.[\\/]/.test(place) || /^(?:\/|[A-Za-z]:)/.test(place);
