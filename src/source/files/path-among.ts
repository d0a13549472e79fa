/** Files and folders, of this machine or another, as an index of one or several repositories names them. */
import { existsSync, realpathSync } from "node:fs";
import { join, posix, resolve, sep } from "node:path";

/** A repository: `name` begins its paths, "" if it is the only one. */
type NamedRoot = { readonly name: string; readonly root: string };

/** `typed`: as the index names it, or relative to one of the folders, or absolute. Null for what does not exist in one of the repositories. */
export function pathAmong(
  repositories: readonly NamedRoot[],
  typed: string,
  folders: readonly string[],
): string | null {
  if (typed.includes("\0")) return null;
  const plain = typed.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "");
  const named = repositories.map(({ name, root }) =>
    plain === name || plain.startsWith(`${name}/`) ? join(root, plain.slice(name.length)) : null,
  );
  for (const path of [...named, ...folders.map((folder) => resolve(folder, typed))]) {
    const found = path === null ? null : existingIn(repositories, path);
    if (found !== null) return found;
  }
  return null;
}

/** The same for `path:name`. */
export const partAmong = (
  repositories: readonly NamedRoot[],
  typed: string,
  folders: readonly string[],
): string | null => withRest(typed, (path) => pathAmong(repositories, path, folders));

/** Both parts of `path:name` may hold colons: the longest path that is found counts. */
function withRest(typed: string, find: (path: string) => string | null): string | null {
  for (let end = typed.length; end > 0; end = typed.lastIndexOf(":", end - 1)) {
    const path = find(typed.slice(0, end));
    if (path !== null) return `${path}${typed.slice(end)}`;
  }
  return null;
}

/** Folders of a path that are looked at, and components that its end has at least: one name is that of many files. */
const COMPONENTS_MAX = 32;
const COMPONENTS_MIN = 2;

/**
 * A path from the root of another machine, or `path:name`: its longest end that exists in one of the repositories. Null if there is none,
 * or if several have it.
 */
export const endAmong = (repositories: readonly NamedRoot[], typed: string): string | null =>
  typed.includes("\0") ? null : withRest(typed, (path) => pathEndAmong(repositories, path));

function pathEndAmong(repositories: readonly NamedRoot[], typed: string): string | null {
  const slashed = typed.replaceAll("\\", "/");
  // Without what is before the first slash, `..` ends at the root.
  const [, ...components] = posix.normalize(slashed.slice(slashed.indexOf("/"))).split("/");
  const parts = components.slice(-COMPONENTS_MAX);
  for (let from = 0; from <= parts.length - COMPONENTS_MIN; from += 1) {
    const end = parts.slice(from).join("/");
    const [found, ...others] = repositories.flatMap(({ root }) => existingIn(repositories, join(root, end)) ?? []);
    if (found !== undefined) return others.length > 0 ? null : found;
  }
  return null;
}

/** A path of this machine as the index names it; null for what does not exist in one of the repositories. */
const existingIn = (repositories: readonly NamedRoot[], path: string): string | null =>
  existsSync(path) ? namedIn(repositories, realpathSync(path)) : null;

/** The innermost repository counts. */
function namedIn(repositories: readonly NamedRoot[], path: string): string | null {
  const holders = repositories.filter(({ root }) => path === root || path.startsWith(`${root}${sep}`));
  const [holder] = holders.toSorted((a, b) => b.root.length - a.root.length);
  if (holder === undefined) return null;
  const inside = path.slice(holder.root.length).replaceAll(sep, "/");
  return holder.name === "" ? inside.slice(1) : `${holder.name}${inside}`;
}
