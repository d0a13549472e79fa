/**
 * The shape of the project, as a test: every rule holds for the repository, and every rule is seen to go red on a
 * planted breach, so that none of them can be green by accident.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "./support/imports.ts";
import { lex } from "./support/lex.ts";
import { RULES, type Rule, topLevel } from "./support/tidy-rules.ts";
import {
  FILES_OF_FOLDER_MAX,
  LARGE_FOLDERS,
  LINES_MAX,
  LINES_OF_FUNCTION_MAX,
  LINES_OF_TEST_MAX,
  MEMBERS_MAX,
  TABLES,
  TOP_LEVEL,
} from "./support/tidy-tables.ts";

const ROOT = join(import.meta.dir, "..");

/** Built and installed, ignored by git. */
const MADE = ["dist", "node_modules"];

const FILES: readonly SourceFile[] = ["{src,tests,scripts,docs}/**/*", "*.md"]
  .flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)])
  .filter((path) => /\.(ts|tsx|mjs|md)$/.test(path) && !/\/(fixtures|golden)\//.test(path))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

test("the rules see the repository", () => {
  for (const path of ["README.md", "src/main.ts", "tests/tidy.test.ts"])
    expect(FILES.some((file) => file.path === path)).toBe(true);
});

for (const [name, rule] of Object.entries(RULES)) {
  test(`tidy: ${name}`, () => expect(rule(FILES).join("\n")).toBe(""));
}

test("tidy: the top level has only the expected entries", () => {
  const names = readdirSync(ROOT).filter((name) => !MADE.includes(name));
  expect(topLevel(names, TOP_LEVEL).join("\n")).toBe("");
  expect(topLevel([...TOP_LEVEL, ".gitignore"], TOP_LEVEL)).toEqual([]);
  expect(topLevel([...TOP_LEVEL, "notes.txt", "drafts"], TOP_LEVEL)).toHaveLength(2);
});

/** A file of a small project in which every rule holds. */
const file = (path: string, code: string): SourceFile => ({ path, text: `/** What it is for. */\n${code}\n` });

const HEALTHY: readonly SourceFile[] = [
  file("src/main.ts", 'import { open } from "./app.ts";\nprocess.exitCode = open();'),
  file(
    "src/app.ts",
    'import { scope } from "./retrieval/scope.ts";\nimport { rows } from "./db/rows.ts";\nimport "./syntax/parse/pool.ts";\nimport "./indexing/update/writer/write-generation.ts";\nexport const open = () => scope(rows, Date.now());',
  ),
  file(
    "src/db/rows.ts",
    'import type { Database } from "bun:sqlite";\nexport const rows = (db: Database) => [db, "process.env", /console.log/];',
  ),
  file(
    "src/retrieval/scope.ts",
    'import type { rows } from "../db/rows.ts";\nimport type { Score } from "./model/scores.ts";\nexport const scope = (of: typeof rows, now: Score) => [of, now];',
  ),
  file(
    "src/retrieval/model/scores.ts",
    'import type { Name } from "../ranking/signals/table.ts";\nexport type Score = Name;',
  ),
  file(
    "src/syntax/parse/pool.ts",
    'export const start = () => new Worker(new URL("./parse-worker.ts", import.meta.url).href);',
  ),
  file("src/syntax/parse/parse-worker.ts", "process.on('exit', () => {});"),
  file(
    "src/indexing/update/writer/write-generation.ts",
    'export const start = () => new Worker(new URL("./writer-worker.ts", import.meta.url).href);',
  ),
  file(
    "src/indexing/update/writer/writer-worker.ts",
    'import { rows } from "../../../db/rows.ts";\npostMessage(rows);',
  ),
  file("tests/db/rows.test.ts", 'import { test } from "bun:test";\ntest("rows", () => {});'),
  ...TABLES.map((path) => file(path, "\n".repeat(LINES_OF_TEST_MAX))),
];

test("the small project breaks no rule except that tables are used", () => {
  const broken = Object.values(RULES).flatMap((rule: Rule) => rule(HEALTHY));
  expect(broken.filter((line) => !TABLES.some((path) => line.startsWith(path)))).toEqual([]);
});

/** Adds a file, or replaces one of the same path, and expects the rule to name it. */
const red = (rule: keyof typeof RULES, path: string, code: string): void =>
  test(`planted: ${rule}: ${path}: ${code.replace(/\s+/g, " ").slice(0, 60).trim()}`, () => {
    const planted = [...HEALTHY.filter((healthy) => healthy.path !== path), file(path, code)];
    expect(RULES[rule](planted).join("\n")).toStartWith(path);
  });

red("imports point down", "src/text/cut.ts", 'import { rows } from "../db/rows.ts";');
red("imports point down", "src/text/cut.ts", 'import type { rows } from "../db/rows.ts";');
red("imports point down", "src/text/cut.ts", 'export type Row = import("../db/rows.ts").Row;');
red("imports point down", "src/text/cut.ts", 'export const later = () => import("../app.ts");');
red("imports point down", "src/indexing/plan.ts", 'import { scope } from "../retrieval/scope.ts";');
red("imports point down", "src/source/tree.ts", 'import { rows } from "../db/rows.ts";');
red("imports point down", "src/failure.ts", 'import { cut } from "./text/cut.ts";');
red(
  "lazy tables import nothing when they are loaded",
  "src/retrieval/render/formats.ts",
  'import { xml } from "./xml.ts";\nexport const FORMATS = [xml];',
);
red("imports point down", "src/plugins/one.ts", 'import { rows } from "../db/rows.ts";');
red("folders import one way", "src/db/sqlite/a.ts", 'import type { b } from "../memory/b.ts";');
red("folders import one way", "src/tui/state/a.ts", 'import type { b } from "../views/b.ts";');
red("folders import one way", "src/retrieval/model/a.ts", 'import type { b } from "../lexical/b.ts";');
red("folders import one way", "src/retrieval/explain/a.ts", 'import { scope } from "../scope.ts";');
red("folders import one way", "src/retrieval/new/a.ts", 'import { b } from "../model/b.ts";');
red("folders import one way", "src/retrieval/ranking/b/a.ts", 'import { b } from "../../scope/b.ts";');
red("folders import one way", "src/app/retrieval/a.ts", 'import { open } from "../app.ts";');
red("folders import one way", "src/indexing/references/types/a.ts", 'import type { b } from "../names/b.ts";');
red("folders import one way", "src/indexing/imports/rust/a.ts", 'import { b } from "../python/b.ts";');
red("folders import one way", "src/db/curated/write/a/b.ts", 'import { c } from "../../union/c.ts";');
test("files beside inner folders are doors, or what the folders share", () => {
  const beside = [
    file("src/indexing/references/door.ts", 'import "./names/b.ts";'),
    file("src/indexing/references/names/b.ts", 'import "../shared.ts";'),
  ];
  expect(RULES["folders import one way"](beside)).toEqual([]);
});
test("planted: folders can be taken in: one file too many, and a large folder that is not large", () => {
  const many = Array.from({ length: FILES_OF_FOLDER_MAX + 1 }, (_, at) => file(`src/text/a${at}.ts`, ""));
  const few = Object.keys(LARGE_FOLDERS).map((folder) => file(`${folder}/a.ts`, ""));
  expect(RULES["folders can be taken in"]([...many, file("src/text/terms/a.ts", ""), ...few])).toEqual([
    `src/text: ${FILES_OF_FOLDER_MAX + 1} files, at most ${FILES_OF_FOLDER_MAX}`,
    ...Object.keys(LARGE_FOLDERS).map((folder) => `${folder}: is small enough to leave the list of large folders`),
  ]);
});
test("planted: files import without cycles: through another file", () => {
  const loop = [file("src/text/a.ts", 'import "./b.ts";'), file("src/text/b.ts", 'import type { A } from "./a.ts";')];
  expect(RULES["files import without cycles"]([...HEALTHY, ...loop])).toHaveLength(2);
});
red("files import without cycles", "src/text/cut.ts", 'import { cut } from "./cut.ts";');
red(
  "capabilities name edges only as types",
  "src/retrieval/scope.ts",
  'import { rows } from "../db/rows.ts";\nexport const scope = () => rows;',
);
red(
  "capabilities name edges only as types",
  "src/evaluation/run.ts",
  'export const later = () => import("../db/rows.ts");',
);
red("imports point down", "src/llm/ask.ts", 'import type { judge } from "../judgement/judge.ts";');
red("imports point down", "src/judgement/judge.ts", 'import type { scope } from "../retrieval/scope.ts";');
red(
  "capabilities name edges only as types",
  "src/judgement/judge.ts",
  'import { open } from "../llm/ollama.ts";\nexport const judge = open;',
);
red("a dependency has one door", "src/llm/ask.ts", 'import { Fzf } from "fzf";\nnew Fzf([]);');
red(
  "a dependency has one door",
  "src/db/rows.ts",
  'import { Database } from "bun:sqlite";\nexport const rows = Database;',
);
red(
  "a dependency has one door",
  "src/cli/run.ts",
  'import { countTokens } from "gpt-tokenizer/encoding/o200k_base";\ncountTokens("");',
);
red("a dependency has one door", "src/text/pad.ts", 'import pad from "left-pad";\npad();');
red(
  "the interface is loaded when it is asked for",
  "src/cli/run-tui.ts",
  'import { start } from "../tui/start.tsx";\nexport const run = start;',
);
test("planted: a file starts with its purpose", () => {
  const bare = { path: "src/text/cut.ts", text: "// What it is for.\nexport const a = 1;\n" };
  expect(RULES["a file opens with what it is for"]([bare])).toHaveLength(1);
  expect(
    RULES["a file opens with what it is for"]([
      { ...bare, path: "scripts/run.mjs", text: `#!/bin/x\n${file("", "").text}` },
    ]),
  ).toEqual([]);
});
red("files are short", "src/text/cut.ts", "\n".repeat(LINES_MAX));
red("files are short", "tests/text/cut.test.ts", "\n".repeat(LINES_OF_TEST_MAX));
const body = "\n".repeat(LINES_OF_FUNCTION_MAX);
const members = Array.from({ length: MEMBERS_MAX + 1 }, (_, at) => `readonly a${at}: string;`).join(" ");
red("functions are short and types narrow", "src/text/cut.ts", `export function cut() {${body}}`);
red("functions are short and types narrow", "src/text/cut.ts", `export const cut = (a = () => {${body}}) => a;`);
red("functions are short and types narrow", "src/text/cut.tsx", `export const Cut = () => (\n<p>${body}</p>);`);
red("functions are short and types narrow", "src/text/cut.ts", `export const all = { async *cut() {${body}} };`);
red("functions are short and types narrow", "src/text/cut.ts", `export type Cut = Row & { ${members} };`);
red("functions are short and types narrow", "src/text/cut.ts", `export interface Cut { ${members} }`);
red("names say what is inside", "src/text/utils.ts", "");
red("names say what is inside", "src/helpers/cut.ts", "");
red("names say what is inside", "src/text/index.ts", "");
red("names say what is inside", "src/text/cutText.ts", "");
red("names say what is inside", "src/db/connection-manager.ts", "");
red("nothing is dead", "src/text/cut.ts", "export const cut = 1;");
test("planted: a worker is started from its own folder", () => {
  const elsewhere = file(
    "src/indexing/other.ts",
    'new Worker(new URL("../syntax/parse-worker.ts", import.meta.url).href);',
  );
  const planted = [...HEALTHY.filter(({ path }) => path !== "src/syntax/parse/pool.ts"), elsewhere];
  expect(RULES["a worker is started from its own folder"](planted)).toHaveLength(1);
});
red("only entries touch the process", "src/app.ts", "export const open = () => process.env.HOME;");
red("only entries touch the process", "src/app.ts", "export const open = () => `${process.cwd()}`;");
red("only entries touch the process", "src/app.ts", "export const open = () => Bun.env.HOME;");
red("no clock, no chance, no locale", "src/retrieval/scope.ts", "export const scope = () => Date.now();");
red("no clock, no chance, no locale", "src/retrieval/scope.ts", "export const scope = () => new Date();");
red("no clock, no chance, no locale", "src/retrieval/scope.ts", "export const scope = () => Math.random();");
red("no clock, no chance, no locale", "src/app.ts", 'export const open = () => "a".localeCompare("b");');
red("nothing is printed behind the streams' back", "src/app.ts", 'export const open = () => console.log("a");');
red("types are not talked away", "src/app.ts", "export const open = (a: any) => a;");
red("types are not talked away", "src/app.ts", "export const open = (a: unknown) => a as any;");
red("types are not talked away", "src/app.ts", "export const open = (a: Map<string, any>) => a;");
red("types are not talked away", "src/app.ts", "export const open = (a?: string) => a!.length;");
red("types are not talked away", "src/app.ts", "export const open = (a: string[]) => a[0]!;");
red("types are not talked away", "src/app.ts", "// @ts-ignore\nexport const open = 1;");
red("exports have names and homes", "src/app.ts", "export default 1;");
red("exports have names and homes", "src/app.ts", 'export * from "./db/rows.ts";');
red("exports have names and homes", "src/app.ts", 'export { rows } from "./db/rows.ts";');
red("exports have names and homes", "src/app.ts", "export class App {}");
red("tests run whole and real", "tests/db/rows.test.ts", 'test.only("rows", () => {});');
red("tests run whole and real", "tests/db/rows.test.ts", 'mock.module("node:fs", () => ({}));');
red("tests run whole and real", "tests/db/rows.test.ts", 'test("rows", () => {\n}, 2_000);');
red("tests run whole and real", "tests/db/rows.test.ts", "setDefaultTimeout(60_000);");
red("files that comments and papers name exist", "src/app.ts", "// `gone.ts` holds the rows.");
red("files that comments and papers name exist", "src/app.ts", "// `text/rows.ts` holds the rows.");
red("files that comments and papers name exist", "docs/guide.md", "See `gone.ts`.");
red("comments speak of the project", "src/app.ts", `// See /${"work"}/main.`);
red("comments speak of the project", "src/app.ts", `// As ${"issue"} 12 says.`);
red("comments speak of the project", "tests/db/rows.test.ts", `// See ${"DESIGN"} 9.`);

test("code is distinguished from comments, strings, templates and regular expressions", () => {
  const code = (text: string): string => lex(text).code.replace(/ +/g, " ");
  expect(code('a("b // c") // d')).toBe('a(" ") ');
  expect(code("a /* b\n c */ d")).toBe("a \n d");
  expect(code("`a ${b + `c ${d} e`} f` + g")).toBe(" b + d + g");
  expect(code("`${{ a: 1 }.a}` + b")).toBe(" { a: 1 }.a + b");
  expect(code('x = /["`]/.test(y) ? 1 / 2 : 3')).toBe("x = .test(y) ? 1 / 2 : 3");
  expect(code("<p>don't</p>\na(b)")).toEndWith("\na(b)");
  expect(lex("a // b\nc").comments).toBe("  // b\n ");
});
