/**
 * Chooses definitions of an indexed repository and asks for each three times, ever more exactly: "fix X", "fix X in <file
 * name>", "fix X in <path>". The same index gives the same cases.
 */
import type { KnowledgeBase, SymbolRow } from "../../src/db/curated/knowledge-base.ts";
import type { ReadCase } from "../../src/evaluation/cases.ts";
import { isAnswerFile } from "../../src/evaluation/mining/mine.ts";
import { fileRole } from "../../src/languages/file-role.ts";
import { inOrder } from "../../src/text/order.ts";

/** Where the cases come from; `repo` is `owner/name`, and `date` that of the commit. */
type Origin = { readonly repo: string; readonly commit: string; readonly date: string };

type Index = Pick<KnowledgeBase, "files" | "symbolsIn" | "testedBy" | "inlineTests">;

const KINDS: ReadonlySet<string> = new Set(["function", "method", "class"]);
const NAME_MIN = 6;
/** A name of one word is a word of the language too: `flash`, `Session`. */
const SEVERAL_WORDS = /[\p{Ll}\d](?:_+[\p{L}\d]|\p{Lu})/u;
/** Rust has tests between the functions that they test. */
const TEST_NAME = /^test_|^[Tt]est\p{Lu}/u;
/** A declaration of one line has no body to show. */
const LINES_MIN = 2;
/** A test with the name of this file alone, or with several kinds of evidence. */
const TESTED_SCORE_MIN = 0.5;

/** Cases for at most `count` definitions, which a hash of their names chooses. */
export function exactnessCases(index: Index, origin: Origin, count: number): readonly ReadCase[] {
  const files = new Map(index.files().map((file) => [file.id, file]));
  const symbols = index.symbolsIn([...files.keys()]);
  const inlineTests = index.inlineTests(symbols.map(({ id }) => id));
  const targets = uniqueByName(symbols).flatMap((symbol) => {
    const file = files.get(symbol.fileId);
    if (file === undefined || file.isTest || !isAnswerFile(file.path) || fileRole(file.path) !== "source") return [];
    return isSpecific(symbol) && !inlineTests.has(symbol.id)
      ? [{ symbol, file, order: orderOf(origin.repo, file.path, symbol) }]
      : [];
  });
  const testIds = [...files.values()].flatMap(({ id, isTest }) => (isTest ? [id] : []));
  const tested = Map.groupBy(
    index.testedBy(testIds).filter(({ score }) => score >= TESTED_SCORE_MIN),
    ({ source }) => source,
  );
  return targets
    .toSorted((a, b) => inOrder(a.order, b.order))
    .slice(0, count)
    .flatMap(({ symbol, file }) => {
      const tests = (tested.get(file.id) ?? []).flatMap(({ test }) => files.get(test)?.path ?? []);
      return casesOf(symbol, file, tests.toSorted(inOrder), origin);
    });
}

const isSpecific = ({ name, kind, startLine, endLine }: SymbolRow): boolean =>
  KINDS.has(kind) &&
  name.length >= NAME_MIN &&
  SEVERAL_WORDS.test(name) &&
  !TEST_NAME.test(name) &&
  endLine - startLine + 1 >= LINES_MIN;

/** The definitions whose name no other one has in any letter case. A constructor has the name of its class. */
function uniqueByName(symbols: readonly SymbolRow[]): readonly SymbolRow[] {
  const byId = new Map(symbols.map((symbol) => [symbol.id, symbol]));
  const isConstructor = ({ name, parentId }: SymbolRow): boolean =>
    parentId !== null && byId.get(parentId)?.name === name;
  const named = Map.groupBy(
    symbols.filter((symbol) => !isConstructor(symbol)),
    ({ name }) => name.toLowerCase(),
  );
  return [...named.values()].flatMap(([first, ...others]) => (first && others.length === 0 ? [first] : []));
}

const orderOf = (repo: string, path: string, { qualifiedName }: SymbolRow): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify([repo, path, qualifiedName])).digest("hex");

function casesOf(
  { name, qualifiedName: qualified, startLine: start, endLine: end }: SymbolRow,
  { path, language }: { readonly path: string; readonly language: string },
  expectedTestFiles: readonly string[],
  { repo, commit, date }: Origin,
): readonly ReadCase[] {
  const expectedSymbols = [{ path, qualified, name, lines: { start, end }, role: "innermost" as const }];
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  const places = ["", ` in ${fileName}`, ` in ${path}`];
  const group = `${repo} ${name}`;
  return [...new Set(places)].map((place, at): ReadCase => {
    const task = `fix ${name}${place}`;
    return {
      id: `${group} ${at + 1}`,
      repo,
      repoPath: null,
      baseCommit: commit,
      baseDate: date,
      language,
      source: "exactness",
      task,
      expectedFiles: [path],
      expectedTestFiles,
      expectedSymbols,
      expectedLines: [],
      answerLeak: { path: task.endsWith(path), basename: task.endsWith(fileName), symbol: true },
      exactness: { group, level: at + 1 },
    };
  });
}
