/** The files of today that a task names as they were called before. */
import type { NamedFormerly, TaskQuery } from "../../task/query.ts";
import type { PathIndex } from "./path-index.ts";

type FormerFile = { readonly files: readonly number[]; readonly former: NamedFormerly };

/** The file that had the path of this text, or none if it was deleted or is no candidate; null if history says nothing of it. */
export function formerFile(
  text: string,
  given: Pick<TaskQuery["given"], "former"> | undefined,
  paths: Pick<PathIndex, "endingLike">,
): FormerFile | null {
  const former = given?.former?.find(({ named }) => named === text);
  if (former === undefined) return null;
  if (former.now === null) return { files: [], former };
  const { files, components, written, whole } = paths.endingLike(former.now);
  return { files: whole && components === written ? files : [], former };
}
