/** The coefficients of `expected-worth.ts`, as `scripts/bench/fit-worth.ts` fits them on the development cases. */
import type { WorthModel } from "./expected-worth.ts";

export const WORTH_MODEL: WorthModel = {
  constant: -1.038,
  of: {
    position: -0.731,
    rank: -0.561,
    fileLines: -0.327,
    tokens: 0.32,
    score: 0.593,
    named: 0.678,
    namedPosition: 0.084,
    lines: -3.12,
    companion: 0.516,
    lead: 2.166,
    leadPosition: -0.503,
    leadRank: -0.608,
    length: -0.041,
    lengthPosition: 0.002,
    best: -0.124,
  },
};
