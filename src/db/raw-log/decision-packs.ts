/**
 * Stores the decisions that are appended together as one text, a line each: the ids of subject and verdict, score, tokens and terms.
 *
 * Rounds and tasks decide about much the same things, so a text is stored as its difference from the last one of its stage.
 */
import { z } from "zod";
import { lineCount } from "../../text/lines.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Db } from "../sqlite/db.ts";
import { misuse } from "../sqlite/failures.ts";
import { chainText, readChained } from "../sqlite/text-chain.ts";
import type { Json } from "./raw-log.ts";

export type PackedDecision = {
  readonly subject: number;
  readonly verdict: number;
  readonly score: number;
  readonly tokens: number | null;
  readonly terms: Json;
};

const Line = z.tuple([z.int().positive(), z.int().positive(), z.number(), z.int().nullable(), z.json()]);

/** Appends decisions of a run, in several rows where one would be too large. `number` is that of the first one, `stage` its stage. */
export function appendPack(
  db: Db,
  runId: number,
  number: number,
  stage: string,
  decisions: readonly PackedDecision[],
): void {
  const lines = decisions.map(({ subject, verdict, score, tokens, terms }) => {
    if (!Number.isFinite(score)) throw misuse("the score of a decision is not a number");
    return JSON.stringify([subject, verdict, score, tokens, terms]);
  });
  const previous = db.get<{ id: number }>(
    "select id from decision_packs where stage = ?1 and typeof(packed) = 'blob' order by id desc limit 1",
    stage,
  );
  const chained = chainText(db, "decision_packs", lines.join("\n"), previous?.id ?? null);
  if (chained === null) {
    if (decisions.length < 2) throw misuse("a decision is too large for the log");
    const half = Math.ceil(decisions.length / 2);
    appendPack(db, runId, number, stage, decisions.slice(0, half));
    appendPack(db, runId, number + half, stage, decisions.slice(half));
    return;
  }
  const { base, steps, packed } = chained;
  db.run(
    "insert into decision_packs(run_id, number, count, stage, base, steps, packed) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    runId,
    number,
    decisions.length,
    stage,
    base,
    steps,
    packed,
  );
}

/** The decisions of a pack, in order; null if it is unreadable or has another number of decisions than its row says. */
export function readPack(db: Db, id: number): readonly PackedDecision[] | null {
  const count = db.get<{ count: number }>("select count from decision_packs where id = ?1", id)?.count ?? 0;
  const text = readChained(db, "decision_packs", id);
  if (text === null || lineCount(text) !== count) return null;
  const decisions: PackedDecision[] = [];
  for (const line of text.split("\n")) {
    const parsed = Line.safeParse(parseJson(line));
    if (!parsed.success) return null;
    const [subject, verdict, score, tokens, terms] = parsed.data;
    decisions.push({ subject, verdict, score, tokens, terms });
  }
  return decisions;
}
