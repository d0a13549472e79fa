/**
 * Compares the definitions of Universal Ctags in a checkout with the symbols of cra.
 *
 * A tag matches a symbol of the same file and name if its line is that of the symbol's name, or lies between the
 * symbol's first decorator, attribute or annotation and its name. Names match exactly, except that spaces (`operator
 * ==`) and the `#` of private names are ignored and only the last part of a dotted name counts. Unnamed tags and the
 * known ctags errors of `ctags-languages.ts` are left out; the latter are counted.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { SymbolFact } from "../../src/syntax/facts/facts.ts";
import type { UncountedFacts } from "../../src/syntax/facts/text-facts.ts";
import { CTAGS_LANGUAGES, type CtagsLanguage, FAULTS, type Tag, type TagLine } from "./ctags-languages.ts";
import { type IndexedFile, indexedFiles, parse } from "./repositories.ts";

/** A tag without a matching symbol; `text` is its line. */
export type Miss = Tag & { readonly text: string };

export type Comparison = {
  readonly files: number;
  readonly total: number;
  readonly found: number;
  readonly misses: readonly Miss[];
  /** Tags left out, by the reason. */
  readonly faults: ReadonlyMap<string, number>;
};

/** Compares one language of a checkout. Throws if the language is not in the table. */
export async function compareWithCtags(folder: string, language: string): Promise<Comparison> {
  const row = CTAGS_LANGUAGES.get(language);
  if (row === undefined) throw new Error(`${language} is not compared with ctags`);
  const files = (await indexedFiles(folder)).filter((file) => file.language === language);
  const tags = await tagsOf(folder, row, files);
  const misses: Miss[] = [];
  const faults = new Map<string, number>();
  let total = 0;
  for (const file of files) {
    const parsed = await parse(file);
    const byName = Map.groupBy(parsed.symbols, ({ name }) => comparable(name));
    const lineAt = lineReader(file, parsed);
    for (const tag of tags.get(file.path) ?? []) {
      const line = lineAt(tag.line);
      if ((byName.get(comparable(tag.name)) ?? []).some((symbol) => isAt(symbol, tag.line))) {
        total += 1;
        continue;
      }
      const fault = [...FAULTS, ...(row.faults ?? [])].find(({ is }) => is(tag, line));
      if (fault !== undefined) {
        faults.set(fault.reason, (faults.get(fault.reason) ?? 0) + 1);
        continue;
      }
      total += 1;
      misses.push({ ...tag, text: line.text });
    }
  }
  return { files: files.length, total, found: total - misses.length, misses, faults };
}

function comparable(name: string): string {
  const letters = name.replace(/\s+/g, "");
  return /(?:^|[.:])#?([^.:]+)$/.exec(letters)?.[1] ?? letters;
}

const isAt = ({ startLine, nameLine }: Pick<SymbolFact, "startLine" | "nameLine">, line: number): boolean =>
  startLine <= line && line <= nameLine;

function lineReader({ text }: IndexedFile, { commentLines }: UncountedFacts): (line: number) => TagLine {
  const lines = text.split(/\r\n|\n|\r/);
  const inside = new Set<number>();
  for (const { line, endLine } of commentLines) for (let at = line + 1; at <= endLine; at += 1) inside.add(at);
  let isOpen = false;
  const quoted = lines.map((line) => {
    const isInside = isOpen;
    if (line.split('"""').length % 2 === 0) isOpen = !isOpen;
    return isInside;
  });
  return (line) => {
    const text = lines[line - 1] ?? "";
    // The last line of a block can have code after the comment.
    const isComment = /^\s*(?:\/\/|\/\*(?!.*\*\/\s*\S))/.test(text) || (inside.has(line) && !/\*\/\s*\S/.test(text));
    return { text: text.trim(), isComment, isQuoted: quoted[line - 1] ?? false };
  };
}

const TagRecord = z.object({
  _type: z.literal("tag"),
  name: z.string(),
  path: z.string(),
  line: z.int().positive(),
  kind: z.string(),
  scope: z.string().nullable().default(null),
  extras: z.string().default(""),
});

/** The tags of the kinds that are compared, by file. */
async function tagsOf(
  folder: string,
  { name, kinds }: CtagsLanguage,
  files: readonly IndexedFile[],
): Promise<ReadonlyMap<string, readonly Tag[]>> {
  const work = mkdtempSync(join(tmpdir(), "cra-ctags-"));
  try {
    const list = join(work, "files");
    writeFileSync(list, files.map(({ path }) => `${path}\n`).join(""));
    // Ignores the user's own options, and reads every file as this language, with any extension.
    const options = [
      "--options=NONE",
      `--language-force=${name}`,
      "--output-format=json",
      "--fields=NFnKEs",
      "--sort=no",
    ];
    const command = ["ctags", ...options, "-f", "-", "-L", list];
    const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(`ctags: ${errors.trim()}`);
    const compared = new Set(kinds);
    const tags = output.split("\n").flatMap((line) => {
      const record = line === "" ? null : TagRecord.safeParse(JSON.parse(line)).data;
      if (!record || !compared.has(record.kind) || /\banonymous\b/.test(record.extras)) return [];
      const { name, path, line: at, kind, scope } = record;
      return [{ name, path, line: at, kind, scope }];
    });
    return Map.groupBy(tags, ({ path }) => path);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
