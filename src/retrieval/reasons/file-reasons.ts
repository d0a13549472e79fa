/**
 * Why a file is in a package, in clauses from the strongest on: what brought it in, which words of the task match where, what
 * a test tests, who uses or imports the file, and which commits with messages like the task changed it.
 */

import type { DependencyRow, KnowledgeBase, SymbolRow, TestSourceRow } from "../../db/curated/knowledge-base.ts";
import type { TaskQuery } from "../../task/query.ts";
import { counted } from "../../text/counted.ts";
import { CONFIDENCE_MIN } from "../model/confidence.ts";
import type { PlacedSymbol, ScopedFile, Selection } from "../model/selection.ts";
import { wordedName } from "../model/worded-name.ts";
import { covering, IMPORT_ALONE } from "../precision/likely-tests.ts";
import { likeCommits } from "../ranking/signals/history-match.ts";

/** The evidence of a test that is named after a file and neither uses nor imports it. */
const NAME_ALONE = "name";
/** Where several files have that name, the score is lower, and another one may be meant. */
const ONLY_NAMESAKE_MIN = 0.5;
/** The tested files that a reason names, and the characters of a commit's subject. */
const TESTED_MAX = 2;
const SUBJECT_CHARS_MAX = 60;

/** Clauses by file id. */
export type FileReasons = ReadonlyMap<number, readonly string[]>;

type ReasonQueries = Pick<KnowledgeBase, "referencesFrom" | "testedBy" | "commitRange" | "findCommits">;

/** `dependencies` are those between the selected files. */
export function fileReasons(
  kb: ReasonQueries,
  { seeds, files, symbols }: Pick<Selection, "seeds" | "files" | "symbols">,
  task: Pick<TaskQuery, "keywords">,
  dependencies: readonly DependencyRow[],
): FileReasons {
  const byId = new Map(files.map((scoped) => [scoped.file.id, scoped]));
  const changed = new Set(seeds.flatMap((seed) => (seed.changed === undefined ? [] : [seed.fileId])));
  const callers = callersOf(kb, symbols, byId);
  const importers = importersOf(dependencies, byId);
  const users = usersOf(symbols);
  const tested = Map.groupBy(
    kb.testedBy(files.flatMap(({ file }) => (file.isTest ? [file.id] : []))),
    ({ test }) => test,
  );
  const commits = likeCommits(kb, task) ?? [];
  return new Map(
    files.map((scoped) => {
      const { file, relation, match = [], score } = scoped;
      const sources = covering(surest(tested.get(file.id) ?? []), byId).map(({ path }) => path);
      const isLike = score.terms.some(({ signal }) => signal === "history_match");
      const like = isLike ? commits.filter(({ paths }) => paths.includes(file.path)) : [];
      const clauses = [
        ...[users.others.get(file.id) ?? "", relation].filter(saysWhatIsHidden),
        // That the task names a file, or that it was changed, says more than who uses it, and of a test more than what it tests.
        ...(changed.has(file.id) || scoped.tier === "seed" ? [relation] : []),
        users.others.get(file.id) ?? "",
        ...(sources.length === 0 ? [] : [`tests ${sources.slice(0, TESTED_MAX).join(" and ")}`]),
        ...(relation === match.join("; ") || (sources.length > 0 && relation.startsWith("tests ")) ? [] : [relation]),
        ...match.filter(
          (clause) => scoped.tier !== "seed" || !(clause.endsWith(" in its path") || isIn(relation, clause)),
        ),
        // What a file holds for itself matters more than that it uses it.
        users.own.get(file.id) ?? "",
        callers.get(file.id) ?? (relation.startsWith("imported by ") ? "" : (importers.get(file.id) ?? "")),
        commitClause(like.map(({ message }) => message)),
      ];
      return [file.id, [...new Set(clauses)].filter((clause) => clause !== "")] as const;
    }),
  );
}

/** Whether a relation such as `defines Lexer.parse, which the task names` says what `defines parse` or `pars in parse` says. */
function isIn(relation: string, clause: string): boolean {
  const name = DEFINED.exec(relation)?.[1];
  return name !== undefined && (clause === `defines ${name}` || clause.endsWith(` in ${name}`));
}

const DEFINED = /^defines (?:.*[.:#])?([^.:#]+), which the task names$/;

type Users = ReadonlyMap<number, string>;

/**
 * The best user in each file of what the task is about, by file id: of something in another file, and in its own. Tests that come for
 * another reason use nothing that is known.
 */
function usersOf(symbols: readonly PlacedSymbol[]): { readonly others: Users; readonly own: Users } {
  const defined = new Set(symbols.map(({ symbol }) => `${symbol.fileId} ${symbol.qualifiedName}`));
  const users = symbols.flatMap(({ isCaller, why, score, symbol: { fileId, name } }) => {
    const [use = ""] = why.split("; ", 1);
    const target = USE.exec(use)?.[1];
    if (!isCaller || target === undefined) return [];
    return [{ fileId, score, text: `${wordedName(name)} ${use}`, isOwn: defined.has(`${fileId} ${target}`) }];
  });
  const sorted = users.toSorted((a, b) => a.score - b.score);
  const best = (found: typeof sorted): Users => new Map(found.map(({ fileId, text }) => [fileId, text]));
  return { others: best(sorted.filter(({ isOwn }) => !isOwn)), own: best(sorted.filter(({ isOwn }) => isOwn)) };
}

/**
 * Whether the code beside a clause does not show what it says: that the file still needs what the changes under review remove, or that the
 * task names it as it was called before.
 */
export const saysWhatIsHidden = (clause: string): boolean =>
  /(?:^| )still (?:uses|imports) .*, which was |^was .*, until [0-9a-f]{7}$/.test(clause);

/** `uses Cart.add, which the task names`. */
const USE = /^(?:(?:still )?uses|tests) (.+?)(?:, which .*)?$/;

/**
 * What a test uses, or what it alone is named after. A file that it only imports, such as one that passes on what others export, counts
 * where there is nothing else, and so does one of several namesakes after that.
 */
function surest(links: readonly TestSourceRow[]): readonly TestSourceRow[] {
  const sure = links.filter(({ by, score }) => by !== NAME_ALONE || score >= ONLY_NAMESAKE_MIN);
  const used = sure.filter(({ by }) => by !== IMPORT_ALONE);
  return used.length > 0 ? used : sure.length > 0 ? sure : links;
}

type Scoped = ReadonlyMap<number, ScopedFile>;

/** Sources before tests, then by rank. */
const isBefore = (a: ScopedFile, b: ScopedFile): boolean =>
  a.file.isTest === b.file.isTest ? a.rank < b.rank : b.file.isTest;

/** The best caller in another file of the best definition that has one, by id of the called file. */
function callersOf(kb: ReasonQueries, symbols: readonly PlacedSymbol[], files: Scoped): ReadonlyMap<number, string> {
  const known = new Map(symbols.map((placed) => [placed.symbol.id, placed]));
  const best = new Map<number, Call>();
  for (const row of kb.referencesFrom([...known.keys()])) {
    const [caller, callee] = [known.get(row.caller)?.symbol, known.get(row.callee)];
    if (row.kind !== "call" || row.confidence < CONFIDENCE_MIN || !caller || !callee) continue;
    const { fileId, name } = callee.symbol;
    const from = files.get(caller.fileId);
    if (from === undefined || caller.fileId === fileId || name.startsWith("__")) continue;
    const call = { from, caller, callee };
    const before = best.get(fileId);
    if (before === undefined || isBetter(call, before)) best.set(fileId, call);
  }
  return new Map(
    [...best].map(([id, { from, caller, callee }]) => [
      id,
      // Code that hands a function over, catches or compares a class does not call it.
      `${wordedName(callee.symbol.name)} is used by ${wordedName(caller.name)} in ${from.file.path}`,
    ]),
  );
}

type Call = { readonly from: ScopedFile; readonly caller: SymbolRow; readonly callee: PlacedSymbol };

const isBetter = (a: Call, b: Call): boolean =>
  a.callee.score === b.callee.score ? isBefore(a.from, b.from) : a.callee.score > b.callee.score;

/** The best importer, by id of the imported file. */
function importersOf(dependencies: readonly DependencyRow[], files: Scoped): ReadonlyMap<number, string> {
  const best = new Map<number, ScopedFile>();
  for (const { source, target } of dependencies) {
    const from = files.get(source);
    const before = best.get(target);
    if (from !== undefined && source !== target && (before === undefined || isBefore(from, before)))
      best.set(target, from);
  }
  return new Map([...best].map(([id, from]) => [id, `imported by ${from.file.path}`]));
}

/** `changed by "Round the tax" and 2 commits like it`. */
function commitClause([first, ...others]: readonly string[]): string {
  if (first === undefined) return "";
  const subject = (first.split("\n", 1)[0] ?? "").trim().replaceAll('"', "'");
  const cut =
    subject.length > SUBJECT_CHARS_MAX ? `${subject.slice(0, SUBJECT_CHARS_MAX).toWellFormed().trimEnd()}…` : subject;
  const more = others.length === 0 ? "" : ` and ${counted(others.length, "commit")} like it`;
  return `changed by "${cut}"${more}`;
}
