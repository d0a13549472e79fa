/**
 * Reads a checkout the way cra indexes it: the same files, text and facts, with the project's own functions. Nothing is
 * stored, and token counts stay 0.
 */

import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { languageOf, PARSED_LANGUAGES } from "../../src/languages/languages.ts";
import { readFile } from "../../src/source/files/read-file.ts";
import { openHistory } from "../../src/source/history/open-history.ts";
import { FILE_BYTES_MAX, skipByPath, skipByText, vendoredIsMain } from "../../src/source/walk/skip.ts";
import { walkTree } from "../../src/source/walk/tree.ts";
import type { FileFacts } from "../../src/syntax/facts/facts.ts";
import type { UncountedFacts } from "../../src/syntax/facts/text-facts.ts";
import { parseFile } from "../../src/syntax/parse/parse.ts";
import { decode } from "../../src/text/decode.ts";

const LIMITS = { workMax: Number.POSITIVE_INFINITY, isFresh: true, factsMax: 20_000 } as const;

/** An indexed file. `language` is the one it is parsed as, which can differ from that of the index by its text. */
export type IndexedFile = { readonly path: string; readonly language: string; readonly text: string };

/** Every file of a checkout that is indexed, by path. */
export async function indexedFiles(folder: string): Promise<readonly IndexedFile[]> {
  const root = realpathSync(folder);
  const { tracked } = await openHistory(process.env).readHistory(root, { commitsMax: 0 });
  const tree = await walkTree(root, { readTracked: async () => tracked });
  const limits = { bytesMax: FILE_BYTES_MAX, vendoredIsMain: vendoredIsMain(tree.list().paths) };
  const texts = [...tree.files].flatMap(({ path, sizeBytes }) => {
    if (skipByPath(path, sizeBytes, limits) !== null) return [];
    const read = readFile(root, path, FILE_BYTES_MAX);
    const decoded = read.kind === "bytes" ? decode(read.bytes) : null;
    return decoded?.kind !== "text" || skipByText(path, decoded.text) !== null ? [] : [{ path, text: decoded.text }];
  });
  return await Promise.all(
    texts.map(async ({ path, text }) => ({ path, language: await dialectOf(languageOf(path), text), text })),
  );
}

async function dialectOf(language: string, text: string): Promise<string> {
  const parsing = PARSED_LANGUAGES.get(language);
  return (parsing?.kind === "grammar" ? (await parsing.load()).dialect?.(text) : null) ?? language;
}

/** The facts of a file. Throws if it cannot be parsed at all. */
export async function parse({ path, language, text }: IndexedFile): Promise<UncountedFacts> {
  const parsed = await parseFile(text, language, LIMITS);
  if (parsed.problem !== null) throw new Error(`${path}: ${parsed.problem}`);
  return parsed;
}

/** The facts of a file in the form for resolving. */
export async function factsOf(file: IndexedFile): Promise<FileFacts> {
  const facts = await parse(file);
  const symbols = facts.symbols.map((symbol) => ({ ...symbol, signatureTokens: 0, bodyTokens: 0 }));
  return { ...facts, tokenCount: 0, symbols };
}

/** A public repository at the measured commit. */
export type Repository = { readonly repository: string; readonly commit: string };

/** A checkout of a repository; `commit` is the checked-out one. */
export type Checkout = Repository & { readonly folder: string };

/**
 * The checkout of a repository in a folder of checkouts, named `owner+name` or `name`; fetched from GitHub if missing.
 * Throws with the next step if that fails or another commit is checked out.
 */
export function checkout(folder: string, { repository, commit }: Repository): Checkout {
  const names = [repository.replace("/", "+"), repository.slice(repository.indexOf("/") + 1)];
  const there = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  const found = there ?? fetchCommit(join(folder, repository.replace("/", "+")), { repository, commit });
  const { stdout } = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: found, stderr: "ignore" });
  const head = stdout.toString().trim();
  if (head !== commit) throw new Error(`${found} is at ${head || "no commit"}; check out ${commit}`);
  return { repository, commit, folder: realpathSync(found) };
}

function fetchCommit(folder: string, { repository, commit }: Repository): string {
  mkdirSync(folder, { recursive: true });
  const url = `https://github.com/${repository}`;
  for (const args of [
    ["init", "--quiet"],
    ["fetch", "--quiet", "--depth=1", url, commit],
    ["checkout", "--quiet", commit],
  ]) {
    if (Bun.spawnSync(["git", ...args], { cwd: folder, stderr: "ignore" }).success) continue;
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`cannot fetch ${url}; check out ${commit} as ${folder}, or name another folder with --repos`);
  }
  return folder;
}
