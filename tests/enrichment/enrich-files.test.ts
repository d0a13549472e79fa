/** Asking about files: each answer is kept at once, a bad one costs one file, a lost server ends it. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelCallRow } from "../../src/db/raw-log/raw-log.ts";
import { type EnrichOutcome, type EnrichStep, enrichFiles } from "../../src/enrichment/enrich-files.ts";
import type { Content, Material } from "../../src/enrichment/material.ts";
import { fromStored } from "../../src/enrichment/record.ts";
import { openFence } from "../../src/judgement/fence.ts";
import type { ModelFailure, ModelRequest } from "../../src/llm/model.ts";
import { COUNTER, TOKEN, type Told, toldModel } from "../judgement/told-model.ts";
import { anyCharacter } from "../support/any-character.ts";

const ANSWER = JSON.stringify({
  purpose: "It adds.",
  module: "shop",
  domain: "prices",
  concepts: ["cart"],
  public_api_surface: [],
  complexity_notes: "",
});
const contentsOf = (count: number): readonly Content[] =>
  Array.from({ length: count }, (_, at) => ({ path: `f${at}.py`, contentHash: `h${at}` }));
/** Too long to be asked about with others. */
const LONG = "total = total + price\n".repeat(200);
const materialOf = (content: Content, isSmall = false): Material => ({
  ...content,
  language: "python",
  text: `# ${content.path}\n${isSmall ? "" : LONG}`,
  docstring: "",
  signatures: [],
});

type Ran = {
  readonly outcome: EnrichOutcome;
  readonly steps: readonly EnrichStep[];
  readonly kept: ReadonlyMap<string, string>;
  readonly keptFailures: ReadonlyMap<string, string>;
  readonly calls: readonly ModelCallRow[];
  readonly reads: readonly number[];
};

async function run(
  count: number,
  told: Told,
  {
    gone = [],
    small = () => false,
    windowTokens = 8_192,
  }: {
    readonly gone?: readonly string[];
    readonly small?: (path: string) => boolean;
    readonly windowTokens?: number;
  } = {},
): Promise<Ran> {
  const kept = new Map<string, string>();
  const keptFailures = new Map<string, string>();
  const calls: ModelCallRow[] = [];
  const reads: number[] = [];
  const asking = enrichFiles(
    contentsOf(count),
    {
      model: toldModel(told, windowTokens),
      counter: COUNTER,
      fence: openFence(TOKEN),
      read: (contents) => {
        reads.push(contents.length);
        return contents
          .filter(({ path }) => !gone.includes(path))
          .map((content) => materialOf(content, small(content.path)));
      },
      keep: ({ path }, output) => void kept.set(path, output),
      keepFailure: ({ path }, output) => void keptFailures.set(path, output),
      onCall: (record) => void calls.push(record),
      nowMs: () => 0,
      nowIso: () => "2024-01-01T00:00:00.000Z",
    },
    new AbortController().signal,
  );
  const steps: EnrichStep[] = [];
  for (;;) {
    const step = await asking.next();
    if (step.done === true) return { outcome: step.value, steps, kept, keptFailures, calls, reads };
    steps.push(step.value);
    // What was answered is kept before anybody hears of it.
    if (step.value.kind === "answered") expect(kept.has(step.value.path)).toBe(true);
  }
}

test("each file is asked about once, in order, and its record is stored", async () => {
  const { outcome, steps, kept, calls, reads } = await run(20, () => ANSWER);
  expect(outcome).toEqual({ answered: 20, failed: [], gone: 0, stoppedBy: null });
  expect(steps.map(({ kind, path, done, total }) => [kind, path, done, total])).toEqual(
    contentsOf(20).flatMap(({ path }, at) => [
      ["asking", path, at, 20],
      ["answered", path, at + 1, 20],
    ]),
  );
  expect(fromStored(kept.get("f7.py") ?? "")?.purpose).toBe("It adds.");
  expect(calls.map(({ stage, status }) => `${stage} ${status}`)).toEqual(Array(20).fill("enrichment ok"));
  expect(reads).toEqual([16, 4]);
});

test("after an unusable answer, the question is repeated once, and then the next file follows", async () => {
  const { outcome, kept, keptFailures, calls } = await run(3, ({ prompt }) =>
    prompt.includes("f1.py") ? "I cannot" : ANSWER,
  );
  expect(outcome).toMatchObject({ answered: 2, failed: [{ path: "f1.py", failure: { kind: "invalid" } }] });
  expect([...kept.keys()]).toEqual(["f0.py", "f2.py"]);
  expect([...keptFailures]).toEqual([["f1.py", '{"schema_version":1,"failed":"invalid"}']]);
  expect(calls.map(({ status }) => status)).toEqual(["ok", "invalid", "invalid", "ok"]);
});

test("a file whose content has changed is skipped without a question", async () => {
  const { outcome, calls } = await run(3, () => ANSWER, { gone: ["f1.py"] });
  expect(outcome).toEqual({ answered: 2, failed: [], gone: 1, stoppedBy: null });
  expect(calls).toHaveLength(2);
});

const TIMEOUT: ModelFailure = { kind: "timeout", limit: "total", seconds: 1 };

test.each<readonly [string, ModelFailure, number]>([
  ["no server", { kind: "unreachable", why: "refused" }, 1],
  ["no model", { kind: "missing-model", model: "m" }, 1],
  ["sent elsewhere", { kind: "redirected" }, 1],
  ["no connection", { kind: "timeout", limit: "connect", seconds: 2 }, 1],
  ["repeated timeouts", TIMEOUT, 3],
  ["repeated errors", { kind: "refused", status: 500, why: "out of memory" }, 3],
])("%s ends the questions", async (_, failure, calls) => {
  const ran = await run(9, (_request, call) => (call < 2 ? ANSWER : failure));
  // A failure that every file would get is not kept for one file.
  expect(ran.keptFailures.size).toBe(calls === 1 ? 0 : calls);
  expect(ran.outcome).toMatchObject({ answered: 2, stoppedBy: failure });
  expect(ran.calls).toHaveLength(2 + calls);
  expect([...ran.kept.keys()]).toEqual(["f0.py", "f1.py"]);
});

test("occasional failures do not end the run", async () => {
  const { outcome } = await run(9, (_, call) => (call % 3 === 2 ? ANSWER : TIMEOUT));
  expect(outcome).toMatchObject({ answered: 3, stoppedBy: null });
  expect(outcome.failed).toHaveLength(6);
});

test("a window too small for any file asks nothing", async () => {
  const { outcome, calls } = await run(3, () => ANSWER, { windowTokens: 1_024 });
  expect([outcome.stoppedBy?.kind, calls.length]).toEqual(["no-room", 0]);
});

const ALL = (): boolean => true;
const pathsIn = ({ prompt }: ModelRequest): readonly string[] =>
  [...prompt.matchAll(/^path: (.*)$/gm)].map(([, path = ""]) => path);
const described = (path: string, change: object = {}): object => ({
  ...{ path, ...JSON.parse(ANSWER) },
  purpose: `It is for ${path}.`,
  ...change,
});
const together = (answers: readonly object[]): string => JSON.stringify({ files: answers });
/** Describes what is shown, also when it is one file. */
const describing: Told = (request) => {
  const [first = "", ...more] = pathsIn(request);
  return more.length === 0
    ? JSON.stringify(described(first))
    : together([first, ...more].map((path) => described(path)));
};
const purposes = ({ kept }: Ran): object =>
  Object.fromEntries([...kept].map(([path, output]) => [path, fromStored(output)?.purpose]));
const OWN = (count: number): object =>
  Object.fromEntries(contentsOf(count).map(({ path }) => [path, `It is for ${path}.`]));

test("small files are asked about four at a time, long ones alone, and each keeps its own answer", async () => {
  const asked: (readonly string[])[] = [];
  const ran = await run(
    7,
    (request, call) => {
      asked.push(pathsIn(request));
      return describing(request, call);
    },
    { small: (path) => path !== "f1.py", gone: ["f3.py"] },
  );
  expect(asked).toEqual([["f0.py", "f2.py", "f4.py", "f5.py"], ["f1.py"], ["f6.py"]]);
  expect({ ...OWN(7), ...purposes(ran) }).toEqual(OWN(7));
  expect(ran.kept.size).toBe(6);
  expect(ran.kept.has("f3.py")).toBe(false);
  expect(ran.outcome).toEqual({ answered: 6, failed: [], gone: 1, stoppedBy: null });
  expect(ran.steps.at(-1)).toMatchObject({ kind: "answered", done: 7, total: 7 });
});

test.each<readonly [string, (paths: readonly string[]) => readonly object[], readonly string[]]>([
  ["missing", ([a = "", b = "", c = ""]) => [a, b, c].map((path) => described(path)), ["f3.py"]],
  [
    "an echo",
    (paths) => paths.map((path, at) => described(path, at === 1 ? { purpose: "one sentence" } : {})),
    ["f1.py"],
  ],
  ["malformed", (paths) => paths.map((path, at) => described(path, at === 3 ? { concepts: "cart" } : {})), ["f3.py"]],
  ["of another file", (paths) => paths.map((path, at) => described(at === 2 ? "etc/passwd" : path)), ["f2.py"]],
  [
    "given twice",
    ([a = "", b = "", c = ""]) => [a, b, c, a].map((path, at) => described(path, { purpose: `${at}` })),
    ["f0.py", "f3.py"],
  ],
  [
    "the same for two",
    (paths) => paths.map((path, at) => described(path, at < 2 ? { purpose: "It adds." } : {})),
    ["f0.py", "f1.py"],
  ],
  ["in another order", (paths) => paths.toReversed().map((path) => described(path)), []],
])("an answer that is %s is asked for again, alone", async (_, answers, again) => {
  const asked: (readonly string[])[] = [];
  const ran = await run(
    4,
    (request, call) => {
      const paths = pathsIn(request);
      asked.push(paths);
      return paths.length === 1 ? describing(request, call) : together(answers(paths));
    },
    { small: ALL },
  );
  expect(asked.slice(1)).toEqual(again.map((path) => [path]));
  expect(ran.outcome).toMatchObject({ answered: 4, failed: [], stoppedBy: null });
  for (const path of again) expect(purposes(ran)).toHaveProperty([path], `It is for ${path}.`);
});

test.each<readonly [string, string | ModelFailure, number]>([
  ["writes prose", "They all add.", 2],
  ["takes too long", TIMEOUT, 1],
  ["describes none of them", together([]), 1],
])(
  "a model that %s when asked about several files is asked about one at a time from then on",
  async (_, said, lost) => {
    const ran = await run(9, (request, call) => (pathsIn(request).length > 1 ? said : describing(request, call)), {
      small: ALL,
    });
    expect(ran.outcome).toMatchObject({ answered: 9, failed: [], stoppedBy: null });
    expect(purposes(ran)).toEqual(OWN(9));
    expect(ran.calls).toHaveLength(lost + 9);
  },
);

test("a small window, or a server that is gone, ends nothing too early and nothing too late", async () => {
  const small = await run(4, describing, { small: ALL, windowTokens: 2_048 });
  expect([small.outcome.answered, small.calls.length]).toEqual([4, 4]);
  const gone = await run(9, () => ({ kind: "unreachable", why: "refused" }), { small: ALL });
  expect([gone.outcome.stoppedBy?.kind, gone.calls.length]).toEqual(["unreachable", 1]);
  const broken = await run(9, () => TIMEOUT, { small: ALL });
  expect([broken.outcome.stoppedBy?.kind, broken.calls.length]).toEqual(["timeout", 3]);
});

test("for any reply, nothing is thrown, and stored records can be read", async () => {
  const reply = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.json(),
    fc.json().map((value) => `\`\`\`json\n${value}\n\`\`\``),
    fc.record({ purpose: fc.string(), concepts: fc.anything() }).map((value) => JSON.stringify(value)),
    fc.string().map((purpose) => JSON.stringify({ ...JSON.parse(ANSWER), purpose })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 4 }), async (replies) => {
      const small = (path: string): boolean => path !== "f0.py";
      const { outcome, kept } = await run(3, (_, call) => replies[call % replies.length] ?? "", { small });
      expect(outcome.answered + outcome.failed.length).toBe(3);
      expect(kept.size).toBe(outcome.answered);
      for (const output of kept.values()) expect(fromStored(output)).not.toBeNull();
    }),
    { numRuns: 60 },
  );
});
