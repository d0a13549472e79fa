/** Links from tests to sources, and a list of many as numbers, for the reason that `dependency-list.ts` gives. */
import type { PathPositions } from "../model/path-positions.ts";

/** Evidence for a link, in the order of display. */
export const EVIDENCE = ["name", "import", "reference"] as const;

/** `score` is above 0 and at most 1, 1 when everything agrees. `by` is the evidence, with commas between. */
export type TestLink = {
  readonly test: string;
  readonly source: string;
  readonly score: number;
  readonly by: string;
};

/** Scores have six decimals. */
export const SCORE_STEPS = 1e6;

/** Files are positions in a list. */
type TestLinkList = {
  /** The links of a test; undefined if none were set. */
  get(test: number): readonly TestLink[] | undefined;
  set(test: number, links: readonly TestLink[]): void;
};

/** The numbers of a link. */
const WIDTH = 3;

export function testLinkList(files: readonly { readonly path: string }[], positions: PathPositions): TestLinkList {
  /** The links, one test after another, and where those of each test begin and end. */
  const numbers: number[] = [];
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  return {
    get(test) {
      const [start, end] = [starts.get(test), ends.get(test)];
      if (start === undefined || end === undefined) return undefined;
      return Array.from({ length: (end - start) / WIDTH }, (_, at) => {
        const [source = -1, steps = 0, evidence = 0] = numbers.slice(start + WIDTH * at, start + WIDTH * (at + 1));
        return {
          test: files[test]?.path ?? "",
          source: files[source]?.path ?? "",
          score: steps / SCORE_STEPS,
          by: EVIDENCE.filter((_, bit) => (evidence & (1 << bit)) !== 0).join(","),
        };
      });
    },
    set(test, links) {
      starts.set(test, numbers.length);
      for (const { source, score, by } of links) {
        const kinds: readonly string[] = by.split(",");
        const evidence = EVIDENCE.reduce((bits, kind, bit) => (kinds.includes(kind) ? bits | (1 << bit) : bits), 0);
        numbers.push(positions.get(source) ?? -1, Math.round(score * SCORE_STEPS), evidence);
      }
      ends.set(test, numbers.length);
    },
  };
}
