/** `cra log`, `cra sessions` and `cra explain` of a judged run, on the stub app. */
import { describe, expect, test } from "bun:test";
import { RunRecord } from "../../../src/retrieval/explain/run-record.ts";
import { ran, seen, watch } from "../stub-app.ts";
import { RECORD } from "../stub-results.ts";

watch();

describe("log", () => {
  test("shows every round, escaped for a terminal", async () => {
    expect(await ran(["log", "0123456789ab"])).toEqual({
      out: `task  fix it\\x1b[2J …
id    0123456789ab

round    1, finished after 1000 ms
started  2024-01-01T00:00:00.000Z by cra 0.1.0 retrieve
budget   90 of 100 tokens
package  1 file
index    c0ffee
stages   scope
depth    1
note     a hint\\x1b]0;x\\x07 matches nothing

stage  ms  decisions
scope  12  ranked 2, seed 1

stage  model  status   ms  prompt tokens  response tokens
scope  m:1b   ok      300            321  -

stage  tier  in  out
scope  seed   1    0

round     2, not finished
started   2024-01-01T00:00:00.000Z by cra 0.1.0 refine
attempts  2
budget    100 tokens
index     c0ffee
stages    scope
depth     1
note      a hint\\x1b]0;x\\x07 matches nothing

stage  ms  decisions
scope  12  ranked 2, seed 1

stage  tier  in  out
scope  seed   1    0
`,
      err: "",
      code: 0,
    });
  });
  test("with -v adds every option, prompt and response", async () => {
    const { out } = await ran(["log", "0123456789ab", "--round", "1", "-v"]);
    expect(out).toContain('\ninclude   []\ndepth     1\ntemplate  [{"text":"t"}]\n');
    expect(out).toEndWith(
      "\ncall 1, prompt:\n    sort\\x1b[31m these\n    please\ncall 1, response:\n    {}\\u{202e}\n",
    );
    expect(out).not.toContain("round     2");
  });
  test("as JSON matches its schema", async () => {
    const { out } = await ran(["log", "0123456789ab", "--json"]);
    expect(RunRecord.parse(JSON.parse(out))).toEqual(RECORD);
    expect(JSON.parse((await ran(["schema", "log"])).out)).toMatchObject({ type: "object" });
  });
  test("reports an unknown task", async () => {
    expect(await ran(["log", "ffff"])).toMatchObject({ code: 2, err: expect.stringContaining("task id ffff") });
    expect((await ran(["log"])).code).toBe(2);
    expect((await ran(["log", "0123456789ab", "--round", "0"])).code).toBe(2);
  });
});

describe("sessions", () => {
  test("are listed, also damaged ones", async () => {
    expect(await ran(["sessions"])).toEqual({
      out: `task          state       rounds  last used                 size     what
0123456789ab  unfinished       2  2024-01-01T00:00:01.000Z  4.0 KiB  fix it\\x1b[2J … (--for plan)
fedcba987654  damaged          0  -                         5 B      the session is damaged\\x1b[2J
`,
      err: "",
      code: 0,
    });
    expect((await ran(["sessions"], { sessions: [] })).out).toBe("there are no sessions\n");
    expect(JSON.parse((await ran(["sessions", "--json"])).out)).toMatchObject({
      schema_version: 1,
      sessions: [
        { task_id: "0123456789ab", state: "unfinished", last_used: "2024-01-01T00:00:01.000Z" },
        { why: expect.stringContaining("damaged") },
      ],
    });
  });
  test.each([
    [[], { tasks: [], olderThanDays: 30, dryRun: false }],
    [["--older-than", "0", "--dry-run"], { tasks: [], olderThanDays: 0, dryRun: true }],
    [["abcd", "ef01"], { tasks: ["abcd", "ef01"], olderThanDays: null, dryRun: false }],
    [["abcd", "--older-than", "5"], { tasks: ["abcd"], olderThanDays: 5, dryRun: false }],
  ] as const)("archive %p means %p", async (words, wish) => {
    expect((await ran(["sessions", "archive", ...words])).code).toBe(0);
    expect(seen.archived).toEqual([wish]);
  });
  test("archive reports archived sessions, and why others were kept", async () => {
    const report = {
      archived: [{ taskId: "0123456789ab", bytes: 4096 }],
      stayed: [{ taskId: "fedcba987654", why: "it is in use" }],
      younger: 1,
    };
    const said =
      "cra: note: the session of task fedcba987654 was kept: it is in use\ncra: note: kept 1 session used in the last 30 days\n";
    expect(await ran(["sessions", "archive"], { archived: report })).toEqual({
      out: "task          size\n0123456789ab  4.0 KiB\narchived 1 session, 4.0 KiB\n",
      err: said,
      code: 0,
    });
    expect(await ran(["sessions", "archive", "fedc"], { archived: { ...report, younger: 0 } })).toMatchObject({
      code: 1,
    });
    expect(JSON.parse((await ran(["sessions", "archive", "--dry-run", "--json"], { archived: report })).out)).toEqual({
      schema_version: 1,
      dry_run: true,
      archived: [{ task_id: "0123456789ab", bytes: 4096 }],
      stayed: [{ task_id: "fedcba987654", why: "it is in use" }],
      younger: 1,
    });
  });
  test.each([
    ["move", 'action: "move" is not one of archive'],
    ["--dry-run", "--dry-run needs the action archive"],
    ["--older-than=3", "--older-than needs the action archive"],
  ])("%p is refused", async (word, said) => {
    expect(await ran(["sessions", word])).toMatchObject({ code: 2, err: expect.stringContaining(said) });
    expect(seen.archived).toEqual([]);
  });
});

test("explain has a column for a model's verdicts if a model judged", async () => {
  const judged = { class: "relevant", included: true, reason: "judged relevant" };
  expect((await ran(["explain", "0123456789ab"], { judged })).out).toContain(
    "rank  in   tier  judged    score   tokens  path  why\n   1  yes  seed  relevant  0.5000      40  a.ts  named\n",
  );
});
