/** What several indexes leave out, as one index: paths begin with the name of the repository. */
import type { FileQueries, SkippedPath } from "../knowledge-base.ts";

type Part = { readonly name: string; readonly kb: Pick<FileQueries, "skipOf"> };

/** As `skipOf` of one index. */
export function skipOfUnion(parts: readonly Part[], path: string): SkippedPath | null {
  const found = parts.flatMap(({ name, kb }) => {
    const skip = kb.skipOf(path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path);
    return skip === null ? [] : [{ ...skip, path: `${name}/${skip.path}` }];
  });
  const [first = null] = found;
  return found.find((skip) => skip.path === path) ?? (found.length === 1 ? first : null);
}
