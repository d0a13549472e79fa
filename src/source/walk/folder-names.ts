/** Lists the names in a folder of a work tree, unless an earlier walk knows them. */
import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import { inFolder } from "../files/open-inside.ts";
import type { FolderNames, Listings } from "./listings.ts";

/**
 * Lists a folder, relative to the root. Names that are not UTF-8 contain U+FFFD, so several may be equal. Throws as `inFolder` does.
 *
 * `composes`: decomposed characters are composed. `listings`: what is known of folders.
 */
export function listFolder(
  root: string,
  folder: string,
  composes: boolean,
  listings: Listings | undefined,
): FolderNames {
  const stat = listings === undefined ? null : statOf(root, folder);
  const known = stat === null ? null : listings?.known(folder, stat);
  if (known !== null && known !== undefined) return known;
  return inFolder(root, folder, (place) => {
    // Of the folder that is listed, whatever is at its path by now.
    const own = listings === undefined ? null : statSync(place);
    const read = readdirSync(place, { withFileTypes: true });
    const nameOf = ({ name }: Dirent): string => (composes ? composedIn(place, name) : name);
    const names = read.map(nameOf);
    const isFolder = (entry: Dirent): boolean => entry.isDirectory() && !entry.name.includes(NOT_UTF8);
    const isEachOnce = !names.some((name) => name.includes(NOT_UTF8));
    const found = {
      names: (isEachOnce ? names : [...new Set(names)]).sort(),
      folderNames: new Set(read.filter(isFolder).map(nameOf)),
    };
    if (own !== null) listings?.listed(folder, own, found);
    return found;
  });
}

/** Null where listing the folder says what is wrong. */
function statOf(root: string, folder: string): Stats | null {
  try {
    return lstatSync(folder === "" ? root : `${root}${sep}${folder}`);
  } catch {
    return null;
  }
}

export const NOT_UTF8 = "\u{fffd}";

/**
 * A name as git writes it with `core.precomposeUnicode`: with composed characters, wherever that names the same file (git-config(1); macOS
 * lists names decomposed and opens them either way).
 */
function composedIn(folder: string, name: string): string {
  const composed = name.normalize("NFC");
  if (composed === name) return name;
  const [one, other] = [name, composed].map((each) => lstatSync(join(folder, each), { throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev ? composed : name;
}
