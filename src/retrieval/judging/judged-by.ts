/** The words for a model's verdicts in decisions. */
import type { Verdict } from "../../judgement/judge.ts";

/** The reason of a decision that a verdict made. */
export const judgedBy = (model: string, { class: first, again }: Verdict<string>): string => {
  const words = first.replaceAll("_", " ");
  return again === undefined || again === first
    ? `judged ${words} by ${model}`
    : `judged ${words} and then ${again.replaceAll("_", " ")} by ${model}`;
};
