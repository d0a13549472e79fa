/**
 * Arithmetic on repository paths: `/` separated, relative, the repository itself is "".
 *
 * `node:path` is not used, since its answers depend on the platform it runs on.
 */

/** The folder that a file or folder lies in; "" for what lies at the top (and for the top itself). */
export function folderOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? "" : path.slice(0, cut);
}

/** The part after the last slash. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A name inside a folder. */
export const within = (folder: string, name: string): string =>
  folder === "" ? name : name === "" ? folder : `${folder}/${name}`;

/** `relative` seen from `folder`, with `.` and `..` resolved; null when it leads out of the repository. */
export function joinPath(folder: string, relative: string): string | null {
  let from = folder;
  let rest = relative;
  // Most paths begin with their dots.
  for (;;) {
    if (rest.startsWith("./")) rest = rest.slice(2);
    else if (rest.startsWith("../") && from !== "") {
      from = folderOf(from);
      rest = rest.slice(3);
    } else break;
  }
  return /^[./]|\/(?:[./]|$)/.test(rest) ? joinParts(from, rest) : within(from, rest);
}

function joinParts(folder: string, relative: string): string | null {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** The folder and every folder above it, innermost first, ending with "". */
export function foldersUp(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; at !== ""; at = folderOf(at)) folders.push(at);
  return [...folders, ""];
}

/** Is the path inside the folder (or the folder itself)? */
export const isWithin = (path: string, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);
