/** `cra refine` from arguments to output, on the stub app. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Changes } from "../../../src/retrieval/model/changes.ts";
import { ran, seen, watch } from "../stub-app.ts";

watch();

const refine = (...words: readonly string[]) => ran(["refine", "0123", ...words]);
const request = () => seen.refinements[0]?.request;

test("options and a file or standard input make one request", async () => {
  const file = join(seen.folder, "request.json");
  writeFileSync(file, '\ufeff{"reason": "because", "missing_symbols": ["A"], "accepted_files": ["./a.ts"]}');
  await refine(
    "--request",
    "request.json",
    "--missing-symbol",
    "B",
    "--accept",
    "b.ts",
    "--budget",
    "900",
    "--no-refresh",
  );
  expect(seen.refinements[0]).toMatchObject({
    taskId: "0123",
    budget: 900,
    refresh: false,
    request: { reason: "because", missing_symbols: ["A", "B"], accepted_files: ["a.ts", "b.ts"] },
  });
  seen.refinements = [];
  await ran(["refine", "0123", "--request", "-", "--reason", "newer"], {}, { text: '{"reason": "because"}' });
  expect(request()).toEqual({ reason: "newer" });
});

test("a coverage is a request of its own, checked as that of retrieve is", async () => {
  await refine("--coverage", "0.9");
  await refine("--accept", "a.ts");
  expect(seen.refinements.map(({ coverage }) => coverage)).toEqual([0.9, null]);
  for (const words of [
    ["refine", "0123"],
    ["retrieve", "x"],
  ])
    expect(await ran([...words, "--coverage", "2"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("auto, or a share from 0.05 to 1"),
    });
});

test("what is new is printed in place of the package where there is less of it, and only as Markdown", async () => {
  const news = { markdown: "# what is new\n", tokens: 4, since: 1 };
  const words = ["refine", "0123", "--accept", "a.ts", "--only-new"];
  const { out, err } = await ran(words, { news });
  expect(out).toBe("# what is new\n");
  expect(err).toContain("\ncra: printed what is new since round 1: 4 tokens\n");
  expect((await ran(words)).out).toBe("# the package again\n");
  expect(await ran([...words, "--format", "json"], { news })).toMatchObject({
    code: 2,
    err: expect.stringContaining("--only-new prints Markdown, and the format is json"),
  });
});

test("a pasted trace is one error per line", async () => {
  await refine("--error", "Traceback:\r\n\tat x\n\n", "--error", "boom");
  expect(request()).toEqual({ error_signatures: ["Traceback:", " at x", "boom"] });
});

test("constraints of retrieve are checked in the same way", async () => {
  await ran(["retrieve", "x", "--accept", "b.ts", "--accept", "a.ts", "--missing-test", "t"]);
  expect(seen.requests[0]?.constraints).toMatchObject({ accepted_files: ["a.ts", "b.ts"], missing_tests: ["t"] });
  expect(await ran(["retrieve", "x", "--accept", "a", "--reject", "a"])).toMatchObject({
    code: 2,
    err: 'cra: "a" is in --accept and in --reject\n',
  });
});

test("symbols are path:name, with a path relative to the current folder", async () => {
  await refine(
    "--body",
    "./a//b.py:C.d",
    "--body",
    "a/b.py:x",
    "--signature",
    "a.md:What: is it?",
    "--leave-out",
    "r.rs:A::b",
  );
  expect(request()).toEqual({
    as_body: ["a/b.py:C.d", "a/b.py:x"],
    as_signature: ["a.md:What: is it?"],
    left_out: ["r.rs:A::b"],
  });
});

test("errors are reported before any work, with the field", async () => {
  mkdirSync(join(seen.folder, "folder"), { recursive: true });
  writeFileSync(join(seen.folder, "large.json"), " ".repeat(16 * 1024 * 1024 + 1));
  writeFileSync(join(seen.folder, "deep.json"), "[".repeat(1_000_000));
  writeFileSync(join(seen.folder, "wrong.json"), '{"missing_files": ["../a"]}');
  const wrong = [
    [["--request", "none.json"], /there is no file none\.json/],
    [["--request", "folder"], /is not a regular file/],
    [["--request", "large.json"], /is larger than/],
    [["--request", "deep.json"], /deep\.json is not JSON/],
    [["--request", "wrong.json"], /wrong\.json: missing_files\[0\]: "\.\.\/a" is not a path inside/],
    [["--accept", "../../../../../../../../../etc/passwd"], /--accept: .* is not a path inside the repository/],
    [["--reject", "a", "--missing-file", "a"], /"a" is in --missing-file and in --reject/],
    [["--body", "no-colon"], /--body: "no-colon" is not a path:name inside the repository/],
    [["--signature", "a.py:"], /--signature: "a\.py:" is not a path:name inside/],
    [["--leave-out", "../a.py:b"], /--leave-out: "\.\.\/a\.py:b" is not a path:name inside/],
    [["--body", "a:b", "--leave-out", "./a:b"], /"a:b" is in --body and in --leave-out/],
    [["--error", `${"x".repeat(1_001)}`], /--error is longer than 1000 characters/],
    [["--budget", "0"], /--budget: "0" is not a whole number/],
  ] as const;
  for (const [words, message] of wrong) {
    const { code, err, out } = await refine(...words);
    expect([words.join(" ").slice(0, 60), code, out]).toEqual([words.join(" ").slice(0, 60), 2, ""]);
    expect(err).toMatch(message);
    expect(err.split("\n")).toHaveLength(2);
  }
  expect(seen.refinements).toEqual([]);
});

const CHANGES: Changes = {
  since_round: 1,
  added: [
    { path: "a\x1b.ts", item: null, detail: "body", before: "none" },
    ...["f", "g", "h", "i", "j"].map((item) => ({ path: "a\x1b.ts", item, detail: "body", before: "none" }) as const),
    ...Array.from({ length: 9 }, (_, at) => ({ path: `n${at}`, item: null, detail: "body", before: "none" }) as const),
  ],
  dropped: [],
  promoted: [],
  demoted: [{ path: "d.ts", item: "f", detail: "signature", before: "body" }],
  left_out: 0,
};

test("the package goes to stdout; changes and the equivalent command go to stderr, escaped", async () => {
  const reproduction = { words: ["--accept", "it's.ts", "--reject=-r", "--", "-x"], unsupported: ["template"] };
  const { out, err, code } = await ran(["refine", "0123", "--repo", "b c", "--reject", "z"], {
    changes: CHANGES,
    reproduction,
  });
  expect([code, out]).toEqual([0, "# the package again\n"]);
  expect(err.split("\n")).toEqual([
    "cra: round 2, compared with round 1",
    "  added: a\\x1b.ts (f, g, h, i, 1 more), n0, n1, n2, n3, n4, n5, n6, and 2 more files",
    "  demoted: d.ts (f)",
    "cra: 1 file, 0 symbols, 93 of 100 tokens; why: cra explain 0123456789ab --repo 'b c'",
    "cra: the same in one command (except template): cra retrieve --repo 'b c' --accept 'it'\\''s.ts' '--reject=-r' -- -x",
    "",
  ]);
  expect((await ran(["refine", "0123", "--reject", "z"])).err).toStartWith(
    "cra: round 2: no earlier round to compare with\n",
  );
  expect((await refine("--reject", "z", "-q")).err).toBe("");
  const long = { words: ["--accept", "a".repeat(8_000), "x"], unsupported: [] };
  const { err: short } = await ran(["refine", "0123", "--reject", "z"], { reproduction: long });
  expect(short).toEndWith("\ncra: the command for the same package is too long for one line\n");
  const piped = await ran(["refine", "0123", "--reject", "z"], { reproduction: { words: ["-"], unsupported: [] } });
  expect(piped.err).toEndWith("\ncra: the same in one command: cra retrieve - < TASK\n");
});

test("a round says that it is the same as the one before only if the texts of that one are known", async () => {
  const none: Changes = { since_round: 1, added: [], dropped: [], promoted: [], demoted: [], left_out: 0 };
  const first = async (changes: Changes) => (await ran(["refine", "0123", "--reject", "z"], { changes })).err;
  expect(await first({ ...none, edited: [] })).toStartWith("cra: round 2, the same as round 1\n");
  expect(await first(none)).toStartWith("cra: round 2, the same parts as in round 1\n");
  const edited = [{ path: "d.ts", item: "f", detail: "body", before: "body" } as const];
  expect(await first({ ...none, edited })).toStartWith("cra: round 2, compared with round 1\n  edited: d.ts (f)\n");
});

test("--strict requires a model that answers and inputs that can be read", async () => {
  await refine("--reject", "z");
  const { code, out, err } = await ran(["refine", "0123", "--reject", "z", "--strict"], { inputsSkipped: 2 });
  expect(seen.refinements.map(({ strict }) => strict)).toEqual([false, true]);
  expect([code, out]).toEqual([3, "# the package again\n"]);
  expect(err).toContain("2 inputs were skipped, which --strict does not allow");
  expect((await ran(["refine", "0123", "--reject", "z"], { inputsSkipped: 2 })).code).toBe(0);
});

test("events and formats work as in retrieve", async () => {
  const { out } = await refine("--reject", "z", "--events", "jsonl");
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event),
  ).toEqual(["stage_started", "package"]);
  const refused = await refine("--reject", "z", "--json", "--format", "prompt");
  expect([refused.code, refused.err]).toEqual([
    2,
    "cra: --json and --format prompt exclude each other; give one of them\n",
  ]);
});
