/** `cra mcp` in a large repository without an index: it answers first, indexes behind the answer, and says when that is done. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { PackageAnswer, StatusAnswer } from "../../src/present/answers.ts";
import { tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { MANY_FILES } from "../support/many-files.ts";
import { callTool, type McpClient, openMcp } from "../support/mcp-client.ts";
import { type Files, tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

setDefaultTimeout(HANG_MS);

const TASK = { task: "login_user is slow", budget: 900 };
const LOGIN: Files = { "app/login.py": "def login_user(name):\n    return check_password(name)\n" };
/** Each look takes time from the index behind it. */
const LOOK_EVERY_MS = 400;

const retrieve = async (mcp: McpClient) => {
  const { text, structured, isError } = await callTool(mcp, "retrieve", TASK);
  expect([isError, isError ? text : ""]).toEqual([false, ""]);
  return PackageAnswer.parse(structured);
};

/** Calls `status` until the index is as wanted. */
async function until(mcp: McpClient, isWanted: (status: StatusAnswer) => boolean): Promise<void> {
  while (!isWanted(StatusAnswer.parse((await callTool(mcp, "status")).structured))) await Bun.sleep(LOOK_EVERY_MS);
}

/** The hash of the index in a data folder. */
const contentIn = async (args: readonly string[]): Promise<unknown> => {
  const { index } = JSON.parse((await runHere(["status", "--json", ...args], { cwd: repo.path })).stdout);
  return index.content_hash;
};

const repo = shared(tempRepo(LOGIN));
const elsewhere = shared(tempFolder()).path;
const before = ["--data-dir", elsewhere];
expect((await runHere(["index", "-q", ...before], { cwd: repo.path })).exitCode).toBe(0);
repo.write({ ...MANY_FILES, "app/login.py": "def login_user(name):\n    return check_twice(name)\n" });

test("it answers first, then says once that the index is complete, also where a server ended while it indexed", async () => {
  {
    await using mcp = await openMcp({ cwd: repo.path });
    const { text } = await callTool(mcp, "retrieve", TASK);
    // The text says once what the package is, and what happens.
    expect(text.split("this is a first answer")).toHaveLength(2);
    expect(text).toContain("Note: the repository is being indexed now");
    // An agent has no shell for it, and need not ask.
    expect(text).not.toContain("cra index");
  }
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured"] });
  const first = await retrieve(mcp);
  expect(first.provisional).toMatchObject({ index: "none", files_counted: 1_002 });
  expect(first.files.map(({ path }) => path)).toEqual(["app/login.py"]);
  expect(first.warnings.slice(0, 1)).toEqual([
    "the repository is being indexed now; once it is, the same call gives the final answer",
  ]);
  expect(first.markdown.split("this is a first answer")).toHaveLength(2);
  await until(mcp, ({ indexed }) => indexed);
  const final = await retrieve(mcp);
  expect(final.provisional).toBeUndefined();
  expect(final.warnings).toContain("the index is complete, so this answer is final and replaces the first ones");
  expect((await retrieve(mcp)).warnings.join()).not.toContain("the index is complete");
  const again = await callTool(mcp, "refine", { task_id: first.task_id, missing_files: ["lib/part7.py"] });
  expect(PackageAnswer.parse(again.structured).markdown).toContain("def part7");
});

test("an index that is far behind is brought up to date behind the answer, and is that of a first run", async () => {
  await using mcp = await openMcp({ cwd: repo.path, args: ["--structured", ...before] });
  const first = await retrieve(mcp);
  expect(first.provisional).toMatchObject({ index: "behind", files_counted: 1_002 });
  expect(first.markdown).toContain("check_twice");
  await until(mcp, ({ stale }) => stale === null);
  expect((await retrieve(mcp)).provisional).toBeUndefined();
  expect((await runHere(["index", "-q"], { cwd: repo.path })).exitCode).toBe(0);
  // That of the first test was begun by one server and completed by the next.
  expect(await contentIn(before)).toBe(await contentIn([]));
});
