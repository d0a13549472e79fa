/** Sample results, and a searcher that returns given results. */
import type { Experience, Memory, Value } from "../../src/memory/experience.ts";
import type { Found, FoundCode, FoundCommit, Searcher } from "../../src/recall/search/searcher.ts";

const MOMENT = "2026-03-01T10:00:00.000Z";

/** A number as 12 hexadecimal digits. */
const hex = (number: number): string => number.toString(16).padStart(12, "0");

export const memory = (number: number, given: Partial<Memory> = {}): Memory => ({
  id: `mem-${hex(number)}`,
  content: `note ${number}`,
  category: "fact",
  importance: 1,
  created_at: MOMENT,
  ...given,
});

export const experience = (number: number, given: Partial<Experience> = {}): Experience => ({
  id: `exp-${hex(number)}`,
  domain: "debugging",
  strategy: "read-the-error",
  goal: `goal ${number}`,
  iterations: [{ hypothesis: `hypothesis ${number}`, action: `action ${number}`, prediction: `prediction ${number}` }],
  outcome: { status: "falsified", result: `result ${number}` },
  surprise: null,
  root_cause: null,
  lesson: null,
  confidence: "gold",
  task_id: null,
  created_at: MOMENT,
  updated_at: MOMENT,
  ...given,
});

export const value = (number: number, given: Partial<Value> = {}): Value => ({
  id: `val-${hex(number)}`,
  axis: "full",
  cluster_id: `c${number}`,
  cluster_size: 3,
  text: `principle ${number}`,
  similarity_to_centroid: 0.9,
  domains: ["debugging"],
  strategies: ["read-the-error"],
  experience_ids: [`exp-${hex(900 + number)}`],
  ...given,
});

export const code = (number: number, given: Partial<FoundCode> = {}): FoundCode => ({
  path: `src/file${number}.py`,
  startLine: number,
  endLine: number + 5,
  language: "python",
  kind: "function",
  name: `run_${number}`,
  qualifiedName: `Runner.run_${number}`,
  signature: `def run_${number}(self)`,
  docstring: null,
  ...given,
});

export const commit = (number: number, given: Partial<FoundCommit> = {}): FoundCommit => ({
  sha: number.toString(16).padStart(40, "a"),
  author: "Ada",
  timestamp: MOMENT,
  message: `change ${number}`,
  filesChanged: [`lib/part${number}.py`],
  insertions: null,
  deletions: null,
  ...given,
});

/** Each with its relevance, falling from `first` in steps of a hundredth unless given. */
export const ranked = <T>(found: readonly T[], first = 0.9): readonly Found<T>[] =>
  found.map((one, at) => ({ found: one, relevance: Math.max(0, first - at / 100) }));

/** What was asked, by method. */
export type Asked = {
  readonly method: string;
  readonly query: string;
  readonly filter: unknown;
  readonly limit: number;
};

/** Answers with the first `limit` of what it is given; sources that are left out find nothing. */
export function searcherOf(
  given: {
    readonly memories?: readonly Found<Memory>[];
    readonly code?: readonly Found<FoundCode>[];
    readonly experiences?: readonly Found<Experience>[];
    readonly values?: readonly Found<Value>[];
    readonly commits?: readonly Found<FoundCommit>[];
  },
  asked: Asked[] = [],
): Searcher {
  const answer = async <T>(
    method: string,
    query: string,
    filter: unknown,
    limit: number,
    found: readonly Found<T>[] = [],
  ): Promise<readonly Found<T>[]> => {
    asked.push({ method, query, filter, limit });
    return found.slice(0, limit);
  };
  return {
    memories: (query, limit) => answer("memories", query, null, limit, given.memories),
    code: (query, limit) => answer("code", query, null, limit, given.code),
    experiences: (query, filter, limit) =>
      answer(
        "experiences",
        query,
        filter,
        limit,
        given.experiences?.filter(
          ({ found }) =>
            (filter.domain === undefined || found.domain === filter.domain) &&
            (filter.strategy === undefined || found.strategy === filter.strategy) &&
            (filter.outcome === undefined || found.outcome?.status === filter.outcome) &&
            (filter.axis !== "surprise" || found.surprise !== null) &&
            (filter.axis !== "root_cause" || found.root_cause !== null),
        ),
      ),
    values: (query, filter, limit) => answer("values", query, filter, limit, given.values),
    commits: (query, limit) => answer("commits", query, null, limit, given.commits),
  };
}
