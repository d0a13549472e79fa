/**
 * Checks that the parts inside this program work on this machine: SQLite with full-text search, every grammar in the
 * parser's threads, and the tokenizers. Needs no repository and writes nothing. A failing part does not stop the others.
 */
import { CURATED_SCHEMA } from "../../db/curated/schema.ts";
import { openDatabase } from "../../db/sqlite/open.ts";
import type { Sample } from "../../languages/language.ts";
import { PARSED_LANGUAGES } from "../../languages/languages.ts";
import { openParsePool, type ParsePool } from "../../syntax/parse/parse-pool.ts";
import { openTokenCounter } from "../../text/tokens/tokens.ts";

/** `what` says what works, or what is wrong. */
export type SelfCheck = { readonly name: string; readonly ok: boolean; readonly what: string };

/** A text of several scripts, and its tokens as the tokenizers' makers count them. */
const COUNTED = {
  text: 'def handle_request(self, größe: int) -> str:  # 你好, שלום, привет 👋\n    return f"{größe:>10}"\n\n\n',
  tokens: [
    ["o200k_base", 34],
    ["cl100k_base", 40],
  ],
} as const;

/** Checks every part, in the order of the report. Throws only the signal's reason. `openPool` is for tests. */
export async function checkSelf(signal: AbortSignal, openPool = openParsePool): Promise<readonly SelfCheck[]> {
  signal.throwIfAborted();
  const database = await attempt("sqlite", checkDatabase);
  const pool = openPool();
  try {
    // All at once, so that several threads have work.
    const languages = await Promise.all(
      [...PARSED_LANGUAGES].map(([language, { kind, sample }]) =>
        attempt(`${kind} ${language}`, () => checkLanguage(pool, language, sample, signal), signal),
      ),
    );
    const tokenizers = await Promise.all(
      COUNTED.tokens.map(([name, tokens]) => attempt(`tokenizer ${name}`, () => checkTokenizer(name, tokens))),
    );
    return [database, ...languages, ...tokenizers];
  } finally {
    pool.close();
  }
}

async function attempt(name: string, work: () => Promise<string> | string, signal?: AbortSignal): Promise<SelfCheck> {
  try {
    return { name, ok: true, what: await work() };
  } catch (error) {
    signal?.throwIfAborted();
    return { name, ok: false, what: error instanceof Error ? error.message : String(error) };
  }
}

function checkDatabase(): string {
  const db = openDatabase(":memory:", "write", CURATED_SCHEMA);
  try {
    db.run("insert into file_search(rowid, terms) values (7, 'src greeting ts greet_all größe')");
    const found = (words: string) =>
      db.all<{ rowid: number }>("select rowid from file_search where file_search match ?", words).length;
    if (found('"GREET_ALL"') !== 1 || found('"größe"') !== 1 || found('"greet"') !== 0)
      throw new Error("full-text search finds the wrong rows");
    const version = db.get<{ version: string }>("select sqlite_version() as version")?.version;
    return `${version ?? "version not known"}, with full text (FTS5)`;
  } finally {
    db.close();
  }
}

async function checkLanguage(pool: ParsePool, language: string, sample: Sample, signal: AbortSignal): Promise<string> {
  const { facts } = await pool.parse({ text: sample.text, language }, signal);
  if (facts.problem !== null) throw new Error(facts.problem);
  if (!facts.symbols.some(({ name }) => name === sample.finds)) throw new Error(`${sample.finds} was not found`);
  return `finds ${sample.finds}`;
}

async function checkTokenizer(name: "o200k_base" | "cl100k_base", tokens: number): Promise<string> {
  const counted = (await openTokenCounter(name, { margin: 0 })).count(COUNTED.text);
  if (counted !== tokens) throw new Error(`counts ${counted} tokens where there are ${tokens}`);
  return `${counted} tokens, as expected`;
}
