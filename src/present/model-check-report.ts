/** What a model and its server are like, as text and as JSON, for `cra doctor --model`, `cra status` and the terminal UI. */
import type { ModelCheck } from "../app/upkeep/model-check.ts";
import type { ModelStatus } from "../app/upkeep/model-status.ts";
import type { ServerFacts } from "../llm/server-facts.ts";
import { counted } from "../text/counted.ts";
import { bytesText } from "./amounts.ts";
import type { StatusAnswer } from "./answers.ts";
import { type Cell, pairs } from "./layout.ts";

const KINDS = { ollama: "Ollama", openai: "speaks OpenAI's form" } as const;

export function modelCheckText(found: ModelCheck): string {
  const { promptRate, answerRate, listed, of, isRightListed, memoryBytes, pull } = found;
  return pairs([
    ...serverRows(found),
    ["speed", `${rateText(promptRate)} prompt and ${rateText(answerRate)} answer tokens a second`],
    [
      "answer",
      `lists ${listed} of ${counted(of, "made-up file")}, the right one ${isRightListed ? "among them" : "not"}`,
    ],
    ["judged run", runText(found)],
    ["memory", `${bytesText(memoryBytes)}: ${pull === null ? "too little for a model" : `run: ollama pull ${pull}`}`],
  ]);
}

type AskedServer = {
  readonly model: string;
  readonly server: string;
  readonly facts: ServerFacts;
  readonly windowTokens: number;
};

const serverRows = ({ model, server, facts, windowTokens }: AskedServer): readonly (readonly [string, string])[] => [
  ["server", `${server} (${serverName(facts)})`],
  ["model", facts.parameters === null ? model : `${model} (${facts.parameters} parameters)`],
  ["window", `${windowTokens} tokens are used, its own is ${facts.windowTokens ?? "not known"}`],
];

const serverName = ({ kind, version }: ServerFacts): string => {
  if (version === null) return KINDS[kind];
  return kind === "ollama" ? `Ollama ${version}` : version;
};

/** The rows of `cra status`; none without a model. */
export function modelStatusRows(found: ModelStatus | null): readonly (readonly [string, Cell])[] {
  if (found === null) return [];
  const { model, server, facts, problem, windowTokens, speed } = found;
  const known =
    facts !== null && server !== null
      ? serverRows({ model, server, facts, windowTokens })
      : ([
          ["server", [server, problem].filter((part) => part !== null).join(": ")],
          ["model", model],
        ] as const);
  return [...known, ["speed", speed === null ? "not measured yet" : speedText(speed)]];
}

type Speed = NonNullable<ModelStatus["speed"]>;

const tokensASecond = ({ promptTokens, answerTokens, ms }: Speed): number =>
  ((promptTokens + answerTokens) / ms) * 1_000;

function speedText(speed: Speed): string {
  const { calls, promptTokens, answerTokens, ms } = speed;
  const each = (sum: number): string => Math.round(sum / calls).toString();
  const call = `${each(promptTokens)} prompt and ${each(answerTokens)} answer tokens in ${rateText(ms / calls / 1_000)} s`;
  return `${rateText(tokensASecond(speed))} tokens a second in the last ${counted(calls, "answer")}: ${call} each`;
}

/** The same in few words for a header, the most important last. */
export function modelStatusWords({
  model,
  server,
  facts,
  problem,
  windowTokens,
  speed,
}: ModelStatus): readonly string[] {
  const host = server === null || !URL.canParse(server) ? [] : [new URL(server).host];
  return [
    ...host,
    ...(facts === null ? [] : [serverName(facts), `${windowTokens} tokens`]),
    ...(speed === null ? [] : [`${rateText(tokensASecond(speed))} tokens/s`]),
    ...(problem === null ? [] : ["not available"]),
    model,
  ];
}

export const modelStatusJson = (found: ModelStatus | null): StatusAnswer["model"] =>
  found === null
    ? null
    : {
        name: found.model,
        server: serverJson(found.server, found.facts),
        problem: found.problem,
        window: windowJson(found.windowTokens, found.facts),
        speed:
          found.speed === null
            ? null
            : {
                calls: found.speed.calls,
                prompt_tokens: found.speed.promptTokens,
                answer_tokens: found.speed.answerTokens,
                ms: found.speed.ms,
                tokens_per_second: tokensASecond(found.speed),
              },
      };

const serverJson = (server: string | null, facts: ServerFacts | null) => ({
  base_url: server,
  kind: facts?.kind ?? null,
  version: facts?.version ?? null,
  digest: facts?.digest ?? null,
  parameters: facts?.parameters ?? null,
});

const windowJson = (used: number, facts: ServerFacts | null) => ({ used, own: facts?.windowTokens ?? null });

const rateText = (rate: number | null): string => (rate === null ? "unknown" : rate.toFixed(rate < 10 ? 1 : 0));

function runText({ runSeconds, runSecondsMax }: ModelCheck): string {
  const limit = `--model-time gives it ${runSecondsMax} s`;
  if (runSeconds === null) return limit;
  const fits = runSeconds <= runSecondsMax ? "everything fits" : "only the best candidates are judged";
  return `about ${Math.ceil(runSeconds)} s; ${limit}: ${fits}`;
}

export const modelCheckJson = (found: ModelCheck) => ({
  schema_version: 1,
  model: found.model,
  server: serverJson(found.server, found.facts),
  window: windowJson(found.windowTokens, found.facts),
  tokens_per_second: { prompt: found.promptRate, answer: found.answerRate },
  answer: { listed: found.listed, of: found.of, right: found.isRightListed },
  judged_run: { expected_seconds: found.runSeconds, seconds_max: found.runSecondsMax },
  memory: { bytes: found.memoryBytes, pull: found.pull },
});
