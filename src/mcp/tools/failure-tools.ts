/**
 * The tools for what is remembered and what has failed: `recall`, `premortem`, `escalate`. None of them writes anything
 * but vectors of what is remembered, where an embedding model is set.
 */
import { z } from "zod";
import { EscalationDecision, RetrievalBundle } from "../../escalation/escalation-schema.ts";
import { failureInLog } from "../../escalation/failure-log.ts";
import { type HandoffBundle, HandoffDocument, readHandoffBundle } from "../../escalation/handoff-bundle.ts";
import { Failed, type Notice, noticeSentence } from "../../failure.ts";
import { DOMAINS, STRATEGIES } from "../../memory/vocabulary.ts";
import { escalationText } from "../../present/escalation-report.ts";
import type { FormattedContext } from "../../recall/context/context-json.ts";
import { ContextJson } from "../../recall/context/context-json.ts";
import { CONTEXT_TYPES } from "../../recall/context/context-types.ts";
import { placeInside } from "../path-sandbox.ts";
import { type Answer, type Call, type Limits, tool } from "./tool.ts";

const ITEMS_DEFAULT = 10;
const ITEMS_MAX = 100;
const RECALL_TOKENS = 2_000;
const PREMORTEM_TOKENS = 1_500;
/** An answer says everything twice: as one text, and item by item. */
const TIMES_SAID = 2;

const limit = (of: string) =>
  z.int().min(1).max(ITEMS_MAX).optional().describe(`items of each ${of}, ${ITEMS_DEFAULT} by default`);
const max_tokens = (tokens: number) => z.int().min(1).optional().describe(`of the text, ${tokens} by default`);

export const RECALL = tool({
  name: "recall",
  title: "Recall what is known",
  description:
    "Recalls what is known about a subject in this repository: memories, earlier experiences and the values drawn from them, code, and commits. Use it before a decision that may have been made before (conventions, past failures, why something is as it is).",
  writes: false,
  isIdempotent: true,
  less: "ask for less with limit or max_tokens",
  input: z.strictObject({
    query: z.string().min(1).max(10_000).describe("what it is about, in words"),
    types: z.array(z.enum(CONTEXT_TYPES)).min(1).max(CONTEXT_TYPES.length).optional().describe("all by default"),
    limit: limit("type"),
    max_tokens: max_tokens(RECALL_TOKENS),
  }),
  output: ContextJson,
  async answer({ query, types, limit: items = ITEMS_DEFAULT, max_tokens: tokens }, call) {
    if (query.trim() === "")
      throw new Failed({ code: "usage", message: "query: it is empty", next: "say what it is about" });
    const wanted = CONTEXT_TYPES.filter((type) => types === undefined || types.includes(type));
    const maxTokens = tokensOf(tokens, RECALL_TOKENS, call.limits);
    const asked = { query: query.trim(), types: wanted, limit: items, maxTokens };
    return await noticing(call, () => call.app.recall(asked, call.signal));
  },
});

export const PREMORTEM = tool({
  name: "premortem",
  title: "What went wrong before",
  description:
    "Lists what went wrong before in work of one kind: common failures, how strategies went, surprises, root causes, and principles learned. Use it before you begin a change, or after an attempt has failed, to avoid known mistakes.",
  writes: false,
  isIdempotent: true,
  less: "ask for less with limit or max_tokens",
  input: z.strictObject({
    domain: z.enum(DOMAINS).describe("the kind of work"),
    strategy: z.enum(STRATEGIES).optional().describe("how it is done; all ways by default"),
    limit: limit("section"),
    max_tokens: max_tokens(PREMORTEM_TOKENS),
  }),
  output: ContextJson,
  async answer({ domain, strategy, limit: items = ITEMS_DEFAULT, max_tokens: tokens }, call) {
    const maxTokens = tokensOf(tokens, PREMORTEM_TOKENS, call.limits);
    const asked = { domain, strategy: strategy ?? null, limit: items, maxTokens };
    return await noticing(call, () => call.app.premortem(asked, call.signal));
  },
});

/** Throws a usage failure for more than clients take. */
function tokensOf(asked: number | undefined, usual: number, { budgetMax }: Limits): number {
  const most = Math.floor(budgetMax / TIMES_SAID);
  if ((asked ?? 0) <= most) return asked ?? Math.min(usual, most);
  throw new Failed({
    code: "usage",
    message: `max_tokens: ${asked} are more than the ${most} that this server gives`,
    next: "ask for less",
  });
}

/** What a source could not answer is said with the rest. */
async function noticing({ app }: Call, ask: () => Promise<FormattedContext>): Promise<Answer> {
  const before = app.notices.length;
  const context = await ask();
  const structured: ContextJson = { schema_version: 1, ...context };
  const notes = app.notices.slice(before).map((notice: Notice) => `Note: ${noticeSentence(notice)}\n`);
  return { text: `${context.markdown || "Nothing was found.\n"}${notes.join("")}`, structured };
}

const LOG_CHARS_MAX = 4_000_000;
const ATTEMPTS_MAX = 1_000_000;

export const ESCALATE = tool({
  name: "escalate",
  title: "Gather evidence of a failure",
  description:
    "Decides whether a failed attempt needs more evidence than it handed on, and if so gathers it: the run's own logs, documents and source of this repository, and earlier failures like it. Use it after an attempt has failed and its error alone does not say why.",
  writes: false,
  isIdempotent: true,
  less: "ask with check, which only decides",
  input: z.strictObject({
    run_dir: z
      .string()
      .min(1)
      .max(4_000)
      .describe("the folder that the run left its logs in, from the repository's root and inside of it"),
    phase: z.string().min(1).max(200).describe("the phase that failed; its logs are <phase>_attempt_<number>.log"),
    attempt: z.int().min(1).max(ATTEMPTS_MAX).optional().describe("which attempt this was, 1 by default"),
    handoff: HandoffDocument.optional().describe("what the attempt hands on"),
    trace: z.string().max(LOG_CHARS_MAX).optional().describe("its log or stack trace, in place of handoff"),
    check: z.boolean().optional().describe("only decide"),
    force: z.boolean().optional().describe("gather although nothing asks for it"),
    adaptive_caps: z.boolean().optional().describe("gather more for a high priority, and less for a low one"),
  }),
  output: z.union([RetrievalBundle, EscalationDecision]),
  async answer({ run_dir, phase, attempt = 1, handoff, trace, check, force, adaptive_caps }, call) {
    const { app, signal } = call;
    const place = placeInside(app.root, run_dir, "run_dir");
    const found = await app.escalate(
      {
        handoff: handedOn(handoff, trace),
        runDir: `${app.root}/${place}`,
        phase,
        attempt,
        check: check ?? false,
        force: force ?? false,
        adaptiveCaps: adaptive_caps ?? false,
      },
      signal,
    );
    return { text: escalationText(found), structured: found };
  },
});

function handedOn(handoff: z.infer<typeof HandoffDocument> | undefined, trace: string | undefined): HandoffBundle {
  if (handoff !== undefined && trace !== undefined)
    throw new Failed({ code: "usage", message: "handoff and trace exclude each other", next: "give one of them" });
  if (handoff !== undefined) return readHandoffBundle(JSON.stringify(handoff), "handoff");
  const failure = trace === undefined ? null : failureInLog(trace);
  if (failure !== null) return failure;
  const message = trace === undefined ? "handoff is missing" : "trace: it is empty";
  throw new Failed({ code: "usage", message, next: "give what the attempt hands on, or its log as trace" });
}
