/** The rules that a stand-in server in a process of its own answers by: a file, JSON or a module. */
import { isAbsolute, join } from "node:path";
import type { Behaviour } from "./stand-in-behaviour.ts";
import type { EmbedReply, Reply } from "./stand-in-ollama.ts";
import type { Received } from "./stand-in-request.ts";

/** `when` is a regular expression that system text and prompt, joined by a line end, must match. */
export type StandInRule = {
  readonly when?: string;
  readonly times?: number;
  readonly reply: string | Behaviour;
};

/** What a file of rules holds. A module exports `reply`, and `models` if it likes. */
export type StandInRules = {
  readonly models?: readonly string[];
  readonly rules: readonly StandInRule[];
  /** How every request for vectors is answered, when that is not with them. */
  readonly embed?: Behaviour;
};

type Answers = {
  readonly reply: Reply;
  readonly models?: readonly string[] | undefined;
  readonly embed?: EmbedReply | undefined;
};

/** Reads a file of rules. */
export async function replyFrom(path: string): Promise<Answers> {
  const full = isAbsolute(path) ? path : join(process.cwd(), path);
  if (!path.endsWith(".json")) {
    const { reply, models, embed }: Answers = await import(full);
    return { reply, models, embed };
  }
  const { models, rules, embed }: StandInRules = await Bun.file(full).json();
  return { reply: replyByRules(rules), models, embed: embed && (() => embed) };
}

/** Answers by the first rule that fits and is not used up; with an error that says so when there is none. */
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
