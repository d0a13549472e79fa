/** The options that commands on memories and experiences share. */
import { STRATEGIES } from "../../memory/vocabulary.ts";
import type { Option } from "../syntax/command.ts";

/** The names of strategies are added to `summary`. */
export const strategyOption = (summary: string): Option => ({
  flag: "--strategy",
  value: "name",
  choices: STRATEGIES,
  summary: `${summary}: ${STRATEGIES.join(", ")}`,
});

export const limitOption = (summary: string): Option => ({
  flag: "--limit",
  value: "items",
  whole: { least: 1, most: 100_000 },
  summary,
});

export const maxTokensOption = (fallback: number): Option => ({
  flag: "--max-tokens",
  value: "tokens",
  whole: { least: 1, most: 10_000_000 },
  summary: `tokens to aim for (default ${fallback}); a notice says when the result is longer`,
});
