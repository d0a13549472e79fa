/** What a model and its server are like, as text and as JSON, for `cra doctor --model`. */
import type { ModelCheck } from "../app/upkeep/model-check.ts";
import { bytesText, counted } from "./amounts.ts";
import { pairs } from "./layout.ts";

const KINDS = { ollama: "Ollama", openai: "speaks OpenAI's form" } as const;

export function modelCheckText(found: ModelCheck): string {
  const { facts, windowTokens, promptRate, answerRate, listed, of, isRightListed, memoryBytes, pull } = found;
  const known = [KINDS[facts.kind], facts.version].filter((part) => part !== null).join(" ");
  const own = facts.windowTokens === null ? "its own is not known" : `its own is ${facts.windowTokens}`;
  return pairs([
    ["server", `${found.server} (${known})`],
    ["model", facts.parameters === null ? found.model : `${found.model} (${facts.parameters} parameters)`],
    ["window", `${windowTokens} tokens are used, ${own}`],
    ["speed", `${rateText(promptRate)} prompt and ${rateText(answerRate)} answer tokens a second`],
    [
      "answer",
      `lists ${listed} of ${counted(of, "made-up file")}, the right one ${isRightListed ? "among them" : "not"}`,
    ],
    ["judged run", runText(found)],
    ["memory", `${bytesText(memoryBytes)}: ${pull === null ? "too little for a model" : `run: ollama pull ${pull}`}`],
  ]);
}

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
  server: {
    base_url: found.server,
    kind: found.facts.kind,
    version: found.facts.version,
    digest: found.facts.digest,
    parameters: found.facts.parameters,
  },
  window: { used: found.windowTokens, own: found.facts.windowTokens },
  tokens_per_second: { prompt: found.promptRate, answer: found.answerRate },
  answer: { listed: found.listed, of: found.of, right: found.isRightListed },
  judged_run: { expected_seconds: found.runSeconds, seconds_max: found.runSecondsMax },
  memory: { bytes: found.memoryBytes, pull: found.pull },
});
