/** `cra evaluate` on cases from a file and on the repository's own history. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CURVE_POINTS } from "../../src/evaluation/curve-points.ts";
import { readResults } from "../../src/evaluation/report/document.ts";
import { binary } from "../support/binary.ts";
import { listing, type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { type TempRepo, tempRepo } from "../support/repo.ts";
import { runCra, startCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";

const FUNCTIONS = ["parse_header", "open_session", "render_page"] as const;
const source = (name: string, body: string): string => `def ${name}(value):\n    ${body}\n    return value\n`;

/** Three commits after the first one, each of which changes one function and says which. */
function history(): { readonly repo: TempRepo; readonly parents: readonly string[]; readonly head: string } {
  const files = Object.fromEntries(FUNCTIONS.map((name) => [`src/${name}.py`, source(name, "pass")]));
  const repo = tempRepo({ ...files, "src/util.py": source("unrelated", "pass") }, { git: true });
  const parents = FUNCTIONS.map((name) => {
    const parent = repo.git("rev-parse", "HEAD").trim();
    repo.write({ [`src/${name}.py`]: source(name, `value = "${name} was wrong"`) });
    repo.commit(`Fix what ${name} does with empty values`);
    return parent;
  });
  return { repo, parents, head: repo.git("rev-parse", "HEAD").trim() };
}

let made: ReturnType<typeof history>;
let work: TempFolder;
let home: TempFolder;

beforeAll(async () => {
  await binary();
  made = history();
  work = tempFolder();
  home = tempFolder();
}, HANG_MS);
afterAll(() => {
  made.repo[Symbol.dispose]();
  work[Symbol.dispose]();
  home[Symbol.dispose]();
});

const caseOf = (at: number, change: object = {}) => ({
  id: `../${FUNCTIONS[at]}`,
  repo: "own/er",
  base_commit: made.parents[at],
  base_date: `2024-01-01T0${at}:00:00Z`,
  task: `${FUNCTIONS[at]} does the wrong thing with empty values`,
  expected_files: [`src/${FUNCTIONS[at]}.py`],
  expected_symbols: [FUNCTIONS[at]],
  ...change,
});

function casesFile(cases: readonly object[], name = "cases.jsonl"): string {
  const path = join(work.path, name);
  writeFileSync(path, cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}

const cra = (args: readonly string[], cwd = work.path) => runCra(args, { cwd, home: home.path });
/** The same in this process, which evaluates anew: only a build knows that an answer is its own. */
const here = (args: readonly string[], cwd = work.path) => runHere(args, { cwd, home: home.path });

test(
  "cases of a file, the source untouched, and taken up again without it",
  async () => {
    using repos = tempFolder();
    const mirror = join(repos.path, "own+er");
    made.repo.git("clone", "--quiet", "--bare", made.repo.path, join(mirror, "repo"));
    const before = listing(mirror);
    const cases = casesFile([caseOf(0), caseOf(1), caseOf(2)]);
    const words = ["evaluate", "--cases", cases, "--repos", repos.path, "--work", join(work.path, "w"), "--json"];
    const first = await cra([...words, "--keep-indexes"]);
    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    const results = readResults(first.stdout, "stdout");
    expect(results.map(({ id }) => id)).toEqual(FUNCTIONS.map((name) => `../${name}`));
    for (const { metrics } of results) {
      expect(metrics.fileRanks).toEqual([1]);
      expect(metrics.scores).toMatchObject({ "acc@1": 1, mrr: 1, "symbol_all@5": 1, "symbol_recall@4k": 1 });
    }
    expect(listing(mirror)).toEqual(before);

    // Nothing of the source is needed any more: answers are stored, and for other weights there are the indexes.
    rmSync(mirror, { recursive: true });
    const again = await cra(words);
    expect([again.exitCode, again.stdout]).toEqual([0, first.stdout]);
    const otherwise = await here([...words, "--weights", "mention=0", "--compare", casesFile([], "empty")]);
    expect(otherwise.exitCode).toBe(2);
    writeFileSync(join(work.path, "before.json"), first.stdout);
    const compared = await here([...words, "--weights", "mention=0", "--compare", join(work.path, "before.json")]);
    expect([compared.exitCode, JSON.parse(compared.stdout).comparison.common]).toEqual([0, 3]);
    // Without stored answers and indexes it is, but for the commit that the clone stands at.
    const fresh = await cra([...words, "--fresh"]);
    expect(JSON.parse(fresh.stdout).failed.map(({ id }: { id: string }) => id)).toEqual([
      "../open_session",
      "../parse_header",
    ]);
    expect(fresh.stderr).toContain("there is no git repository");
    const none = await here([...words, "--fresh", "--filter", "id=parse"]);
    expect([none.exitCode, JSON.parse(none.stdout).error.code]).toEqual([74, "io"]);
  },
  HANG_MS,
);

test("answers of a repository that was never indexed, apart from those of an index", async () => {
  const folder = join(work.path, "never");
  const words = ["evaluate", "--cases", casesFile([caseOf(0), caseOf(2)], "never.jsonl"), "--repo", made.repo.path];
  const run = await here([...words, "--work", folder, "--provisional", "--json"]);
  expect([run.exitCode, run.stderr]).toEqual([0, ""]);
  const results = readResults(run.stdout, "stdout");
  expect(results.map(({ metrics }) => metrics.scores)).toMatchObject([
    { "acc@1": 1, "symbol_recall@4k": 1 },
    { "acc@1": 1, "symbol_recall@4k": 1 },
  ]);
  const [group = ""] = readdirSync(folder);
  expect(readdirSync(join(folder, group, "data"))).not.toContain("curated.sqlite");
  const indexed = await here([...words, "--work", folder, "--json"]);
  expect(indexed.exitCode).toBe(0);
  expect(readdirSync(join(folder, group, "data"))).toContain("curated.sqlite");
});

test(
  "what a package takes, of which tiers, whether tests are in it, and how exact tasks compare",
  async () => {
    const test = "from src.cart import round_total\n\ndef test_round_total():\n    assert round_total(3) == 3\n";
    const files = { "src/cart.py": source("round_total", "pass"), "tests/test_cart.py": test };
    using repo = tempRepo(files, { git: true });
    const asked = (level: number, task: string) => ({
      id: `${level}`,
      base_commit: repo.git("rev-parse", "HEAD").trim(),
      task,
      expected_files: ["src/cart.py"],
      expected_test_files: ["tests/test_cart.py"],
      expected_symbols: ["round_total"],
      exactness: { group: "round_total", level },
    });
    const cases = casesFile([asked(1, "fix round_total"), asked(2, "fix round_total in src/cart.py")], "exact.jsonl");
    const words = ["evaluate", "--cases", cases, "--repo", repo.path, "--work", join(work.path, "exact")];
    const run = await here([...words, "--json"]);
    expect([run.exitCode, run.stderr]).toEqual([0, ""]);
    const { summary } = JSON.parse(run.stdout);
    expect(summary.exactness).toMatchObject({ groups: 1, shares: { in_full: { mean: 1, n: 1 } } });
    expect(summary.exactness.levels.map(({ level }: { level: number }) => level)).toEqual([1, 2]);
    for (const { metrics } of readResults(run.stdout, "stdout")) {
      const { scores, amounts } = metrics;
      expect(scores).toMatchObject({ test_any: 1, "test_recall@4k": 1, file_precision: 0.5, file_precision_tests: 1 });
      expect(scores.primary_share).toBeGreaterThan(0);
      expect(scores.tests_share).toBeGreaterThan(0);
      expect([amounts["tokens@4k"], amounts["tokens@32k"]]).toEqual([amounts.tokens, amounts.tokens]);
      // The level that was configured gives the same package; a filled budget shows no less.
      expect(amounts["tokens@coverage-auto"]).toBe(amounts.tokens);
      expect(amounts["tokens@fixed-32k"]).toBeGreaterThanOrEqual(amounts.tokens ?? 0);
      expect(scores).toMatchObject({ "symbol_recall@fixed-2k": 1, "test_recall@coverage-auto": 1 });
    }
    expect(summary.curve.map(({ label }: { label: string }) => label)).toEqual(CURVE_POINTS.map(({ label }) => label));
    expect((await here(words)).stdout).toContain("\nMore exact tasks, 1 group\n");
  },
  HANG_MS,
);

test(
  "what a case must not know is nowhere in its clone",
  async () => {
    const folder = join(work.path, "future");
    const cases = casesFile([caseOf(0)]);
    const run = await here(["evaluate", "--cases", cases, "--repo", made.repo.path, "--work", folder, "--json"]);
    expect([run.exitCode, run.stderr]).toEqual([0, ""]);
    const [group = ""] = readdirSync(folder);
    const clone = join(folder, group, "clone");
    const git = (...words: readonly string[]) => Bun.spawnSync(["git", ...words], { cwd: clone }).stdout.toString();
    expect(git("cat-file", "--batch-all-objects", "--batch-check")).toContain(made.parents[0] ?? "none");
    expect(git("cat-file", "--batch-all-objects", "--batch-check")).not.toContain(made.parents[1] ?? "");
    expect(git("show-ref")).toBe("");
    expect(existsSync(join(made.repo.path, ".cra"))).toBe(false);
  },
  HANG_MS,
);

test(
  "the repository's own history, in text, with each signal left out",
  async () => {
    const words = ["evaluate", "--from-git", "--work", join(work.path, "mined"), "--limit", "1"];
    const run = await cra([...words, "--ablate"], made.repo.path);
    expect([run.exitCode, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toStartWith("Ranking of files, 1 case\n");
    expect(run.stdout).toMatch(/\ndefinition_match +[+-]?\d/);
    expect(run.stdout).toMatch(/\nEach case, at the configured budget\n.*\n[0-9a-f]+ +100\.0 .*\d\n/);
    expect(made.repo.git("status", "--porcelain", "--ignored")).toBe("");
    const missed = await cra([...words, "--gate", "acc@1=0.1,budget_use=0.9", "-q"], made.repo.path);
    expect([missed.exitCode, missed.stderr]).toEqual([1, ""]);
    const named = await cra([...words, "--gate", "acc@1=0.1,budget_use=0.9"], made.repo.path);
    expect(named.stderr).toMatch(/^cra: budget_use is 0\.\d+, the gate is 0.9 \(1 case\)\n$/);
    const events = await cra([...words, "--gate", "budget_use=0.9", "--events", "jsonl"], made.repo.path);
    expect([events.exitCode, events.stderr]).toEqual([1, named.stderr]);
    const ids = events.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    const older = await cra(
      ["evaluate", "--from-git", "--work", join(work.path, "mined"), "--events", "jsonl", "-q"],
      made.repo.path,
    );
    const other = older.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id)
      .find((id) => !ids.includes(id));
    const filtered = await cra([...words, "--filter", `id=${other}`, "--events", "jsonl"], made.repo.path);
    expect(filtered.stdout).toContain(`"id":"${other}"`);
  },
  HANG_MS,
);

test(
  "a case that cannot be run is named, and the others go on, in several processes too",
  async () => {
    using other = tempRepo({ "src/b.py": source("b", "pass") }, { git: true });
    using repos = tempFolder();
    renameSync(join(other.path), join(repos.path, "b"));
    made.repo.git("clone", "--quiet", "--bare", made.repo.path, join(repos.path, "own+er"));
    const cases = casesFile([
      caseOf(0),
      caseOf(1, { base_commit: "0".repeat(40) }),
      caseOf(2, { id: "third", repo: "b", base_commit: null, expected_files: ["src/b.py"], expected_symbols: [] }),
      caseOf(2, { id: "fourth", repo: "not/there" }),
    ]);
    const words = ["evaluate", "--cases", cases, "--repos", repos.path, "--work", join(work.path, "several"), "--json"];
    const run = await cra([...words, "--jobs", "2", "--allow-secrets"]);
    expect(run.exitCode).toBe(0);
    expect(readResults(run.stdout, "stdout").map(({ id }) => id)).toEqual(["../parse_header", "third"]);
    expect(JSON.parse(run.stdout).failed.map(({ id }: { id: string }) => id)).toEqual(["../open_session", "fourth"]);
    expect(run.stderr).toContain("cra: note: ../open_session: ");
    const alone = await cra([...words, "--gate", "acc@1=0"]);
    expect([alone.exitCode, alone.stderr]).toEqual([1, expect.stringContaining("2 of 4 cases could not be run")]);
    const scores = (text: string) => readResults(text, "stdout").map(({ metrics }) => metrics.scores);
    expect(scores(alone.stdout)).toEqual(scores(run.stdout));
  },
  HANG_MS,
);

test(
  "expected symbols that are not in the expected files are named",
  async () => {
    const note = async (expected_symbols: readonly unknown[], change: object = {}) => {
      const cases = casesFile([caseOf(0, { expected_symbols, base_commit: null, ...change })], "symbols.jsonl");
      const run = await here(["evaluate", "--cases", cases, "--repo", made.repo.path, "--fresh", "--json"]);
      return [run.exitCode, run.stderr];
    };
    const said = "of 3 expected symbols are not defined in the expected files: unrelated";
    expect(await note(["parse_header", "unrelated", "nowhere"])).toEqual([
      0,
      `cra: note: ../parse_header: 2 ${said}\n`,
    ]);
    expect(await note(["parse_header", { path: "src/util.py", name: "unrelated", qualified: "unrelated" }])).toEqual([
      0,
      "",
    ]);
    const moved = await note(["parse_header"], { expected_files: ["src/gone.py"] });
    expect(moved).toEqual([0, "cra: note: ../parse_header: 1 of 1 expected files are not in the index: src/gone.py\n"]);
  },
  HANG_MS,
);

test(
  "Ctrl-C ends it, and what was finished stays",
  async () => {
    const cases = casesFile([caseOf(0), caseOf(1), caseOf(2)]);
    const folder = join(work.path, "stopped");
    const words = ["evaluate", "--cases", cases, "--repo", made.repo.path, "--work", folder, "--events", "jsonl"];
    await using running = await startCra(words, { cwd: work.path, home: home.path });
    const first = await running.next();
    expect(JSON.parse(first.split("\n")[0] ?? "")).toMatchObject({ event: "answered", id: "../parse_header" });
    running.kill("SIGINT");
    expect((await running.ended).exitCode).toBe(130);
    const again = await cra([...words, "--filter", "id=parse"]);
    expect(again.stdout.split("\n")[0]).toBe(first.split("\n")[0] ?? "");
  },
  HANG_MS,
);

test(
  "a signal leaves no list of cases for other processes behind",
  async () => {
    using repos = tempFolder();
    for (const name of ["a", "b"]) made.repo.git("clone", "--quiet", "--bare", made.repo.path, join(repos.path, name));
    const cases = casesFile(
      [0, 1, 2].flatMap((at) => ["a", "b"].map((repo) => caseOf(at, { id: `${repo}${at}`, repo }))),
    );
    const folder = join(work.path, "ended");
    const words = ["evaluate", "--cases", cases, "--repos", repos.path, "--work", folder, "--jobs", "2"];
    await using running = await startCra([...words, "--events", "jsonl"], { cwd: work.path, home: home.path });
    await running.next();
    running.kill("SIGTERM");
    expect((await running.ended).exitCode).toBe(143);
    expect(listing(folder).filter((path) => path.includes("cases-"))).toEqual([]);
  },
  HANG_MS,
);

test.each([
  [["evaluate"], "there are no cases to evaluate; name a file with --cases"],
  [["evaluate", "--cases", "nowhere.jsonl"], "there is no file"],
  [["evaluate", "--cases", "cases.jsonl", "--from-git"], "--cases"],
  [["evaluate", "--cases", "cases.jsonl", "--filter", "x"], "is not field=text; fields are id, repo"],
  [["evaluate", "--cases", "cases.jsonl", "--filter", "id=nowhere"], "none of the 1 cases matches id=nowhere"],
  [["evaluate", "--cases", "cases.jsonl", "--gate", "recal=1"], "--gate"],
  [["evaluate", "--cases", "cases.jsonl"], "nothing says where the repository of the case"],
  [["evaluate", "--cases", "cases.jsonl", "--repo", "nowhere"], "there is no such folder"],
  [["evaluate", "--cases", "cases.jsonl", "--repo", ".", "--ablate", "--weights", "classic"], "--ablate"],
])("refused: %j", async (words, message) => {
  casesFile([caseOf(0)]);
  const run = await runHere(words, { cwd: work.path, home: home.path });
  expect([run.exitCode, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain(message);
});

test("a work folder that cannot be made is no bug", async () => {
  casesFile([caseOf(0)]);
  const words = ["evaluate", "--cases", "cases.jsonl", "--repo", made.repo.path, "--work", "cases.jsonl/inside"];
  expect(await runHere(words, { cwd: work.path, home: home.path })).toMatchObject({
    exitCode: 74,
    stdout: "",
    stderr: expect.stringContaining("a part of the path is not a folder; name another folder with --work"),
  });
});
