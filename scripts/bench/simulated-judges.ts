/**
 * Judges of known quality: each knows the answers of a case and errs at given rates. What they list is the same in every run.
 */
import type { EvaluationCase } from "../../src/evaluation/model.ts";
import { type AskedItem, itemsOf, type JudgedStage, listsOf, stageOf } from "../../tests/support/judging-reply.ts";
import type { Received } from "../../tests/support/stand-in-request.ts";

type Gold = Pick<EvaluationCase, "id" | "expectedFiles" | "expectedSymbols">;

/** Whether a judge lists an item, from whether it is right and a number drawn for it, from 0 to 1. */
type Lister = (isRight: boolean, drawn: number, item: AskedItem) => boolean;

const erring =
  (right: number, wrong: number): Lister =>
  (isRight, drawn) =>
    drawn < (isRight ? right : wrong);

/** The judges by name. An answer that is a text is given as it is, whatever was asked. */
export const JUDGES: Readonly<Record<string, Lister | string>> = {
  perfect: erring(1, 0),
  "90/10": erring(0.9, 0.1),
  "70/30": erring(0.7, 0.3),
  "random half": erring(0.5, 0.5),
  "random sixth": erring(0.16, 0.16),
  "random few": erring(0.05, 0.05),
  adversarial: erring(0, 1),
  "adversarial few": erring(0, 0.3),
  "lists all": erring(1, 1),
  lazy: (_, __, { id }) => id === 1,
  "echoes first numbers": (_, __, { id }) => id <= 3,
  "echoes the example":
    '{"relevant":[901,903],"primary":[901],"supporting":[903],"type_context":[904],"essential":[901],"words":["cache","timeout","render"]}',
  empty: '{"relevant":[],"primary":[],"supporting":[],"type_context":[],"essential":[],"helpful":[],"words":[]}',
  prose: "I think that the first file is the one to change.",
};

/** Words that a judge without knowledge proposes to search for. */
const RANDOM_WORDS = ["cache", "render", "parse", "socket", "buffer", "token", "schema", "thread", "format", "stream"];

/** The reply of a judge to a question about a case. */
export function replyOf(name: string, gold: Gold, request: Received): string {
  const judge = JUDGES[name];
  if (judge === undefined) throw new Error(`there is no judge "${name}"`);
  if (typeof judge === "string") return judge;
  const stage = stageOf(request);
  const [first = ""] = listsOf(request.format);
  const listed = itemsOf(request).filter((item) =>
    judge(isRight(item, stage, gold), drawn([name, gold.id, item.text, item.group, String(item.id)]), item),
  );
  const isKnowing = ["perfect", "90/10", "70/30"].includes(name);
  const words = stage === "analysis" ? { words: isKnowing ? [] : RANDOM_WORDS } : {};
  const lists = Object.fromEntries(listsOf(request.format).map((list) => [list, [] as number[]]));
  return JSON.stringify({ ...lists, ...(first === "" ? {} : { [first]: listed.map(({ id }) => id) }), ...words });
}

function isRight({ text, group }: AskedItem, stage: JudgedStage, { expectedFiles, expectedSymbols }: Gold): boolean {
  const [first = ""] = text.split("\n");
  switch (stage) {
    case "scope":
      return expectedFiles.includes(first);
    case "precision":
      return expectedSymbols.some(
        ({ path, name, role }) => role !== "enclosing" && (path === null || path === group) && hasWord(first, name),
      );
    case "analysis": {
      const [kind = "", ...rest] = first.split(" ");
      const word = rest.join(" ").toLowerCase();
      const names = [...expectedFiles, ...expectedSymbols.map(({ qualified, name }) => qualified ?? name)];
      return kind !== "type" && names.some((one) => one.toLowerCase().includes(word));
    }
  }
}

const hasWord = (text: string, word: string): boolean => text.split(/[^\p{L}\p{N}_$]+/u).includes(word);

/** A number from 0 to 1 that depends on these texts alone. */
const drawn = (of: readonly string[]): number => Number(Bun.hash(JSON.stringify(of)) % 1_000_003n) / 1_000_003;
