/**
 * What counts as a large run, in which memory matters more than time. A smaller one frees nothing before its end: collecting garbage and
 * ending threads takes 2 % of its time, for 50 MB.
 */
import type { Tree } from "../../source/walk/tree.ts";

const FILES_MAX = 20_000;
const BYTES_MAX = 16 * 1024 * 1024;

/** Whether a run over this work tree is a large one. */
export const isLarge = ({ packed, files }: Pick<Tree, "packed" | "files">): boolean =>
  packed.count > FILES_MAX || Iterator.from(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > BYTES_MAX;
