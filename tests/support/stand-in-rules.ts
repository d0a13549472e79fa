/** The rules by which a stand-in server process answers, read from a JSON file or a module. */
import { isAbsolute, join } from "node:path";
import type { Behaviour } from "./stand-in-behaviour.ts";
import type { EmbedReply, Reply } from "./stand-in-ollama.ts";
import type { Received } from "./stand-in-request.ts";

/** `when` is a regular expression for the system text and the prompt, joined by a line end. */
export type StandInRule = {
  readonly when?: string;
  readonly times?: number;
  readonly reply: string | Behaviour;
};

/** The content of a rules file. A module exports `reply` and optionally `models`. */
export type StandInRules = {
  readonly models?: readonly string[];
  readonly rules: readonly StandInRule[];
  /** The answer to every embedding request, if it is not vectors. */
  readonly embed?: Behaviour;
};

type Answers = {
  readonly reply: Reply;
  readonly models?: readonly string[] | undefined;
  readonly embed?: EmbedReply | undefined;
};

export async function replyFrom(path: string): Promise<Answers> {
  const full = isAbsolute(path) ? path : join(process.cwd(), path);
  if (!path.endsWith(".json")) {
    const { reply, models, embed }: Answers = await import(full);
    return { reply, models, embed };
  }
  const { models, rules, embed }: StandInRules = await Bun.file(full).json();
  return { reply: replyByRules(rules), models, embed: embed && (() => embed) };
}

/** Answers by the first matching rule that is not used up; replies with an error if there is none. */
export function replyByRules(rules: readonly StandInRule[]): Reply {
  const left = rules.map(({ when, times = Number.POSITIVE_INFINITY, reply }) => ({
    pattern: new RegExp(when ?? ""),
    times,
    reply,
  }));
  return ({ system, prompt }: Received) => {
    const rule = left.find(({ pattern, times }) => times > 0 && pattern.test(`${system}\n${prompt}`));
    if (rule === undefined) return { kind: "error", status: 500, error: "no rule fits" };
    rule.times--;
    return rule.reply;
  };
}
