/** How many files import the file, as a share of the most imported one. */
import { columnOf } from "../column.ts";
import type { Signal } from "./signal.ts";

export const structuralCentrality: Signal = ({ kb, files }) => {
  const importers = kb.importerCounts();
  if (importers.size === 0) return null;
  const most = importers.values().reduce((max, count) => Math.max(max, count), 1);
  return columnOf(files, ({ id }) => (importers.get(id) ?? 0) / most);
};
