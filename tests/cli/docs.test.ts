/** The pages: generated tables are up to date, links and file names exist, and every command line is valid. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { REFERENCE, SECTIONS, withSections } from "../../scripts/docs.ts";
import { COMMAND_TABLE } from "../../src/cli/commands/table.ts";
import { parseArguments } from "../../src/cli/syntax/argv.ts";
import { CONFIG_KEYS } from "../../src/config/keys.ts";
import { Failed } from "../../src/failure.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGES = [
  "README.md",
  "SECURITY.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "src/ARCHITECTURE.md",
  ...[...new Bun.Glob("docs/**/*.md").scanSync(ROOT)].sort(),
];
const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

test("sections are filled between their marks, always with the same text, and nothing else changes", () => {
  const page = "# a\n<!-- commands:begin (generated) -->\nold\n<!-- commands:end -->\nb $& $1\n";
  const once = withSections(page);
  expect(once).toContain("| `cra retrieve [task] [options]` | find the code");
  expect(once).not.toContain("old");
  expect(once).toEndWith("<!-- commands:end -->\nb $& $1\n");
  expect(withSections(once)).toBe(once);
  expect(withSections("# no marks\n")).toBe("# no marks\n");
});

test("every command and key is in its table", () => {
  for (const { name } of COMMAND_TABLE.commands) expect(SECTIONS.commands?.()).toContain(`\`cra ${name}`);
  for (const key of CONFIG_KEYS) expect(SECTIONS.configuration?.()).toContain(`\`${key}\``);
});

test("the reference has every table, up to date (npm run docs writes them)", () => {
  const page = readFileSync(REFERENCE, "utf8");
  for (const name of Object.keys(SECTIONS)) expect(page).toContain(`<!-- ${name}:end -->`);
  expect(page).toBe(withSections(page));
});

/** Links to files or headings that do not exist. */
function brokenLinks(page: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^https?:/.test(target)) return [];
    const [path = "", anchor] = target.split("#");
    const at = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, at))) return [`${page}: ${target}`];
    return anchor === undefined || anchorsOf(textOf(at)).includes(anchor) ? [] : [`${page}: ${target}`];
  });
}

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Names of project files that do not exist. */
function lostFiles(page: string, text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|tests|scripts|docs|grammars)\/[\w./-]+)`/g)].flatMap(([, path = ""]) =>
    existsSync(join(ROOT, path)) ? [] : [`${page}: ${path}`],
  );
}

test("links and names of files exist", () => {
  expect(PAGES.flatMap((page) => brokenLinks(page, textOf(page)))).toEqual([]);
  expect(PAGES.flatMap((page) => lostFiles(page, textOf(page)))).toEqual([]);
  expect(brokenLinks("docs/a.md", "[x](b.md) [y](../README.md#none) [z](#gone)")).toHaveLength(3);
  expect(brokenLinks("docs/a.md", "[x](../README.md#how-it-compares) [y](https://example.com/none)")).toEqual([]);
  expect(lostFiles("docs/a.md", "`src/none.ts` and `src/main.ts`")).toEqual(["docs/a.md: src/none.ts"]);
});

/** The cra commands in fenced shell code, without comments, other programs and redirections. */
function commandLines(text: string): readonly string[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, body = ""]) => body.replaceAll("\\\n", " ").split("\n"))
    .flatMap((line) => line.replace(/\s+#(?!\w).*$/, "").split(/\s*(?:\||&&)\s*/))
    .map((part) => part.trim())
    .filter((part) => /^cra(?: |$)/.test(part))
    .map((part) => part.replace(/\s+\d?[<>]\s*\S+/g, ""));
}

/** The words of a line, split as a shell would. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .slice(1)
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");

/** Lines that the program refuses, with the error. */
const refused = (text: string): readonly string[] =>
  commandLines(text).flatMap((line) => {
    try {
      parseArguments(wordsOf(line), COMMAND_TABLE);
      return [];
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      return [`${line}: ${error.message}`];
    }
  });

test("every command line on a page is valid", () => {
  const lines = PAGES.flatMap((page) => commandLines(textOf(page)));
  expect(lines.length).toBeGreaterThan(40);
  expect(PAGES.flatMap((page) => refused(textOf(page)))).toEqual([]);
  expect(
    refused('```sh\npytest 2>&1 | cra retrieve "a b" --budget 10 > x   # why\ncra indx && cra index --non\n```\n'),
  ).toHaveLength(2);
});
