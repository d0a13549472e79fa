/** A suggested command names the repository, data folder and store of the run that suggests it. */
import { expect, test } from "bun:test";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { completed, failureSentence } from "../../../src/cli/output/suggested-commands.ts";
import { parseArguments } from "../../../src/cli/syntax/argv.ts";
import type { Failure } from "../../../src/failure.ts";

function run(argv: readonly string[]) {
  const parsed = parseArguments(argv, COMMAND_TABLE);
  if (parsed.kind !== "run") throw new Error("not a run");
  const environment = { cwd: "/work", variables: {}, uid: 0, processors: 1, pid: 1, host: "h", program: ["cra"] };
  return { values: parsed.values, table: COMMAND_TABLE, environment };
}

const STORE = "postgres://ci@db/cra?sslmode=disable";

test.each<[argv: string, told: string, wanted: string]>([
  ["search x", "is damaged; run: cra index --rebuild", "is damaged; run: cra index --rebuild"],
  ["search x --repo a", "is damaged; run: cra index --rebuild", "is damaged; run: cra index --repo a --rebuild"],
  ["index a", "is damaged; run: cra index --rebuild", "is damaged; run: cra index --repo a --rebuild"],
  [
    "log 1f3a --data-dir d",
    'see: cra sessions, or run: cra retrieve "TASK"',
    'see: cra sessions --data-dir d, or run: cra retrieve --data-dir d "TASK"',
  ],
  ["search x --repo a", "w; CRA_WORKSPACE_REPOS=. cra index", "w; CRA_WORKSPACE_REPOS=. cra index --repo a"],
  [
    "search x --repo a",
    "see: cra search --help; see: cra schema entry",
    "see: cra search --help; see: cra schema entry",
  ],
  ["search x --repo a", "q: cra is not on your PATH; cra skips it", "q: cra is not on your PATH; cra skips it"],
  [
    `push a --to ${STORE} --name n --branch main`,
    "push it again: cra push --with-text",
    `push it again: cra push --repo a --to '${STORE}' --name n --branch main --with-text`,
  ],
  [
    `index --from ${STORE} --bucket s3://b/c`,
    "again: cra push --again",
    `again: cra push --to '${STORE}' --bucket s3://b/c --again`,
  ],
  [`serve --from ${STORE} --branch main`, "first: cra push --with-text", `first: cra push --to '${STORE}' --with-text`],
  [`work --from ${STORE} --repo a`, "run: cra store init", `run: cra store --at '${STORE}' init`],
])("cra %s", (argv, told, wanted) => {
  const { values, table } = run(argv.split(" "));
  expect(completed(told, { values, table })).toBe(wanted);
});

test("the words of a shell are quoted", () =>
  expect(completed("run: cra index", run(["status", "--repo", "it's here"]))).toBe(
    "run: cra index --repo 'it'\\''s here'",
  ));

const unindexed = (repo: string): Failure => ({ code: "not-indexed", repo });
test.each<[argv: string, failure: Failure, wanted: string]>([
  ["search x", unindexed("/work"), "/work is not indexed; run: cra index"],
  ["search x", unindexed("/"), "/ is not indexed; run: cra index"],
  ["search x --repo /a/b", unindexed("/a"), "/a is not indexed; run: cra index --repo /a/b"],
  ["search x --repos a,b", unindexed("/srv/a"), "/srv/a is not indexed; run: cra index --repo /srv/a"],
])("cra %s names what is not indexed", (argv, failure, wanted) =>
  expect(failureSentence(failure, run(argv.split(" ")))).toBe(wanted),
);
