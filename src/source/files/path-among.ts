/** Files and folders of this machine as an index of several repositories names them. */
import { existsSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";

/** A repository: `name` begins its paths. */
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
    const found = path === null || !existsSync(path) ? null : namedIn(repositories, realpathSync(path));
    if (found !== null) return found;
  }
  return null;
}

/** The same for `path:name`; both parts may hold colons, and the longest path that exists counts. */
export function partAmong(
  repositories: readonly NamedRoot[],
  typed: string,
  folders: readonly string[],
): string | null {
  for (let end = typed.length; end > 0; end = typed.lastIndexOf(":", end - 1)) {
    const path = pathAmong(repositories, typed.slice(0, end), folders);
    if (path !== null) return `${path}${typed.slice(end)}`;
  }
  return null;
}

/** The innermost repository counts. */
function namedIn(repositories: readonly NamedRoot[], path: string): string | null {
  const holders = repositories.filter(({ root }) => path === root || path.startsWith(`${root}${sep}`));
  const [holder] = holders.toSorted((a, b) => b.root.length - a.root.length);
  return holder === undefined ? null : `${holder.name}${path.slice(holder.root.length).replaceAll(sep, "/")}`;
}
