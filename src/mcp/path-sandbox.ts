/** Keeps the paths of clients inside the repository, following links, and writes them from its root. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { Failed } from "../failure.ts";
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

/** Files and folders that limit a call; empty if one is the root, which is no limit. */
export function boundsInside(root: string, typed: readonly string[]): readonly string[] {
  const places = typed.map((one) => placeInside(root, one, "only"));
  return places.includes("") ? [] : [...new Set(places)].sort();
}

/**
 * A path, or `path:name`, from the root if it is absolute and begins with the root or a link to it; else as typed. What is after the
 * root is not looked at.
 */
export function fromRoot(root: string, typed: string): string {
  if (!isAbsolute(typed) || typed.includes("\0")) return typed;
  for (let end = typed.indexOf(sep, 1); end !== -1; end = typed.indexOf(sep, end + 1))
    if (isSameFolder(root, typed.slice(0, end))) return typed.slice(end + 1).replaceAll(sep, "/");
  return typed;
}

function isSameFolder(root: string, folder: string): boolean {
  try {
    return folder === root || realpathSync(folder) === root;
  } catch {
    return false;
  }
}

const OUTSIDE = "it is outside the repository that this server serves";

/** Includes a path on another drive, which is absolute. */
const leavesRoot = (place: string): boolean =>
  place === ".." || /^\.\.[\\/]/.test(place) || /^(?:\/|[A-Za-z]:)/.test(place);
