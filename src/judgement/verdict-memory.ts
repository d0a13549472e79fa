/**
 * The verdicts of one question: those that are remembered, and those of new answers.
 *
 * A verdict is stored under the hash of everything it depends on: the model and its weights, the task, the question and
 * the candidate's text. Left out are the company of the candidate, its rank, the fence token and the server's address.
 *
 * How good the judge is shows when the first candidates are asked about twice. Once that is answered, further rounds of the task
 * ask about new ones once, which takes half as long.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Appearance } from "./batches.ts";
import { type JudgementMemory, PROPOSED, PROPOSED_MAX, type Question, type Verdict } from "./judge.ts";
import { type Lists, WORDS } from "./lists.ts";
import { PROMPT_VERSION } from "./prompt.ts";

export type QuestionVerdicts<Class extends string> = {
  /** What nobody answered yet and is to be asked, in order. */
  unknown(): readonly Appearance[];
  /** Whether proposed words are wanted, and no answer had a chance to propose them. */
  lacksWords(): boolean;
  /** Stores the verdicts of an answer about these, which are numbered from 1. */
  take(batch: readonly Appearance[], lists: Lists): void;
  /** All verdicts so far, with `judged`, the number of candidates that have one. */
  all(): { readonly judged: number; readonly byKey: ReadonlyMap<string, Verdict<Class>> };
};

const Words = z.array(z.string());

/** `model` names the model and its weights. */
export function openVerdicts<Class extends string>(
  question: Question<Class>,
  model: string,
  appearances: readonly Appearance[],
  memory: JudgementMemory,
): QuestionVerdicts<Class> {
  const { stage, instruction, lists, rest, proposals, task } = question;
  const shared = hash([PROMPT_VERSION, model, stage, instruction, lists, rest, task]);
  const classOf = (value: unknown): Class | undefined => [...lists, rest].find((one) => one === value);
  const hashes = new Map(
    appearances.map((one) => [one, hash([shared, one.text, one.group ?? null, one.appearance])] as const),
  );
  const known = new Map<Appearance, Class>();
  for (const [one, key] of hashes) {
    const verdict = classOf(memory.recall(key));
    if (verdict !== undefined) known.set(one, verdict);
  }
  const repeats = appearances.filter(({ appearance }) => appearance === 1);
  const repeatedKey = hash([shared, "repeated"]);
  const isRepeated = memory.recall(repeatedKey) === true;
  const wordsKey = hash([shared, WORDS]);
  const stored = Words.safeParse(memory.recall(wordsKey));
  let words: readonly string[] | null = stored.success ? stored.data : null;
  return {
    unknown: () => appearances.filter((one) => !known.has(one) && !(isRepeated && one.appearance === 1)),
    lacksWords: () => proposals !== undefined && words === null,
    take(batch, answer) {
      const entries = new Map<string, unknown>();
      for (const [at, one] of batch.entries()) {
        const verdict = lists.find((name) => answer[name]?.some((number) => number === at + 1)) ?? rest;
        const own = appearances.find(({ key, appearance }) => key === one.key && appearance === one.appearance);
        if (own === undefined) continue;
        known.set(own, verdict);
        entries.set(hashes.get(own) ?? "", verdict);
      }
      if (repeats.length > 0 && repeats.every((one) => known.has(one))) entries.set(repeatedKey, true);
      if (proposals !== undefined) {
        words = [...new Set([...(words ?? []), ...(answer[WORDS] ?? []).map(String)])].slice(0, PROPOSED_MAX);
        entries.set(wordsKey, words);
      }
      memory.keep(entries);
    },
    all() {
      const byKey = new Map<string, Verdict<Class>>();
      for (const one of appearances) {
        const verdict = known.get(one);
        if (verdict === undefined) continue;
        const first = byKey.get(one.key);
        byKey.set(one.key, first === undefined ? { class: verdict } : { ...first, again: verdict });
      }
      const judged = byKey.size;
      if (proposals !== undefined)
        for (const word of words ?? []) byKey.set(`${PROPOSED}${word}`, { class: proposals });
      return { judged, byKey };
    },
  };
}

/** The digest of a model's weights: that of the server, or if it cannot be asked, the one that it last had. */
export function rememberedDigest(memory: JudgementMemory, name: string, digest: string | null): string {
  const key = hash(["digest", name]);
  const stored = z.string().safeParse(memory.recall(key));
  if (digest === null) return stored.success ? stored.data : "";
  if (!stored.success || stored.data !== digest) memory.keep(new Map([[key, digest]]));
  return digest;
}

const hash = (of: readonly unknown[]): string => createHash("sha256").update(JSON.stringify(of)).digest("hex");
