/** No path leads out of the repository, and nothing in it hangs, redirects or runs code in cra. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listing, tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

/** Loading a tokenizer takes longest where nothing is counted on. */
const ANY_TOKENS = ["--tokenizer", "approximate"] as const;
const SECRET = "d4c1f0secret";

const outside = shared(tempFolder());
mkdirSync(join(outside.path, "inner"));
for (const name of ["leak.py", "inner/leak.py"])
  writeFileSync(join(outside.path, name), `def leak():\n    return "${SECRET}"\n`);
const repo = shared(tempRepo({ "src/app.py": "def app():\n    return leak()\n" }, { git: true }));
symlinkSync(join(outside.path, "leak.py"), join(repo.path, "src/leak.py"));
symlinkSync(join(outside.path, "inner"), join(repo.path, "inner"));
symlinkSync(repo.path, join(repo.path, "loop"));
symlinkSync("nowhere.py", join(repo.path, "dangling.py"));
repo.commit("Links");
const indexing = await runCra(["index", "-v"], { cwd: repo.path });

/** Files of cra's own that hold the text. */
const holding = (root: string, text: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);

describe("links that leave the repository", () => {
  test("are counted and named, but not followed", async () => {
    expect(indexing.exitCode).toBe(0);
    for (const path of ["src/leak.py", "inner", "loop", "dangling.py"])
      expect(indexing.stderr).toContain(`skipped ${path}: `);
    expect(holding(join(repo.path, ".cra"), SECRET)).toEqual([]);
  });

  test.each(["leak", "src/leak.py", "inner/leak.py", "fix leak in loop/src/app.py"])(
    "are not read for the task %p",
    async (task) => {
      const runs = task === "src/leak.py" ? runCra : runHere;
      const run = await runs(["retrieve", task, "--json", "-q", ...ANY_TOKENS], { cwd: repo.path });
      expect(run.exitCode).toBe(0);
      expect(run.stdout).not.toContain(SECRET);
      expect(run.stdout).not.toMatch(/"path": "(src\/leak|inner\/|loop\/)/);
    },
  );

  test("are not read if they replace an indexed file", async () => {
    using changing = tempRepo({ "a.py": "def a():\n    pass\n", "b.py": "def b():\n    pass\n" });
    await indexIn(changing);
    changing.remove("b.py");
    symlinkSync(join(outside.path, "leak.py"), join(changing.path, "b.py"));
    const run = await runCra(["retrieve", "b.py leak a", "-q", ...ANY_TOKENS], { cwd: changing.path });
    expect([run.exitCode, run.stdout.includes(SECRET), run.stdout.includes("def b")]).toEqual([0, false, false]);
    expect(holding(join(changing.path, ".cra"), SECRET)).toEqual([]);
  });
});

describe("paths on the command line", () => {
  const hints = [
    "../leak.py",
    "src/../../leak.py",
    "/etc/passwd",
    "src/leak.py",
    "C:\\leak.py",
    "\\\\host\\leak.py",
    "__proto__",
    "-",
    ".",
  ];
  test("hints and globs that leave the repository match nothing", async () => {
    const flags = ["--hint-path", "--include", "--exclude"].map((flag) =>
      [...hints, join(outside.path, "leak.py")].flatMap((hint) => [flag, hint]),
    );
    for (const args of flags) {
      const run = await runHere(["retrieve", "leak", ...args, "--no-refresh", "--json", ...ANY_TOKENS], {
        cwd: repo.path,
      });
      expect(run.stdout).not.toContain(SECRET);
      // 1: no file is left to choose from.
      expect([0, 1, 2]).toContain(run.exitCode ?? -1);
    }
  });

  test.each([
    ["--budget-config", "."],
    ["--budget-config", "/dev/zero"],
    ["--budget-config", "pipe"],
    ["--budget-config", "deep.json"],
    ["--budget-config", "proto.json"],
    ["--budget-config", "none/at/all.json"],
    ["--budget-config", "src/app.py/x"],
    ["--template", "pipe"],
    ["--template", "."],
    ["--template", "src/app.py/x"],
  ])("%s %p is refused in one line", async (flag, path) => {
    using folder = tempRepo({
      "src/app.py": "x = 1\n",
      "deep.json": "[".repeat(50_000),
      "proto.json": '{"__proto__": {"context_window": 1}, "constructor": 1}',
    });
    Bun.spawnSync(["mkfifo", join(folder.path, "pipe")]);
    const args = ["retrieve", "app", "--repo", repo.path, "--format", "prompt", "--no-refresh", flag, path];
    // What could hang or exhaust the process is given to one of its own.
    const run = await (["/dev/zero", "pipe", "deep.json"].includes(path)
      ? runCra(args, { cwd: folder.path })
      : runHere(args, { cwd: folder.path }));
    expect({ ...run, lines: run.stderr.trim().split("\n").length }).toMatchObject({
      exitCode: 2,
      stdout: "",
      lines: 1,
    });
    expect(run.stderr).not.toContain("internal error");
  });

  test.each([
    ["a folder", "."],
    ["no folder", "no/out.md"],
    ["below a file", "src/app.py/out.md"],
    ["a name that is too long", "a".repeat(300)],
    ["a link to nowhere", "dangling.py"],
  ])("an output file that is %s is refused before any work", async (_, path) => {
    const run = await runHere(["retrieve", "app", "--no-refresh", "-o", path], { cwd: repo.path });
    expect(run).toMatchObject({ exitCode: 74, stdout: "", stderr: expect.stringMatching(/^cra: [^\n]*\n$/) });
  });

  test("a repository that is not a folder is refused", async () => {
    const no = "there is no such folder";
    for (const [path, why] of [
      ["no", no],
      ["src/app.py", "it is a file, not a folder"],
      ["src/app.py/x", no],
      ["a".repeat(300), no],
      ["/dev/null", "it is a file, not a folder"],
    ] as const) {
      const run = await runHere(["status", "--repo", path], { cwd: repo.path });
      expect(run).toMatchObject({
        exitCode: 2,
        stdout: "",
        stderr: expect.stringMatching(new RegExp(`^cra: [^\\n]*: ${why}; [^\\n]*\\n$`)),
      });
    }
  });
});

describe("a repository's own settings", () => {
  test.each([
    ["a template", 'template = "../../etc/passwd"'],
    ["a place for the databases", 'data_dir = "/tmp/elsewhere"'],
    ["a command", 'editor = "touch marker"'],
    ["an address", 'base_url = "https://example.com"'],
    ["a table for everything", "[__proto__]\nbudget = 1"],
    ["no TOML", "budget = = 1"],
    ["no UTF-8", new Uint8Array([0x62, 0xff, 0xfe])],
    ["too much", `# ${"x".repeat(2_000_000)}`],
  ])("cannot be %s", async (_, settings) => {
    using strange = tempRepo({ "a.py": "x = 1\n", ".cra.toml": settings });
    const run = await runHere(["index"], { cwd: strange.path });
    expect(run).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/^cra: [^\n]*\.cra\.toml[^\n]*\n$/),
    });
    expect(readdirSync(strange.path).sort()).toEqual([".cra.toml", "a.py"]);
  });

  test("cannot be a link or a pipe", async () => {
    for (const make of ["ln -s /dev/zero .cra.toml", "mkfifo .cra.toml", `ln -s ${outside.path}/leak.py .cra.toml`]) {
      using strange = tempRepo({ "a.md": "x\n" });
      Bun.spawnSync(["sh", "-c", make], { cwd: strange.path });
      const run = await runCra(["index"], { cwd: strange.path });
      expect(run.signal).toBeNull();
      expect([0, 2]).toContain(run.exitCode ?? -1);
      expect(run.stderr).not.toContain(SECRET);
    }
  });
});

describe("a data folder inside the cloned repository", () => {
  test("is not used if it is a link, and nothing is written to its target", async () => {
    using strange = tempRepo({ "a.md": "x\n" });
    using home = tempFolder();
    symlinkSync(outside.path, join(strange.path, ".cra"));
    const before = listing(outside.path);
    const run = await runCra(["index"], { cwd: strange.path, home: home.path });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("is not used: it is a symbolic link");
    expect(listing(outside.path)).toEqual(before);
    expect(readdirSync(join(home.path, ".local/state/cra"))).toHaveLength(1);
  });

  test.each(["sessions", "lock.sqlite.holder.json"])("is not used if its %s is a link", async (name) => {
    using strange = tempRepo({ "a.md": "login\n", ".cra/lock.sqlite": "" });
    using home = tempFolder();
    using target = tempFolder();
    if (name !== "sessions") writeFileSync(join(target.path, name), "untouched");
    symlinkSync(name === "sessions" ? target.path : join(target.path, name), join(strange.path, ".cra", name));
    const before = listing(target.path);
    const where = { cwd: strange.path, home: home.path };
    expect((await runHere(["index", "-q"], where)).exitCode).toBe(0);
    const run = await runCra(["retrieve", "login", ...ANY_TOKENS], where);
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain(`is not used: ${name} in it is a symbolic link`);
    expect(listing(target.path)).toEqual(before);
  });

  test("is not used if git tracks it", async () => {
    using strange = tempRepo({ "a.md": "x\n", ".cra/curated.sqlite": "planted" });
    strange.git("init", "--quiet");
    strange.git("add", "--force", ".");
    strange.commit("Planted");
    const run = await runCra(["index"], { cwd: strange.path });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("is not used: it is tracked by git");
    expect(readFileSync(join(strange.path, ".cra/curated.sqlite"), "utf8")).toBe("planted");
  });
});

test("a named pipe anywhere in the repository blocks neither index nor retrieve", async () => {
  using strange = tempRepo({ "src/app.py": "def app():\n    pass\n" }, { git: true });
  const places = [
    "pipe",
    "src/pipe.py",
    ".gitignore",
    ".craignore",
    "package.json",
    "tsconfig.json",
    "pyproject.toml",
    ".git/info/exclude",
    "src/.gitignore",
  ];
  const made = Bun.spawnSync(["sh", "-c", `rm -f .git/info/exclude; mkfifo ${places.join(" ")}`], {
    cwd: strange.path,
  });
  expect(made.success).toBe(true);
  const index = await runCra(["index", "-v"], { cwd: strange.path });
  expect(index).toMatchObject({ exitCode: 0, signal: null });
  expect(index.stderr).toContain("skipped src/pipe.py: ");
  const run = await runCra(["retrieve", "app in src/pipe.py", ...ANY_TOKENS], { cwd: strange.path });
  expect([run.exitCode, run.stdout.includes("def app()")]).toEqual([0, true]);
});

test("no setting in a hostile .git runs a command", async () => {
  using strange = tempRepo(
    { "a.py": "def a():\n    pass\n", ".gitattributes": "*.py diff=evil filter=evil\n" },
    { git: true },
  );
  const touch = join(strange.path, "run.sh");
  const marker = join(outside.path, "marker");
  writeFileSync(touch, `#!/bin/sh\ntouch "${marker}"\ncat\n`, { mode: 0o755 });
  for (const key of [
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.askPass",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "alias.log",
    "alias.ls-files",
    "credential.helper",
    "gpg.program",
    "interactive.diffFilter",
    "uploadpack.packObjectsHook",
  ])
    strange.git("config", key, key.startsWith("alias.") ? `!${touch}` : touch);
  strange.git("config", "core.hooksPath", strange.path);
  strange.git("config", "log.showSignature", "true");
  for (const hook of ["post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"])
    writeFileSync(join(strange.path, hook), `#!/bin/sh\ntouch "${marker}"\n`, { mode: 0o755 });
  expect((await runCra(["index", "-q"], { cwd: strange.path })).exitCode).toBe(0);
  strange.write({ "a.py": "def a():\n    return 1\n" });
  expect((await runCra(["retrieve", "a in a.py", "-q", ...ANY_TOKENS], { cwd: strange.path })).exitCode).toBe(0);
  expect((await runHere(["status"], { cwd: strange.path })).exitCode).toBe(0);
  expect(existsSync(marker)).toBe(false);
  // The same settings do run something when git obeys them.
  strange.git("status");
  expect(existsSync(marker)).toBe(true);
});
