/** Whether the file is an entry point: 1 by its name or folder, .5 if very many files import it. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

const ENTRY_PATH = /(?:^|\/)(?:(?:routes|controllers|pages)\/[^/]+|(?:app|main|index)\.[^/]+)$/i;
export const isEntryPath = (path: string): boolean => ENTRY_PATH.test(path);
/** Files that import a frequently imported one. */
const IMPORTERS_MIN = 10;
const IMPORTED = 0.5;

export const entryPoint: Signal = ({ kb, files }) => {
  const importers = kb.importerCounts();
  return columnOf(files, ({ id, path }) => {
    if (isEntryPath(path)) return 1;
    return (importers.get(id) ?? 0) >= IMPORTERS_MIN ? IMPORTED : 0;
  });
};
