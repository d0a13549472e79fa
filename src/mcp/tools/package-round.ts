/**
 * What `retrieve` and `refine` share: arguments, the index that they need, and the answer with the package.
 *
 * Both write into cra's own data folder only. A small repository without an index is indexed first; a large one is answered from what
 * can be read at once, and indexed behind the answer.
 */
import { z } from "zod";
import type { IndexNeeds } from "../../app/indexing/ready-index.ts";
import type { RetrieveResult } from "../../app/retrieval/retrieve.ts";
import { coverageSchema } from "../../config/keys.ts";
import { Failed } from "../../failure.ts";
import { type Notice, unrecordedNotice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import type { PackageAnswer } from "../../present/answers.ts";
import type { PipelineEvent } from "../../retrieval/model/events.ts";
import type { StopJson } from "../../retrieval/model/package-schema.ts";
import { whyStopped } from "../../retrieval/render/stop-text.ts";
import { type Constraints, constraintsInWords } from "../../retrieval/requests/refinement.ts";
import type { DiffOptions } from "../../source/revisions/work-tree-diff.ts";
import { PURPOSES } from "../../task/query.ts";
import type { Answer, Call, Limits } from "./tool.ts";
import { inToolWords } from "./tool-words.ts";

/** Issues are a few KiB, and even a complete pasted log is smaller. */
const TASK_CHARS_MAX = 1_000_000;
/** Larger than a complete pasted log. */
const LOG_CHARS_MAX = 4_000_000;
const ENTRIES_MAX = 1_000;

export const names = (what: string) => z.array(z.string().min(1).max(1_000)).max(ENTRIES_MAX).optional().describe(what);

/** The task of a package, and its shape. */
export const ASKED = {
  task: z
    .string()
    .max(TASK_CHARS_MAX)
    .optional()
    .describe("the task in words: the issue, question or error; names of files and symbols help"),
  for: z
    .enum(PURPOSES)
    .optional()
    .describe("the shape: plan has signatures; fix and review callers and tests too; explain documentation first"),
};
/** Where to look for it. */
export const AIMED = {
  hint_paths: names("files that the task is about"),
  hint_symbols: names("symbols that the task is about"),
  only: names("search only these folders or files, relative to the repository's root"),
};
export const budget = z
  .int()
  .min(1)
  .optional()
  .describe("most tokens of the package; leave it out unless that was too small or too large");
export const coverage = coverageSchema()
  .optional()
  .describe("auto stops where more is hardly worth its tokens; or the share of what is expected to matter");
export const CHANGES = {
  diff: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('the changes in the work tree are what it is about: compared with "HEAD", or with another commit'),
  since: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe(
      'the commits of this branch are what it is about: since it left another one, such as "main"; or "v1.1..v1.2"',
    ),
};
export const standing = z
  .enum(["keep", "drop"])
  .optional()
  .describe("what earlier rounds of the task asked for: apply it all, or forget it");
export const trace = z
  .string()
  .max(LOG_CHARS_MAX)
  .optional()
  .describe("output of a failed run or a stack trace; its last failure counts");

export function changesIn(asked: {
  readonly diff?: string | undefined;
  readonly since?: string | undefined;
}): DiffOptions | undefined {
  const { diff = null, since = null } = asked;
  return diff === null && since === null ? undefined : { diff, since };
}

/** Throws a usage failure for more than clients accept. */
export function budgetOf(asked: number | undefined, { budgetDefault, budgetMax }: Limits): number {
  if (asked === undefined || asked <= budgetMax) return asked ?? budgetDefault;
  throw new Failed({
    code: "usage",
    message: `budget: ${asked} tokens are more than this server allows (${budgetMax})`,
    next: `ask for less, or start the server as: cra mcp --budget ${asked}`,
  });
}

/** The index that a package is made from. */
export const indexNeeds = ({ follow }: Pick<Call, "follow">): IndexNeeds => ({
  refresh: true,
  quick: "if-large",
  onRefresh: follow.onProgress,
});

/** What a run notices of the changes under review, and of names in a refinement. A package says nothing of what it does not show. */
const OF_RUN: ReadonlySet<string> = new Set<Notice["code"]>([
  "path-renamed",
  "nothing-changed",
  "changed-left",
  "changed-unnamed",
  "content-lacking",
  "diff-lost",
  "review-unread",
]);

/** How much of a further round is shown: by default what is new, if this client was sent the round before. */
export const show = z.enum(["new", "all"]).optional().describe("all repeats what you were sent before");
type Show = NonNullable<z.infer<typeof show>>;

/** Runs the pipeline, and answers with its package. What is not recorded has no further round. */
export async function answerOf(
  pipeline: AsyncGenerator<PipelineEvent, RetrieveResult>,
  call: Call,
  asked?: Show,
): Promise<{ readonly found: PackageAnswer; readonly isRecorded: boolean }> {
  const { app, sent, follow } = call;
  const noticed: string[] = [];
  const result = await follow.run(pipeline, ({ code, message }) => {
    if (OF_RUN.has(code)) noticed.push(message);
  });
  const { task_id, provenance } = result.package;
  const before = provenance.changes?.since_round ?? null;
  const isKnown = before !== null && sent.has(app.root, task_id, before);
  const isRecorded = result.unrecorded === null;
  if (isRecorded) sent.add(app.root, task_id, result.round);
  return {
    found: await packageAnswer(result, call, { noticed, shows: asked ?? (isKnown ? "new" : "all") }),
    isRecorded,
  };
}

/** `noticed` is what the package does not say of its run. */
export async function packageAnswer(
  result: Pick<RetrieveResult, "package" | "round" | "notApplied" | "unrecorded" | "answers">,
  { behind }: Pick<Call, "behind">,
  { noticed = [], shows = "all" }: { readonly noticed?: readonly string[]; readonly shows?: Show } = {},
): Promise<PackageAnswer> {
  const { package: found, round, notApplied, unrecorded } = result;
  const { task_id, files, budget: of, warnings, provenance } = found;
  const { markdown, tokens, since } = await result.answers.next(shows);
  const { provisional } = provenance;
  const ofIndex = provisional === undefined ? behind.news() : behind.begin();
  // The text has the notes of a first answer and of a map.
  const others = warnings.filter((warning) => ![ORDINARY, provisional?.note, provenance.map].includes(warning));
  return {
    schema_version: 1,
    task_id,
    round,
    markdown,
    token_count: tokens,
    budget: of,
    ...(provenance.budget.stop === undefined ? {} : { stop: provenance.budget.stop }),
    files: files.map(({ path, relevance_rank, tier }) => ({ path, rank: relevance_rank, tier })),
    ...(since === null ? {} : { news: { since_round: since, package_tokens: found.token_count } }),
    ...(provenance.changes === undefined ? {} : { changes: provenance.changes }),
    ...(provisional === undefined ? {} : { provisional }),
    warnings: [
      ...noticed,
      ...(notApplied === null ? [] : [notAppliedSentence(notApplied)]),
      ...unrecordedNotice(unrecorded).map(noticeSentence),
      ...(ofIndex === null ? [] : [ofIndex]),
      ...fewer(others).map(inArguments),
    ],
  };
}

/** A call can contain a thousand unknown names. */
const WARNINGS_MAX = 20;

const fewer = (warnings: readonly string[]): string[] =>
  warnings.length <= WARNINGS_MAX
    ? [...warnings]
    : [...warnings.slice(0, WARNINGS_MAX), `and ${warnings.length - WARNINGS_MAX} more notes`];

const notAppliedSentence = (constraints: Constraints): string =>
  noticeSentence({ code: "constraints-not-applied", asked: constraintsInWords(constraints) })
    .replace("--keep-constraints", 'standing: "keep"')
    .replace("--drop-constraints", 'standing: "drop"');

/** The arguments that warnings name. */
const ARGUMENTS = [
  "task",
  "budget",
  "coverage",
  "trace",
  ...Object.keys(CHANGES),
  "hint_paths",
  "hint_symbols",
  "only",
  "with_memory",
];

const inArguments = (warning: string): string => inToolWords(warning, ARGUMENTS, []);

/** The warning of nearly every run, which does not help a model. */
const ORDINARY = noticeSentence({ code: "enrichment-missing" });

/** How to ask for what is missing. */
export const REFINE_NEXT = "refine with this task_id";

/** The package as text, with what a model needs for its next call. `next` says how to ask for what is missing. */
export function packageText(found: PackageAnswer, next: string): Answer {
  const { task_id, round, markdown, token_count, budget: of, warnings, stop, news } = found;
  const ending = markdown.endsWith("\n") ? "" : "\n";
  const notes = warnings.map((warning) => `Note: ${warning}\n`).join("");
  const stopped = stop === undefined ? "" : ` ${stoppedText(stop)}`;
  const size = news === undefined ? `${token_count} of ${of} tokens` : newsSize(found, news);
  const foot = `Task ${task_id}, round ${round}: ${size}.${stopped} If something is missing or wrong: ${next}.\n`;
  return { text: `${markdown}${ending}\n---\n${notes}${foot}`, structured: found };
}

const newsSize = ({ token_count, budget: of }: PackageAnswer, news: NonNullable<PackageAnswer["news"]>): string =>
  `${news.package_tokens} of ${of} tokens, of which these ${token_count} say what is new since round ${news.since_round} (show: "all" repeats the rest)`;

/** Where packing stopped, why, and how to get what would come next, without what the package itself says of it. */
function stoppedText(stop: StopJson): string {
  // The coverage of the last piece includes all of them.
  const last = stop.next.at(-1)?.coverage ?? null;
  if (stop.reason === "enough" && last !== null) return `What is left out comes next, with coverage ${last}.`;
  const why = `It stops there because ${whyStopped(stop)}.`;
  if (stop.next.length === 0) return why;
  const next = stop.next.map(({ item, path, tokens }) => `${item} in ${path} (${tokens} tokens)`).join(", ");
  return `${why} Next${last === null ? ", with a larger budget" : `, with coverage ${last}`}: ${next}.`;
}
