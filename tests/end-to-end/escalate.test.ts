/** Bounded deep retrieval with the compiled binary: its output, that it writes nothing, and hostile files. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EscalationDecision, RetrievalBundle } from "../../src/escalation/escalation-schema.ts";
import { binary } from "../support/binary.ts";
import { listing, tempFolder } from "../support/folder.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra, runShell } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";
import { STAND_IN_MODEL, startOllama } from "../support/stand-in-ollama.ts";

const VAGUE = '{"error_message": "Error", "root_cause": "Unknown timeout"}';
const CLEAR = JSON.stringify({
  error_message: "FileNotFoundError: config.yaml not found in /path",
  root_cause: "Missing configuration file config.yaml in expected directory",
});

const repo = shared(
  tempRepo(
    {
      "docs/error_handling.md": "# Errors\n\nA timeout is an error; see timeout.\n",
      "docs/.env": "timeout=timeout\n",
      "src/app.py": "def app():\n    raise TimeoutError\n",
      "elsewhere/more.md": "timeout ".repeat(50),
      ".gitignore": "build/\n",
      "docs/build/made.md": "timeout ".repeat(50),
    },
    { git: true },
  ),
);
const run = shared(tempFolder());
writeFileSync(join(run.path, "phase_001_attempt_1.log"), "ERROR: First failure\nFAILED to complete\n");
writeFileSync(join(run.path, "old.log"), "old\n");
utimesSync(join(run.path, "old.log"), 1_000_000_000, 1_000_000_000);
await binary();

const escalated = (stdin: string | Uint8Array, ...words: readonly string[]) =>
  runHere(["escalate", "--handoff", "-", "--run-dir", run.path, "--phase", "phase_001", ...words], {
    cwd: repo.path,
    stdin,
  });
async function bundleOf(...given: Parameters<typeof escalated>): Promise<RetrievalBundle> {
  const { stdout, exitCode } = await escalated(given[0], "--json", ...given.slice(1).map(String));
  expect(exitCode).toBe(0);
  return RetrievalBundle.parse(JSON.parse(stdout));
}

test("retrieves from the run and the repository if the handoff says too little", async () => {
  const bundle = await bundleOf(VAGUE, "--attempt", "2");
  expect(bundle).toMatchObject({
    phase_id: "phase_001",
    priority: "high",
    run_artifacts: [
      {
        path: "phase_001_attempt_1.log",
        content: "ERROR: First failure\nFAILED to complete\n",
        size: 40,
        within_24h: true,
      },
      { path: "old.log", modified: "2001-09-09T01:46:40Z", within_24h: false },
    ],
    sot_files: [
      { path: "docs/error_handling.md", relevance_score: 4 },
      { path: "src/app.py", relevance_score: 2 },
    ],
    memory_entries: [],
    stats: { run_artifacts_count: 2, run_artifacts_size: 44, sot_files_count: 2, memory_entries_size: 0 },
    warnings: [],
  });
  expect(bundle.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect((await escalated(VAGUE)).stdout).toContain("\nrun artifact phase_001_attempt_1.log, 40 B, ");
});

test("explains why it does not retrieve when the context suffices; --check only decides, --force retrieves", async () => {
  const decided = async (...given: Parameters<typeof escalated>) => {
    const { stdout, exitCode } = await escalated(given[0], "--json", ...given.slice(1).map(String));
    return { exitCode, ...EscalationDecision.parse(JSON.parse(stdout)) };
  };
  expect(await decided(CLEAR)).toMatchObject({ exitCode: 0, escalate: false, priority: "low" });
  expect(await decided(VAGUE, "--check")).toMatchObject({ exitCode: 0, escalate: true, priority: "high" });
  expect(await bundleOf(CLEAR, "--force")).toMatchObject({ escalate: true, forced: true, priority: "low" });
  for (const empty of ["{}", "null"]) expect(await bundleOf(empty)).toMatchObject({ priority: "high" });
});

test("an embedding model that fails is asked once, and said to fail once", async () => {
  await using server = await startOllama({
    reply: () => "",
    embed: () => ({ kind: "error", status: 500, error: "no" }),
  });
  using kept = tempFolder();
  const text = "A timeout is caused by the proxy";
  expect(await runHere(["remember", text, "--data-dir", kept.path], { cwd: repo.path })).toMatchObject({ exitCode: 0 });
  const words = ["--attempt", "2", "--json", "--data-dir", kept.path, "--base-url", server.url];
  const { stdout } = await escalated(VAGUE, ...words, "--embedding-model", STAND_IN_MODEL);
  const bundle = RetrievalBundle.parse(JSON.parse(stdout));
  expect(bundle.warnings).toEqual([expect.stringMatching(/^ranking by meaning was left out: .*refused to run/)]);
  expect(server.embeddings()).toHaveLength(1);
});

test("document folders come from options or the repository's settings, and are inside the repository", async () => {
  const found = async (...words: readonly string[]) =>
    (await bundleOf(VAGUE, ...words)).sot_files.map(({ path }) => path);
  expect(await found("--docs", "elsewhere")).toEqual(["elsewhere/more.md"]);
  expect(await found("--docs", "src/app.py", "--docs", "elsewhere/")).toEqual(["elsewhere/more.md", "src/app.py"]);
  using other = tempRepo({ ".cra.toml": '[escalate]\ndocs = ["notes"]\n', "notes/a.md": "timeout" });
  const at = ["escalate", "--handoff", "-", "--run-dir", run.path, "--phase", "p", "--json"];
  const own = await runHere(at, { cwd: other.path, stdin: VAGUE });
  expect(RetrievalBundle.parse(JSON.parse(own.stdout)).sot_files).toMatchObject([{ path: "notes/a.md" }]);
  for (const folder of ["../x", "/etc", "a/../../b", "a\\\\..", "a\\u0000b"]) {
    other.write({ ".cra.toml": `[escalate]\ndocs = ["${folder}"]\n` });
    const refused = await runHere(at, { cwd: other.path, stdin: VAGUE });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"escalate.docs"') });
  }
});

describe("read-only", () => {
  const words = () =>
    `escalate --handoff - --run-dir ${run.path} --phase phase_001 --attempt 2 --json --repo ${repo.path}`;

  test("no entry is created or changed in the run's folder, the repository or the home folder", async () => {
    using home = tempFolder();
    const before = [listing(repo.path), listing(run.path), listing(home.path)];
    for (const more of [[], ["--check"], ["--force", "-v"]])
      expect(
        await runCra([...words().split(" "), ...more], { cwd: run.path, home: home.path, stdin: VAGUE }),
      ).toMatchObject({ exitCode: 0, stderr: "" });
    expect([listing(repo.path), listing(run.path), listing(home.path)]).toEqual(before);
  });

  test.skipIf(Bun.which("strace") === null)("no file is opened for writing, created, renamed or removed", async () => {
    using folder = tempFolder();
    const trace = join(folder.path, "trace");
    const calls =
      "openat,open,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmod,fchmodat,utimensat,mknod,mknodat";
    const { exitCode, stdout } = await runShell(
      `echo '${VAGUE}' | strace -f -qq -e trace=${calls} -o ${trace} "$CRA" ${words()}`,
      { cwd: folder.path },
    );
    expect([exitCode, RetrievalBundle.parse(JSON.parse(stdout)).stats.sot_files_count]).toEqual([0, 2]);
    const lines = readFileSync(trace, "utf8")
      .split("\n")
      .filter((line) => /^\d+ +\w+\(/.test(line));
    expect(lines.some((line) => line.includes("docs/error_handling.md"))).toBe(true);
    const writing = lines.filter(
      (line) => !/^\d+ +open(at2?)?\(.*O_RDONLY/.test(line) || /O_CREAT|O_TRUNC|O_APPEND/.test(line),
    );
    expect(writing).toEqual([]);
    // What it reads of the repository and the run is inside of the folders it may read.
    const opened = lines.flatMap((line) => /"([^"]*)"/.exec(line)?.[1] ?? []);
    expect(opened.filter((path) => /\.env$|elsewhere\/|docs\/build/.test(path))).toEqual([]);
  });

  const canMount = Bun.spawnSync(["unshare", "-rm", "true"]).success;
  test.skipIf(Bun.which("unshare") === null || !canMount)("works on a read-only file system", async () => {
    const mounts = [repo.path, run.path].map(
      (path) => `mount --bind ${path} ${path} && mount -o remount,bind,ro ${path}`,
    );
    const script = `${mounts.join(" && ")} && ! touch ${repo.path}/x 2>/dev/null && "$CRA" ${words()}`;
    const { exitCode, stdout, stderr } = await runShell(`echo '${VAGUE}' | unshare -rm bash -c '${script}'`, {
      cwd: "/",
    });
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(RetrievalBundle.parse(JSON.parse(stdout)).stats).toMatchObject({
      run_artifacts_count: 2,
      sot_files_count: 2,
    });
  });
});

describe("hostile", () => {
  test.each([
    ["an array", "[]"],
    ["a number for a message", '{"error_message": 7}'],
    ["a prototype key", '{"__proto__": {"error_message": "x"}}'],
    ["a NUL", '{"error_message": "a\\u0000b"}'],
    ["deep nesting", '{"root_cause": '.concat("[".repeat(200_000), "]".repeat(200_000), "}")],
  ])("a bundle that is %s is refused in one line with exit code 2", async (_, text) => {
    const { exitCode, stdout, stderr } = await escalated(text);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^cra: [^\n]*handoff[^\n]*\n$/);
  });
  test("a bundle of 100 MB is not read completely", async () => {
    const { exitCode, stderr } = await runShell(
      `head -c 100000000 /dev/zero | tr '\\0' ' ' > big.json; "$CRA" escalate --handoff big.json --run-dir . --phase p; code=$?; head -c 100000000 big.json | "$CRA" escalate --handoff - --run-dir . --phase p; exit $code`,
      { cwd: run.path },
    );
    expect([exitCode, stderr.match(/larger than 1048576 bytes/g)?.length]).toEqual([2, 2]);
    await runShell("rm big.json", { cwd: run.path });
  });
  test.each([
    ["--phase", "../phase"],
    ["--phase", "a\nb"],
    ["--run-dir", "nowhere"],
    ["--run-dir", "docs/error_handling.md"],
  ])("%s %p is refused", async (flag, value) => {
    const { exitCode, stdout, stderr } = await escalated(VAGUE, flag, value);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^cra: --(phase|run-dir): [^\n]+; [^\n]+\n$/);
  });
  test("links, pipes and devices in both folders are not opened, and names are escaped", async () => {
    using bad = tempFolder();
    using outside = tempFolder();
    writeFileSync(join(outside.path, "phase_001_attempt_1.log"), "FAILED secret\n");
    mkdirSync(join(bad.path, "logs"));
    symlinkSync(outside.path, join(bad.path, "logs/out"));
    symlinkSync(join(outside.path, "phase_001_attempt_1.log"), join(bad.path, "phase_001_attempt_1.log"));
    symlinkSync("/dev/zero", join(bad.path, "phase_001_attempt_2.log"));
    Bun.spawnSync(["mkfifo", join(bad.path, "phase_001_attempt_3.log")]);
    writeFileSync(join(bad.path, "phase_001_attempt_4\x1b[2J.log"), "fine\x1b]0;x\x07\n");
    writeFileSync(join(bad.path, "id_rsa"), "secret\n");
    using hostile = tempRepo({ "docs/a.md": "timeout" });
    symlinkSync(outside.path, join(hostile.path, "src"));
    Bun.spawnSync(["mkfifo", join(hostile.path, "docs/pipe.md")]);
    const words = ["escalate", "--handoff", "-", "--run-dir", bad.path, "--phase", "phase_001", "--attempt", "9"];
    const { exitCode, stdout, stderr } = await runCra(words, { cwd: hostile.path, stdin: VAGUE });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain("secret");
    expect(stdout).not.toContain("\x1b");
    expect(stdout).toMatch(/\nrepeated_failures +-: /);
    expect(stdout).toContain("\nrun artifacts          1 file, ");
    expect(stderr).toBe("cra: note: the documents: src: it is a symbolic link, which cra does not follow\n");
  });
});
