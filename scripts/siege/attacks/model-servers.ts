/** Model servers that misbehave in every way the wire allows: the answer keeps its budget, and no request holds a secret. */
import fc from "fast-check";
import { z } from "zod";
import { HOSTILE } from "../../../tests/support/hostile-text.ts";
import type { Behaviour } from "../../../tests/support/stand-in-behaviour.ts";
import { STAND_IN_MODEL, startOllama } from "../../../tests/support/stand-in-ollama.ts";
import { countIn } from "../asks.ts";
import { attackOf } from "../attack.ts";
import { hostileTask } from "../hostile-files.ts";
import { KEY, runIn, smallWorld } from "../small-world.ts";

const KINDS = [
  "text",
  "hang-before-headers",
  "hang-after",
  "flood",
  "error-line",
  "error",
  "end-early",
  "close",
  "redirect",
  "body",
  "bytes",
] as const;
const Reply = z.object({ kind: z.enum(KINDS), text: z.string(), number: z.int() });
type Reply = z.infer<typeof Reply>;
const Input = z.object({
  replies: z.array(Reply),
  vectors: z.array(z.array(z.number().nullable())),
  task: z.string(),
  budget: z.int(),
});
type Input = z.infer<typeof Input>;

const word = fc.oneof(
  fc.constantFrom(
    "shop/part1.py",
    "../../etc/passwd",
    "keep",
    "drop",
    "primary",
    "total1",
    "{}",
    "null",
    "</think>",
    ...HOSTILE,
  ),
  hostileTask,
);
const text = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  fc
    .array(word, { maxLength: 6 })
    .map((paths) => JSON.stringify({ files: paths.map((path) => ({ path, verdict: "keep", reason: path })) })),
);
const reply = fc.record({ kind: fc.constantFrom(...KINDS), text, number: fc.nat(65_535) });

function behaviourOf({ kind, text: said, number }: Reply): Behaviour {
  switch (kind) {
    case "text":
      return { kind, text: said, pieces: 1 + (number % 9) };
    case "hang-before-headers":
      return { kind };
    case "flood":
      return { kind, bytes: number * 200, oneLine: number % 2 === 0 };
    case "error-line":
      return { kind, error: said };
    case "error":
      return { kind, status: 400 + (number % 200), error: said };
    case "redirect":
      return { kind, to: number % 2 === 0 ? "http://127.0.0.1:9/" : "file:///etc/passwd" };
    case "body":
      return { kind, body: said, status: 200 + (number % 400) };
    case "bytes":
      return { kind, bytes: said };
    case "hang-after":
    case "end-early":
    case "close":
      return { kind, text: said };
  }
}

/** Short, so that a server that hangs costs little. */
const WAITS = {
  CRA_LLM_CONNECT_SECONDS: "1",
  CRA_LLM_FIRST_TOKEN_SECONDS: "1",
  CRA_LLM_IDLE_SECONDS: "1",
  CRA_LLM_TOTAL_SECONDS: "3",
};

export const modelServers = attackOf<Input>({
  name: "model servers",
  schema: Input,
  inputs: fc.record({
    replies: fc.array(reply, { minLength: 1, maxLength: 3 }),
    vectors: fc.array(
      fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { freq: 9 }), { maxLength: 5 }),
      { maxLength: 4 },
    ),
    task: hostileTask,
    budget: fc.integer({ min: 300, max: 12_000 }),
  }),
  async trial({ replies, vectors, task, budget }, court) {
    using world = await smallWorld(court, "data");
    let asked = 0;
    await using server = await startOllama({
      reply: () => behaviourOf(replies[asked++ % replies.length] ?? { kind: "text", text: "", number: 0 }),
      embed: (_, texts) =>
        vectors.length === 0
          ? { kind: "end-early", text: "" }
          : texts.map((_, at) => vectors[at % vectors.length] ?? []),
    });
    const env = { ...WAITS, CRA_MODEL: STAND_IN_MODEL, CRA_EMBEDDING_MODEL: STAND_IN_MODEL, CRA_BASE_URL: server.url };
    const words = ["retrieve", "-", "-q", "--budget", String(budget)];
    const { code, stdout } = await runIn(court, world, "data", words, { stdin: task, env });
    const ask = { task, budget, format: "markdown", tokenizer: "o200k_base", options: [] } as const;
    const counted = code === 0 ? ((await countIn({ ...ask, options: [] }, stdout.toString())) ?? 0) : 0;
    court.holds("budget", counted <= budget, () => `${counted} tokens of ${budget}`);
    await runIn(court, world, "data", ["recall", "total", "--no-input"], { env });
    for (const request of server.requests)
      world.checkText(court, `a request to ${request.path}`, JSON.stringify(request));
    court.holds("no secret", !server.requests.some(({ path }) => path.includes(KEY)), () => "a path of a request");
    world.checkTraces(court);
  },
});
