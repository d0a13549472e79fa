/** How much an index run would have to parse and write, without doing it. */

import type { StoredFile } from "../../../db/curated/write/write.ts";
import { Failed } from "../../../failure.ts";
import { canBeOf } from "../../../languages/script-language.ts";
import type { TreeFile } from "../../../source/walk/tree-digest.ts";
import type { Amount, IndexOptions } from "../../model/index-run.ts";
import type { IndexDeps, WorkTree } from "../index-deps.ts";
import { statKeyOf } from "./change-fingerprint.ts";
import { hashOf } from "./file-content.ts";
import type { ScanScope } from "./scan-scope.ts";

/** Throws `index-behind` when more is due than `dueMax`. `stored` as in `dueBeyond`. */
export function failIfBehind(
  { workTree }: Pick<IndexDeps, "workTree">,
  options: IndexOptions,
  scope: ScanScope,
  stored: Parameters<typeof dueBeyond>[3],
): void {
  if (options.dueMax === undefined) return;
  const due = dueBeyond(workTree, options, scope, stored, options.dueMax);
  if (due !== null) throw new Failed({ code: "index-behind", ...due });
}

/**
 * What is due, if that is more than the limit; else null. `stored` are the files whose rows stay valid if their content is the
 * same. Contents are compared by stat keys, and read only where these leave it open.
 */
export function dueBeyond(
  workTree: Pick<WorkTree, "skipByPath" | "readFile">,
  { bytesMax }: Pick<IndexOptions, "bytesMax">,
  { files, vendoredIsMain, seen }: Pick<ScanScope, "files" | "vendoredIsMain" | "seen">,
  stored: readonly Pick<StoredFile, "path" | "contentHash" | "language">[],
  limit: Amount,
): Amount | null {
  const limits = { bytesMax, vendoredIsMain };
  const hashes = new Map(
    stored.flatMap((file) => (canBeOf(file.path, file.language) ? [[file.path, file.contentHash]] : [])),
  );
  const due = { files: 0, bytes: 0 };
  const open: TreeFile[] = [];
  const add = ({ sizeBytes }: TreeFile): void => {
    due.files += 1;
    due.bytes += sizeBytes;
  };
  for (const file of files) {
    const { path, sizeBytes } = file;
    const known = seen.get(path);
    const isSame = known !== undefined && known.statKey === statKeyOf(file);
    if (isSame ? known.skip !== null || hashes.get(path) === known.hash : false) continue;
    if (workTree.skipByPath(path, sizeBytes, limits) !== null) continue;
    if (isSame) add(file);
    else open.push(file);
  }
  if (isWithin(limit, open.reduce(plus, due))) return null;
  for (const file of open) {
    if (!isWithin(limit, due)) return due;
    const read = workTree.readFile(file.path, bytesMax);
    if (read.kind === "bytes" && hashes.get(file.path) !== hashOf(read.bytes)) add(file);
  }
  return isWithin(limit, due) ? null : due;
}

const plus = (sum: Amount, { sizeBytes }: TreeFile): Amount => ({ files: sum.files + 1, bytes: sum.bytes + sizeBytes });
const isWithin = (limit: Amount, { files, bytes }: Amount): boolean => files <= limit.files && bytes <= limit.bytes;
