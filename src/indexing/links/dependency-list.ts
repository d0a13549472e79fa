/**
 * Rows of dependencies as numbers. There may be hundreds of thousands, and the engine cannot free a block of memory while one object in it is in
 * use.
 */
import type { DependencyRow } from "../../db/curated/knowledge-base.ts";
import { IMPORT_EDGE_KINDS } from "./packed-links.ts";

type DependencyList = { add(row: DependencyRow): void; rows(): Iterable<DependencyRow> };

/** The numbers of a row. */
const WIDTH = 3;

export function dependencyList(): DependencyList {
  const numbers: number[] = [];
  return {
    add: ({ source, target, kind }) => void numbers.push(source, target, IMPORT_EDGE_KINDS.indexOf(kind)),
    *rows() {
      for (let at = 0; at < numbers.length; at += WIDTH) {
        const [source, target, kind] = [numbers[at], numbers[at + 1], IMPORT_EDGE_KINDS[numbers[at + 2] ?? -1]];
        if (source !== undefined && target !== undefined && kind !== undefined) yield { source, target, kind };
      }
    },
  };
}
