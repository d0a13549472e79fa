/** What a name that leads to nothing probably means: a path, or a definition given as `path:name`. */
import { nearestName } from "../../config/did-you-mean.ts";
import type { FileRow, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import { nearPath } from "../anchors/near-path.ts";
import { symbolParts } from "../requests/request-names.ts";

/** The name as it may be asked for; null if nothing is near. Names without a path are compared with no definition: there are too many. */
export function nearTarget(
  typed: string,
  kb: Pick<SymbolQueries, "symbolsIn">,
  files: readonly FileRow[],
): string | null {
  const byPath = new Map(files.map(({ path, id }) => [path, id]));
  const { path, name } = symbolParts(typed, (whole) => byPath.has(whole));
  if (name === "") return nearPath(typed, files);
  const id = byPath.get(path);
  if (id === undefined) {
    const near = nearPath(path, files);
    return near === null ? null : `${near}:${name}`;
  }
  const rows = kb.symbolsIn([id]);
  const near = nearestName(
    name,
    rows.flatMap((row) => [row.qualifiedName, row.name]),
  );
  const meant = rows.find((row) => row.qualifiedName === near || row.name === near);
  return meant === undefined ? null : `${path}:${meant.qualifiedName}`;
}
