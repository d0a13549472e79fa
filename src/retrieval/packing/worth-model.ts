/** The fitted coefficients of `expected-worth.ts`, from the development cases. */
import type { WorthModel } from "./expected-worth.ts";

export const WORTH_MODEL: WorthModel = {
  constant: -0.985,
  of: {
    position: -0.755,
    rank: -0.545,
    fileLines: -0.317,
    tokens: 0.324,
    score: 0.525,
    named: 0.735,
    namedPosition: 0.037,
    lines: -2.93,
    companion: 0.497,
    lead: 2.19,
    leadPosition: -0.504,
    leadRank: -0.656,
    length: -0.046,
    lengthPosition: 0.004,
    best: -0.161,
  },
};
