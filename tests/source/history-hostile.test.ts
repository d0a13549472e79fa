import { afterAll, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { activityOf } from "../../src/concurrency/processor-time.ts";
import type { Variables } from "../../src/config/variables.ts";
import { NO_COMMITS } from "../../src/source/git/git-state.ts";
import { GIT_OUTPUT_BYTES_MAX, runGit } from "../../src/source/git/process.ts";
import { PATIENCE, type Patience } from "../../src/source/git/progress-watch.ts";
import { headOf } from "../../src/source/history/history.ts";
import { gitHistory } from "../../src/source/history/history-git.ts";
import { openHistory } from "../../src/source/history/open-history.ts";
import { gitConfig } from "../support/git-config.ts";
import { builtin, byGit, environment, filesOf, gitFilesOf, readBoth } from "./both-readers.ts";
import { commitFiles, type Folder, git, temporaryFolder, temporaryRepository } from "./fixture.ts";

const tools = temporaryFolder();
afterAll(() => tools[Symbol.dispose]());
const marker = join(tools.path, "marker");
const evil = join(tools.path, "evil.sh");
writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${marker}'\nexit 1\n`, { mode: 0o755 });

/** Settings that name a program, each in a way that some git command runs it. */
const PROGRAMS = [
  "core.fsmonitor",
  "core.pager",
  "core.editor",
  "core.sshCommand",
  "core.gitProxy",
  "core.askPass",
  "core.alternateRefsCommand",
  "diff.external",
  "diff.evil.textconv",
  "diff.evil.command",
  "filter.evil.clean",
  "filter.evil.smudge",
  "filter.evil.process",
  "merge.evil.driver",
  "gpg.program",
  "gpg.ssh.program",
  "credential.helper",
  "sequence.editor",
  "uploadpack.packObjectsHook",
  "pager.rev-list",
  "pager.cat-file",
  "pager.config",
  "pager.ls-files",
  "remote.origin.uploadpack",
  "remote.origin.vcs",
  "man.evil.cmd",
  "trace2.eventTarget",
];

const COMMANDS = ["rev-list", "cat-file", "diff-tree", "ls-files", "config", "rev-parse", "symbolic-ref"];
const POISON = gitConfig([
  ...PROGRAMS.map((key) => [key, evil] as const),
  ["core.untrackedCache", "true"],
  ["log.showSignature", "true"],
  ["diff.trustExitCode", "true"],
  ["safe.directory", "*"],
  ["protocol.allow", "always"],
  ["protocol.ext.allow", "always"],
  ...COMMANDS.map((name) => [`alias.${name}`, `!${evil}`] as const),
]);

function hostileRepository(): Folder {
  const repo = temporaryRepository();
  const root = repo.path;
  commitFiles(root, { "a.txt": "1", ".gitattributes": "* diff=evil filter=evil merge=evil\n" }, "c1", 1000);
  const hooks = join(root, ".git/hooks");
  mkdirSync(hooks, { recursive: true });
  for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"])
    symlinkSync(evil, join(hooks, hook));
  for (const program of ["git", "git-remote-evil", "sh", "less"]) symlinkSync(evil, join(root, program));
  writeFileSync(join(root, ".git/included"), POISON);
  git(root, ["config", "include.path", "included"]);
  git(root, ["config", "extensions.worktreeConfig", "true"]);
  writeFileSync(join(root, ".git/config.worktree"), POISON);
  appendFileSync(join(root, ".git/config"), POISON);
  git(root, ["config", "core.hooksPath", hooks]);
  git(root, ["config", "core.worktree", tools.path]);
  writeFileSync(join(root, ".git/info/attributes"), "* diff=evil filter=evil\n");
  return repo;
}

test("no setting of a repository runs anything, and nothing is written", async () => {
  using repo = hostileRepository();
  expect(filesOf(await readBoth(repo.path))).toEqual([[".gitattributes", "a.txt"]]);
  expect(existsSync(marker)).toBe(false);
  // That these programs would run shows the same command without the care that is taken.
  Bun.spawnSync(["git", "--work-tree=.", "status"], { cwd: repo.path, env: { PATH: Bun.env.PATH } });
  expect(existsSync(marker)).toBe(true);
  rmSync(marker);
});

test("a promised object is not fetched from any address", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { "a/b": "1" }, "c1", 1000);
  commitFiles(repo.path, { "a/b": "2" }, "c2", 2000);
  git(repo.path, ["config", "uploadpack.allowFilter", "true"]);
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--no-checkout", "--filter=tree:0", `file://${repo.path}`, "there"]);
  const root = join(place.path, "there");
  let asked = 0;
  using server = Bun.serve({ port: 0, fetch: () => new Response(String(++asked), { status: 404 }) });
  const addresses = [
    `file://${repo.path}`,
    `http://127.0.0.1:${server.port}/x.git`,
    `ext::${evil}`,
    "evil::x",
    "ssh://h/x",
  ];
  for (const address of addresses) {
    git(root, ["config", "remote.origin.url", address]);
    git(root, ["config", "remote.origin.uploadpack", evil]);
    git(root, ["config", "core.sshCommand", evil]);
    git(root, ["config", "protocol.allow", "always"]);
    const before = gitFilesOf(root);
    for (const reader of [byGit, builtin]) {
      const { problem, commits, head } = await reader.readHistory(root, { commitsMax: 10 });
      expect([commits, head?.length, problem]).toEqual([[], 40, expect.stringMatching(/^[^\n]{10,200}$/)]);
    }
    expect(gitFilesOf(root)).toEqual(before);
  }
  expect([asked, existsSync(marker)]).toEqual([0, false]);
});

test("git variables of the caller's shell have no effect", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1" }, "c1", 1000);
  using other = temporaryRepository();
  commitFiles(other.path, { other: "1" }, "other", 2000);
  using home = temporaryFolder({ ".gitconfig": `[core]\n\tpager = ${evil}\n[alias]\n\trev-list = !${evil}\n` });
  const elsewhere = join(other.path, ".git");
  const variables = {
    PATH: Bun.env.PATH,
    HOME: home.path,
    GIT_DIR: elsewhere,
    GIT_COMMON_DIR: elsewhere,
    GIT_WORK_TREE: other.path,
    GIT_INDEX_FILE: join(elsewhere, "index"),
    GIT_OBJECT_DIRECTORY: join(elsewhere, "objects"),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(elsewhere, "objects"),
    GIT_NAMESPACE: "x",
    GIT_PREFIX: "x/",
    GIT_SHALLOW_FILE: join(elsewhere, "shallow"),
    GIT_CONFIG: join(elsewhere, "config"),
    GIT_CONFIG_GLOBAL: join(elsewhere, "config"),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: evil,
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${evil}'`,
    GIT_EXTERNAL_DIFF: evil,
    GIT_PAGER: evil,
    PAGER: evil,
    GIT_SSH_COMMAND: evil,
    GIT_EXEC_PATH: tools.path,
    GIT_TRACE: marker,
    GIT_TRACE2_EVENT: marker,
    GIT_LITERAL_PATHSPECS: "x",
    GIT_DIFF_OPTS: "-x",
    GIT_DEFAULT_HASH: "sha256",
    GIT_REPLACE_REF_BASE: "refs/heads/",
  };
  const expected = await byGit.readHistory(repo.path, { commitsMax: 10 });
  expect(filesOf(expected)).toEqual([["a"]]);
  const git_ = openHistory(variables);
  expect([git_.name, await git_.readHistory(repo.path, { commitsMax: 10 })]).toEqual(["git", expected]);
  expect(existsSync(marker)).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)(
  "a repository of another user is read by the reader that runs nothing",
  async () => {
    using repo = temporaryRepository();
    commitFiles(repo.path, { a: "1" }, "c1", 1000);
    const expected = await byGit.readHistory(repo.path, { commitsMax: 10 });
    for (const path of [repo.path, join(repo.path, ".git")]) chownSync(path, 12_345, 12_345);
    const executable = Bun.which("git") ?? "";
    const refused = await gitHistory(executable, environment).readHistory(repo.path, { commitsMax: 10 });
    expect([refused.commits, refused.problem]).toEqual([[], expect.stringContaining("dubious ownership")]);
    expect(await byGit.readHistory(repo.path, { commitsMax: 10 })).toEqual(expected);
    using home = temporaryFolder({ ".gitconfig": `[safe]\n\tdirectory = ${repo.path}\n` });
    const trusted = join(home.path, ".gitconfig");
    const readBy = async (variables: Variables) => {
      const reader = gitHistory(executable, { PATH: environment.PATH, ...variables });
      return (await reader.readHistory(repo.path, { commitsMax: 10 })).problem;
    };
    for (const where of [{ HOME: home.path }, { GIT_CONFIG_GLOBAL: trusted }, { GIT_CONFIG_SYSTEM: trusted }])
      expect([where, await readBy(where)]).toEqual([where, null]);
    const unread = { GIT_CONFIG_SYSTEM: trusted, GIT_CONFIG_NOSYSTEM: "1" };
    expect(await readBy(unread)).toContain("dubious ownership");
    // What is named from the repository's folder could come from it.
    const planted = ".gitconfig";
    writeFileSync(join(repo.path, planted), `[safe]\n\tdirectory = ${repo.path}\n`);
    for (const where of [{ GIT_CONFIG_GLOBAL: planted }, { GIT_CONFIG_SYSTEM: planted }, { HOME: "." }])
      expect([where, await readBy(where)]).toEqual([where, expect.stringContaining("dubious ownership")]);
  },
);

test("a folder that looks like .git is not the repository of its parent", async () => {
  using bare = temporaryRepository();
  commitFiles(bare.path, { a: "1" }, "c1", 1000);
  using place = temporaryFolder();
  git(place.path, ["clone", "--quiet", "--bare", bare.path, "bare.git"]);
  const root = join(place.path, "bare.git");
  mkdirSync(join(root, ".git"));
  for (const reader of [byGit, builtin]) {
    const { commits, problem } = await reader.readHistory(root, { commitsMax: 10 });
    expect([commits, problem]).toEqual([[], expect.stringMatching(/^[^\n]{5,200}$/)]);
  }
});

test("an invalid HEAD is reported, and nothing outside git's folder is read", async () => {
  using repo = temporaryRepository();
  const hash = commitFiles(repo.path, { a: "1" }, "c1", 1000);
  writeFileSync(join(tools.path, "hash"), `${hash}\n`);
  const head = join(repo.path, ".git/HEAD");
  for (const content of [
    "",
    "rubbish\n",
    "ref: \n",
    `ref: ${tools.path}/hash\n`,
    "ref: refs/../../../hash\n",
    `${hash}00\n`,
  ]) {
    writeFileSync(head, content);
    for (const reader of [byGit, builtin]) {
      const history = await reader.readHistory(repo.path, { commitsMax: 10 });
      expect([content, history.head, history.commits, history.problem]).toEqual([
        content,
        null,
        [],
        expect.stringMatching(/^[^\n]{5,200}$/),
      ]);
      expect(await reader.readHead(repo.path)).toEqual(headOf(history));
    }
  }
  writeFileSync(head, "ref: refs/heads/loop\n");
  git(repo.path, ["symbolic-ref", "refs/heads/loop", "refs/heads/pool"]);
  git(repo.path, ["symbolic-ref", "refs/heads/pool", "refs/heads/loop"]);
  for (const reader of [byGit, builtin]) expect((await reader.readHead(repo.path)).head).toBeNull();
  writeFileSync(head, "ref: refs/heads/refs/heads/main\n");
  expect(await readBoth(repo.path)).toMatchObject({ head: null, branch: "refs/heads/main", problem: NO_COMMITS });
  rmSync(head);
  mkdirSync(head);
  for (const reader of [byGit, builtin]) expect((await reader.readHead(repo.path)).problem).toBeString();
});

test("gives up on a commit with exploding folders", async () => {
  using repo = temporaryRepository();
  const tree = (input: string): string => git(repo.path, ["mktree", "--missing"], 0, input).trim();
  let hash = tree("");
  for (let depth = 0; depth < 12; depth++)
    hash = tree(Array.from({ length: 10 }, (_, at) => `040000 tree ${hash}\t${at}\n`).join(""));
  const person = "A <a@b> 1000 +0000";
  const object = `tree ${hash}\nauthor ${person}\ncommitter ${person}\n\nbomb\n`;
  const commit = git(repo.path, ["hash-object", "-t", "commit", "-w", "--stdin"], 0, object).trim();
  git(repo.path, ["update-ref", "HEAD", commit]);
  const { commits, problem } = await builtin.readHistory(repo.path, { commitsMax: 10 });
  expect([commits, problem]).toEqual([[], expect.stringContaining("too many files")]);
});

test.skipIf(Bun.which("ps") === null)("git runs in its own process group without the terminal", async () => {
  using repo = temporaryRepository();
  const executable = join(tools.path, "grouped-git");
  writeFileSync(executable, "#!/bin/sh\necho $$\nps -o pgid= -p $$\n", { mode: 0o755 });
  const output = await runGit({ executable, environment, root: repo.path, arguments: ["x"] });
  const [own, group] = output.kind === "output" ? new TextDecoder().decode(output.bytes).trim().split(/\s+/) : [];
  expect(own).toMatch(/^\d+$/);
  expect(group).toBe(own);
});

/** Looks often and gives up after a few looks, or after some processor time. */
const IMPATIENT: Patience = { lookMs: 20, looksMax: 10, blindLooksMax: 10, processorMsMax: 500 };

/** Runs a script as git. Returns why it failed, or "output". */
async function whyOf(root: string, script: string, patience = IMPATIENT): Promise<string> {
  const executable = join(tools.path, "fake-git");
  writeFileSync(executable, `#!/bin/sh\n${script}\n`);
  chmodSync(executable, 0o755);
  const output = await runGit({ executable, environment, root, arguments: ["x"], patience });
  return output.kind === "problem" ? output.why : output.kind;
}

test("stops a git that hangs, computes or writes too much, or leaves a program behind", async () => {
  using repo = temporaryRepository();
  const why = (script: string, patience?: Patience) => whyOf(repo.path, script, patience);
  expect(await why("exec sleep 900")).toBe("git was ended: it made no progress for 0.2 seconds");
  expect(await why("sleep 900")).toBe("git was ended: it made no progress for 0.2 seconds");
  expect(await why("sleep 900 & exit 0")).toBe("git left a program running");
  expect(await why("exec yes", PATIENCE)).toBe(`git wrote more than ${GIT_OUTPUT_BYTES_MAX} bytes`);
  expect(await why("echo 'fatal: no' >&2; exit 3", PATIENCE)).toBe("git: no");
  expect(await why("kill -TERM $$", PATIENCE)).toBe("git was ended: something sent it SIGTERM");
  expect(await why("echo fine", PATIENCE)).toBe("output");
});

test.skipIf(activityOf("self") === null)(
  "the processor time of git is limited, not its time on the clock (needs /proc)",
  async () => {
    using repo = temporaryRepository();
    const busy = "while :; do :; done";
    const brief = { ...IMPATIENT, processorMsMax: 200 };
    expect(await whyOf(repo.path, busy, brief)).toBe("git was ended: it used more than 0.2 seconds of processor time");
    // Far more looks than are allowed without progress.
    const slow = "for n in 1 2 3 4 5 6 7 8; do sleep .1; echo $n; done";
    expect(await whyOf(repo.path, slow)).toBe("output");
    // A git that waits for its turn is not idle, however few its turns are.
    const starved = { ...IMPATIENT, processorMsMax: 60_000 };
    const load = Array.from({ length: 3 * navigator.hardwareConcurrency }, () => Bun.spawn(["sh", "-c", busy]));
    try {
      expect(await whyOf(repo.path, "n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done", starved)).toBe("output");
    } finally {
      for (const one of load) one.kill("SIGKILL");
    }
  },
);

test("does not run a git from inside the repository", async () => {
  using repo = temporaryRepository();
  commitFiles(repo.path, { a: "1", "node_modules/.bin/git": `#!/bin/sh\ntouch '${marker}'\n` }, "c1", 1000);
  chmodSync(join(repo.path, "node_modules/.bin/git"), 0o755);
  using linked = temporaryFolder();
  symlinkSync(join(repo.path, "node_modules/.bin/git"), join(linked.path, "git"));
  for (const folder of [join(repo.path, "node_modules/.bin"), linked.path]) {
    const reader = openHistory({ PATH: `${folder}:${Bun.env.PATH}` });
    expect(filesOf(await reader.readHistory(repo.path, { commitsMax: 10 }))).toEqual([["a", "node_modules/.bin/git"]]);
  }
  expect(existsSync(marker)).toBe(false);
});
