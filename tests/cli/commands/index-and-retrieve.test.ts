/** `cra index` and `cra retrieve` from arguments to output, on the stub app. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorObject } from "../../../src/cli/output/output.ts";
import { Failed } from "../../../src/failure.ts";
import { EventLine } from "../../../src/retrieval/model/events.ts";
import { ran, seen, watch } from "../stub-app.ts";

watch();

describe("index", () => {
  test("prints counts by language, skips by reason and the time", async () => {
    expect(await ran(["index"])).toEqual({
      out: `indexed /r in 1.2 s
files       3  typescript 2, python 1
changes     3 added, 0 changed, 0 removed, 0 unchanged
symbols     20
imports     4
references  9
commits     7
skipped     1  binary 1
problems    none
`,
      err: "",
      code: 0,
    });
  });
  test("lists skipped files with -v", async () => {
    expect((await ran(["index", "-v"])).err).toBe("skipped logo\\x1b[2J.png: binary\n");
  });
  test("exits 3 with --strict when a file could not be read", async () => {
    const problems = [{ path: "a.py", why: "permission denied" }];
    expect((await ran(["index"], { problems })).code).toBe(0);
    expect(await ran(["index", "--strict", "-q"], { problems })).toMatchObject({
      code: 3,
      err: "cra: 1 input was skipped, which --strict does not allow; see which with -v\n",
    });
  });
  test("counts files that could not be read, and not the history, which has a notice of its own", async () => {
    const history = { path: ".git", why: "only git can read its objects (SHA-256)" };
    expect((await ran(["index"], { problems: [history] })).err).toBe("");
    const file = { path: "a.py", why: "permission denied" };
    expect((await ran(["index"], { problems: [history, file] })).err).toBe(
      "cra: note: 1 file could not be read or parsed; see which with -v\n",
    );
  });
  test("is one JSON object", async () => {
    expect(JSON.parse((await ran(["index", "--json"])).out)).toMatchObject({
      schema_version: 1,
      counts: { files: 3 },
      languages: { python: 1 },
    });
  });
  test("accepts only one repository", async () => expect((await ran(["index", "a", "--repo", "b"])).code).toBe(2));
});

describe("retrieve", () => {
  test("prints the package to stdout and the rest to stderr", async () => {
    expect(await ran(["retrieve", "fix it"])).toEqual({
      out: "# the package\x1b[2J\n",
      err: 'cra: note: the hint "x" matches nothing\ncra: 1 file, 0 symbols, 93 of 100 tokens; why: cra explain 0123456789ab\n',
      code: 0,
    });
  });
  test("passes on the arguments, merged and checked", async () => {
    await ran([
      "retrieve",
      "fix it",
      "--context-window",
      "50",
      "--reserved-tokens",
      "8",
      "--depth",
      "2",
      "--hint-path",
      "a",
      "--hint-symbol",
      "b",
      "--include",
      "src/**",
      "--no-refresh",
      "-q",
    ]);
    expect(seen.requests[0]).toMatchObject({
      task: "fix it",
      hintPaths: ["a"],
      hintSymbols: ["b"],
      template: null,
      refresh: false,
      settings: { context_window: 50, reserved_tokens: 8, depth: 2, include: ["src/**"] },
    });
  });
  test("reads the task from standard input, with any bytes, up to a limit", async () => {
    await ran(["retrieve", "-"], {}, { text: "a long issue\n" });
    expect(seen.requests[0]?.task).toBe("a long issue\n");
    expect((await ran(["retrieve", "-"], {}, { text: "x".repeat(1024 * 1024 + 1) })).err).toBe(
      "cra: standard input is larger than 1048576 bytes\n",
    );
  });
  test.each(["", "  \n\t", "\uFEFF"])("an empty task is a usage error: %p", async (task) => {
    const { code, err, out } = await ran(["retrieve", task]);
    expect([code, out, err]).toEqual([
      2,
      "",
      'cra: the task is empty; say what to do: cra retrieve "fix the login bug"\n',
    ]);
    expect((await ran(["retrieve", "-"], {}, { text: task })).code).toBe(2);
  });
  test("enrichment is hinted at with the first run of a repository, and with no later one", async () => {
    const HINT = "cra: hint: a local model can describe what each file is for";
    expect((await ran(["retrieve", "x"], { isFirstRun: true })).err).toContain(HINT);
    expect((await ran(["retrieve", "x"])).err).not.toContain("cra: hint");
  });
  test("-v shows scores, counts and what the budget cost", async () => {
    const { err } = await ran(["retrieve", "x", "-v"]);
    expect(err).toContain("Task\ntype      bug_fix\nkeywords  parse, url\nfiles     a.ts\n");
    expect(err).toContain("cra: note: enrichment not found\n");
    expect(err).toContain("tier          items  tokens\nprimary           2      59\ntype_context      1       7\n");
    expect(err).toContain(
      "shown as   tier          tokens  path  item\nbody       primary           50  a.ts  parseUrl\n",
    );
    expect(err).toContain(
      "rank  score   tier  mention  content_match  path\n   1  0.7500  seed  0.500    0.250          a.ts\n",
    );
    expect(err).toContain("stage  tier    count\nscope  seed        1\nscope  ranked      2\n");
    expect(err).toContain("Budget: 93 of 100 tokens (o200k_base)\n");
    expect(err).toContain("evicted  supporting      30  b.ts  b\n");
  });
  test("--events jsonl prints one event a line, the package last", async () => {
    const lines = (await ran(["retrieve", "x", "--events", "jsonl"])).out
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: "stage_started" },
      { event: "notice" },
      { event: "notice" },
      { event: "stage_finished" },
      { event: "package", package: { task_id: "0123456789ab" } },
    ]);
  });
  test.each([
    [["--events", "jsonl"], new Failed({ code: "budget-below-floor", budget: 5, floor: 77, unit: "tokens" }), 2],
    [["--events=jsonl", "--json"], new Failed({ code: "locked", holder: "x" }), 11],
    [["--events", "jsonl"], new TypeError("a bug"), 70],
  ])("--events jsonl ends with what stopped the run: %j", async (flags, throws, code) => {
    const run = await ran(["retrieve", "x", ...flags], { throws });
    const line = EventLine.parse(JSON.parse(run.out));
    expect([run.code, line.event, run.out.split("\n").length]).toEqual([code, "error", 2]);
    if (code === 2) expect(line).toMatchObject({ code: "budget-below-floor", budget: 5, floor: 77, unit: "tokens" });
  });
  test.each([
    [["--json"], '"budget-below-floor"'],
    [["--format", "json"], '"budget-below-floor"'],
    [["--format=bundle"], '"budget-below-floor"'],
    [["--format", "xml"], ""],
    [["--format", "json", "-o", "out.json"], '"budget-below-floor"'],
  ])("a format that is JSON has JSON for what stopped the run: %j", async (flags, code) => {
    const throws = new Failed({ code: "budget-below-floor", budget: 5, floor: 77, unit: "tokens" });
    const { out, err } = await ran(["retrieve", "x", ...flags], { throws });
    expect(err).toContain("the smallest that works is 77");
    expect(out === "" ? "" : JSON.stringify(ErrorObject.parse(JSON.parse(out)).error.code)).toBe(code);
  });
  test("-o writes the bytes to a file, and refuses to overwrite before any work", async () => {
    const path = join(seen.folder, "out.md");
    expect(await ran(["retrieve", "x", "-o", "out.md", "-q"])).toEqual({ out: "", err: "", code: 0 });
    expect(readFileSync(path, "utf8")).toBe("# the package\x1b[2J\n");
    const again = await ran(["retrieve", "x", "-o", "out.md"]);
    expect([again.code, again.err, seen.requests.length]).toEqual([
      2,
      `cra: --output: ${path} exists; add --force to overwrite it\n`,
      1,
    ]);
    expect((await ran(["retrieve", "x", "-o", "out.md", "--force"])).code).toBe(0);
  });
  test("without an index it answers at once, and waits for one with --index", async () => {
    const none = { indexed: false };
    expect((await ran(["retrieve", "x"], none)).code).toBe(0);
    expect([seen.requests.at(-1)?.quick, seen.indexed]).toEqual([true, 0]);
    expect((await ran(["retrieve", "x", "--index"], none)).code).toBe(0);
    expect([seen.requests.at(-1)?.quick, seen.indexed]).toEqual([false, 1]);
  });
  test("with --no-quick it says that there is no index, and asks on a terminal", async () => {
    const none = { indexed: false };
    const words = ["retrieve", "x", "--no-quick"];
    expect(await ran(words, none)).toEqual({
      out: "",
      err: "cra: /r is not indexed; run: cra index --repo /r\n",
      code: 10,
    });
    const yes = await ran(words, none, { isTerminal: true, text: "y\n" });
    expect([yes.code, yes.err.includes("/r is not indexed. Index it now? [y/N] "), seen.indexed]).toEqual([0, true, 1]);
    expect(seen.requests.at(-1)?.quick).toBe(false);
    expect((await ran(words, none, { isTerminal: true, text: "\n" })).code).toBe(10);
    const silent = await ran([...words, "--no-input"], none, { isTerminal: true, text: "y\n" });
    expect([silent.code, silent.err.includes("[y/N]")]).toEqual([10, false]);
  });
  test("--json is --format json", async () => {
    await ran(["retrieve", "x", "--json"]);
    expect(seen.requests[0]?.settings.format).toBe("json");
    expect((await ran(["retrieve", "x", "--json", "--format", "prompt"])).code).toBe(2);
  });
  test("a template is read for any format", async () => {
    writeFileSync(join(seen.folder, "t.md"), "{task}!");
    await ran(["retrieve", "x", "--format", "prompt", "--template", "t.md"]);
    expect(seen.requests[0]?.template?.text).toBe("{task}!");
    await ran(["retrieve", "x", "--template", "t.md"]);
    expect(seen.requests[1]?.template?.text).toBe("{task}!");
    expect((await ran(["retrieve", "x", "--format", "prompt", "--template", "none.md"])).code).toBe(2);
  });
  test("--budget-config is a layer of settings", async () => {
    writeFileSync(join(seen.folder, "b.json"), '{"context_window": 100, "reserved_tokens": 40, "safety_margin": 0.1}');
    await ran(["retrieve", "x", "--budget-config", "b.json", "--safety-margin", "0.2"]);
    expect(seen.requests[0]?.settings).toMatchObject({ context_window: 100, reserved_tokens: 40, safety_margin: 0.2 });
  });
  test("--strict requires explicit settings, and exits 3 after the package when inputs were skipped", async () => {
    const all = ["--model", "m", "--base-url", "http://127.0.0.1:1", "--stages", "scope", "--budget", "9"];
    for (const [given, missing] of ["--model", "--base-url", "--stages", "a budget"].entries())
      expect((await ran(["retrieve", "x", "--strict", ...all.slice(0, 2 * given)])).err).toStartWith(
        `cra: --strict needs ${missing}; `,
      );
    expect(seen.requests).toEqual([]);
    const skipped = await ran(["retrieve", "x", "--strict", ...all], { inputsSkipped: 2 });
    expect(seen.requests).toMatchObject([{ strict: true }]);
    const json = await ran(["retrieve", "x", "--strict", "--json", ...all], { inputsSkipped: 2 });
    // One object is printed: the package.
    expect([json.code, json.out]).toEqual([3, skipped.out]);
    expect(json.err).toContain("cra: 2 inputs were skipped");
    expect([skipped.code, skipped.out]).toEqual([3, "# the package\x1b[2J\n"]);
  });
  test("failures have their exit code; a bug exits 70 with the stack in a file", async () => {
    const floor = new Failed({ code: "budget-below-floor", budget: 5, floor: 77, unit: "tokens" });
    expect(await ran(["retrieve", "x", "--json"], { throws: floor })).toMatchObject({
      code: 2,
      out: expect.stringContaining('"budget-below-floor"'),
    });
    const bug = await ran(["retrieve", "x"], { throws: new TypeError("no such \x1b thing") });
    expect([bug.code, bug.out]).toEqual([70, ""]);
    expect(bug.err).toMatch(
      /^cra: internal error: no such \\x1b thing \(details in .*\/cra\/log\/bug-[0-9a-f]{12}\.txt\); run again/,
    );
  });
});
