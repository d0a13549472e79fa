/** The position of each file in a list of files, cached for all parts of ranking and for later tasks on the same list; and whether two lists are alike. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { BLOCK_FILES } from "../../text/terms/stats-block.ts";

/** The position of the file with an id. */
export type Positions = Pick<ReadonlyMap<number, number>, "get" | "has">;

const cache = new WeakMap<readonly FileRow[], Positions>();

/** Whether both lists have the same paths in the same order. */
export const hasSamePaths = (
  files: readonly Pick<FileRow, "path">[],
  others: readonly Pick<FileRow, "path">[],
): boolean => files.length === others.length && files.every(({ path }, position) => path === others[position]?.path);

/** Positions by file id. */
export function positionsById(files: readonly FileRow[]): Positions {
  const cached = cache.get(files);
  if (cached !== undefined) return cached;
  const positions = positionsOf(files);
  cache.set(files, positions);
  return positions;
}

/** The path of the first file of a block that is in the list, for messages; empty if none is. The ids of its files are `step` apart. */
export function firstPathOf(files: readonly FileRow[], firstId: number, step = 1): string {
  const positions = positionsById(files);
  for (let place = 0; place < BLOCK_FILES; place += 1) {
    const position = positions.get(firstId + place * step);
    if (position !== undefined) return files[position]?.path ?? "";
  }
  return "";
}

/** Ids with so few gaps between them that an array by id is as small as a map, and made in a fraction of the time. */
const IDS_PER_FILE_MAX = 4;

function positionsOf(files: readonly FileRow[]): Positions {
  let last = 0;
  for (let position = 0; position < files.length; position += 1) last = Math.max(last, files[position]?.id ?? 0);
  if (last > IDS_PER_FILE_MAX * files.length) return new Map(files.map(({ id }, position) => [id, position]));
  const numbers = new Int32Array(last + 1);
  for (let position = 0; position < files.length; position += 1) numbers[files[position]?.id ?? 0] = position + 1;
  return {
    get(fileId) {
      const number = numbers[fileId] ?? 0;
      return number === 0 ? undefined : number - 1;
    },
    has: (fileId) => (numbers[fileId] ?? 0) > 0,
  };
}
