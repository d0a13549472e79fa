/** What a run notices: told as events, logged, and in the package only when every run on the index would notice it. */
import { expect, test } from "bun:test";
import type { RawLog } from "../../src/db/raw-log/raw-log.ts";
import { openSession } from "../../src/db/session/session.ts";
import { Failed } from "../../src/failure.ts";
import type { Notice } from "../../src/notice.ts";
import { noticeSentence } from "../../src/notice-sentence.ts";
import type { PipelineEvent } from "../../src/retrieval/model/events.ts";
import { DEFAULT_TEMPLATE, parseTemplate } from "../../src/retrieval/render/prompt.ts";
import { NO_CONSTRAINTS } from "../../src/retrieval/requests/refinement.ts";
import { type RetrieveResult, retrieve } from "../../src/retrieval/retrieve.ts";
import { stagesNamed } from "../../src/retrieval/stages.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { CRA_VERSION, indexed } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { SHOP } from "./retrieve-fixture.ts";

const shop = shared(await indexed(SHOP));

type RunOptions = { readonly notices?: readonly Notice[]; readonly budget?: number; readonly log?: RawLog };

async function run({ notices = [], budget = 8_000, log = shop.log }: RunOptions) {
  const pipeline = retrieve(
    {
      kb: shop.kb,
      log,
      openSession: (taskId) => openSession(shop.sessions, taskId),
      counter: await openTokenCounter("o200k_base", { margin: 0 }),
      now: () => 0,
      craVersion: CRA_VERSION,
      openJudge: null,
    },
    {
      command: "retrieve",
      task: "the cart sum is wrong",
      given: { paths: [], symbols: [], languages: [] },
      budget: { tokens: budget, maxLines: null, contextWindow: null, reservedTokens: null, coverage: 1 },
      stages: stagesNamed(["scope", "precision"]),
      scope: { scopeSize: 75, depth: 1, include: [], exclude: [] },
      weights: "default",
      safetyMargin: null,
      template: parseTemplate(DEFAULT_TEMPLATE, "the template"),
      constraints: NO_CONSTRAINTS,
      refines: null,
      judging: null,
      notices,
    },
    new AbortController().signal,
  );
  const events: PipelineEvent[] = [];
  let step = await pipeline.next();
  for (; !step.done; step = await pipeline.next()) events.push(step.value);
  const result: RetrieveResult = step.value;
  return { ...result, events };
}

const STALE: Notice = { code: "index-stale", why: "1 added (another cra is writing it)" };

test("notices of one run are reported and logged, and change nothing in the package", async () => {
  const [told, plain] = [await run({ notices: [STALE] }), await run({})];
  expect(told.pkg).toEqual(plain.pkg);
  const { code } = STALE;
  expect(told.events).toContainEqual({ event: "notice", code, message: noticeSentence(STALE) });
  const [before] = shop.log.runs(told.taskId);
  expect(before?.result?.notices).toContainEqual({ code, message: noticeSentence(STALE) });
});

test("notices of the index are in every package, and events before the first stage", async () => {
  const { pkg, events } = await run({});
  expect(pkg.warnings).toContain("no git history: not a git repository; recency and co-change are left out");
  expect(events.slice(0, 3).map(({ event }) => event)).toEqual(["run_started", "notice", "stage_started"]);
  const told = events.flatMap((event) => (event.event === "notice" ? [event.message] : []));
  expect(told).toEqual(pkg.warnings);
});

test("a log that refuses the ending does not hide why the run ended", async () => {
  const log: RawLog = {
    ...shop.log,
    appendTaskResult() {
      throw new Failed({ code: "io", message: "no space left on the disk", where: "raw.sqlite" });
    },
  };
  const refused = await run({ log, budget: 2 }).catch(String);
  expect(refused).toContain("a budget of 2 tokens is too small");
});
