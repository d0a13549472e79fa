/**
 * Premortem: what went wrong before in such work, as five questions and a section for each answer.
 *
 * An experience may appear in several sections, each showing another axis. Failures come first under strategy performance.
 * Of nearly equal experiences one is shown, and all are counted. Principles are compared among themselves alone.
 */

import type { ExperienceFilter } from "../../db/memory/store.ts";
import type { Axis, Domain, Strategy } from "../../memory/vocabulary.ts";
import { counted } from "../../text/counted.ts";
import { askSources, type Question } from "../search/ask-sources.ts";
import { adjusted, confidenceFactor, newestOf, recencyFactor } from "./adjustments.ts";
import { WEIGHTS } from "./allocation.ts";
import type { RecallDeps } from "./assemble.ts";
import type { Candidate } from "./candidate.ts";
import { composeContext } from "./compose.ts";
import type { ContextItem, FormattedContext } from "./context-json.ts";
import { withDuplicates } from "./deduplicate.ts";
import { experienceCandidate, experienceKey, hasFailed, valueCandidate } from "./formats.ts";

/** `limit` is the number of items per section, `maxTokens` the size of the text. */
export type PremortemRequest = {
  readonly domain: Domain;
  readonly strategy: Strategy | null;
  readonly limit: number;
  readonly maxTokens: number;
};

/** A few principles suffice. */
const VALUES_MAX = 5;

const PRINCIPLES = "Relevant Principles";
const TITLES: Record<Axis, string> = {
  full: "Common Failures",
  strategy: "Strategy Performance",
  surprise: "Unexpected Outcomes",
  root_cause: "Root Causes to Watch",
};

/** A result for a section; `at` is its time and `experience` its id, null for a principle. */
type SectionResult = {
  readonly section: string;
  readonly experience: string | null;
  readonly at: string | null;
  readonly isFailure: boolean;
  candidate(recency: number): Candidate;
};

/** Throws the signal's reason when it fires. A question that fails is left out with a notice. */
export async function premortemContext(
  deps: RecallDeps,
  request: PremortemRequest,
  signal: AbortSignal,
): Promise<FormattedContext> {
  const { domain, strategy, maxTokens } = request;
  const results = (await askSources(deps, questions(deps, request), signal)).flat();
  const newest = newestOf(results.flatMap(({ at }) => at ?? []));
  const resultOf = new Map(
    results.map((result) => {
      const { at, candidate } = result;
      return [candidate(at === null ? 1 : recencyFactor(at, newest)), result] as const;
    }),
  );
  const experienceOf = (candidate: Candidate): string | null => resultOf.get(candidate)?.experience ?? null;
  const found = [...resultOf.keys()];
  const told = withDuplicates(found.filter((candidate) => experienceOf(candidate) !== null));
  const principles = withDuplicates(found.filter((candidate) => experienceOf(candidate) === null));
  const kept = [...told.keys(), ...principles.keys()];
  const section = (title: string) => ({
    title,
    candidates: kept.filter((candidate) => resultOf.get(candidate)?.section === title),
  });
  const isFailure = (candidate: Candidate): boolean => resultOf.get(candidate)?.isFailure === true;
  const performance = section(TITLES.strategy);
  const failuresFirst = {
    ...performance,
    candidates: performance.candidates.toSorted((a, b) => Number(isFailure(b)) - Number(isFailure(a))),
  };
  return composeContext(
    deps,
    {
      title: `Premortem: ${domain}${strategy === null ? "" : ` with ${strategy}`}`,
      sources: [
        {
          weight: WEIGHTS.experiences,
          sections: [section(TITLES.full), failuresFirst, section(TITLES.surprise), section(TITLES.root_cause)],
        },
        { weight: WEIGHTS.values, sections: [section(PRINCIPLES)] },
      ],
      closing: (items) => {
        const shown = new Set(items.map(keyOf));
        const behind = [...told].flatMap(([one, same]) => (shown.has(one.id) ? [one, ...same] : []));
        return `Based on ${counted(new Set(behind.map(experienceOf)).size, "past experience")}`;
      },
    },
    maxTokens,
  );
}

const keyOf = (item: ContextItem): string | null =>
  item.source === "experience" ? experienceKey(item.metadata.id, item.metadata.axis) : null;

function questions(
  { searcher }: Pick<RecallDeps, "searcher">,
  { domain, strategy, limit }: PremortemRequest,
): readonly Question<SectionResult>[] {
  const experiences = (query: string, filter: ExperienceFilter): Question<SectionResult> => ({
    source: `experiences (${TITLES[filter.axis]})`,
    ask: async (signal) =>
      (await searcher.experiences(query, filter, limit, signal)).map(({ relevance, found }) => ({
        section: TITLES[filter.axis],
        experience: found.id,
        at: found.created_at,
        isFailure: hasFailed(found),
        candidate: (recency) =>
          experienceCandidate(found, filter.axis, adjusted(relevance, confidenceFactor(found.confidence), recency)),
      })),
  });
  const principles = `principles for ${domain}${strategy === null ? "" : ` using ${strategy}`}`;
  return [
    experiences(`failures and issues in ${domain}`, { axis: "full", domain, outcome: "falsified" }),
    ...(strategy === null ? [] : [experiences(`outcomes using ${strategy} strategy`, { axis: "strategy", strategy })]),
    experiences(`unexpected outcomes in ${domain}`, { axis: "surprise", domain }),
    experiences(`why hypotheses fail in ${domain}`, { axis: "root_cause", domain }),
    {
      source: "values",
      ask: async (signal) => {
        const filter = { domain, ...(strategy === null ? {} : { strategy }) };
        return (await searcher.values(principles, filter, VALUES_MAX, signal)).map(({ relevance, found }) => {
          const candidate = valueCandidate(found, adjusted(relevance));
          return { section: PRINCIPLES, experience: null, at: null, isFailure: false, candidate: () => candidate };
        });
      },
    },
  ];
}
