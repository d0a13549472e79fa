/** The binary needs nothing of its environment: no variable, no home, no known user, no system folder that it can write. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binary } from "../support/binary.ts";
import { type TempFolder, tempFolder } from "../support/folder.ts";
import { HANG_MS } from "../support/hang.ts";
import { FOR_BRIEF_RUNS, openCra } from "../support/run-cra.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

/** Where a variable more or less is not what is tested, with the engine's options for brief runs. */
const USUAL = { PATH: process.env.PATH ?? "", ...FOR_BRIEF_RUNS };
/** Retrieval with the tokenizer that starts fastest; `recall` loads the usual one. */
const RETRIEVE = ["retrieve", SHOP_TASK, "-q", "--tokenizer", "approximate"] as const;

let folder: TempFolder;
let program = "";
/** The package of a run that lacks nothing. */
let whole = "";

beforeAll(async () => {
  folder = tempFolder();
  program = await binary();
  using repo = shopRepo();
  cpSync(repo.path, join(folder.path, "shop"), { recursive: true });
  mkdirSync(join(folder.path, "home"));
  const normal = machine("normal", { ...USUAL, HOME: join(folder.path, "home"), TERM: "xterm", USER: "someone" });
  whole = normal(...RETRIEVE, "--index").out;
  expect(whole).toContain("shop/cart.py");
});
afterAll(() => folder[Symbol.dispose]());

type Ran = { readonly code: number | null; readonly out: string; readonly err: string };
type Cra = (...args: readonly string[]) => Ran;

/** A fresh copy of the repository, and cra in it with exactly these variables. `prefix` starts the program. */
function machine(name: string, env: Readonly<Record<string, string>>, prefix: readonly string[] = []): Cra {
  const cwd = join(folder.path, name.replace(/\W+/g, "-"));
  cpSync(join(folder.path, "shop"), cwd, { recursive: true });
  return (...args) => {
    const run = Bun.spawnSync([...prefix, program, ...args], { cwd, env, stdin: "ignore" });
    return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() };
  };
}

/** Every kind of command gives its answer. */
function answers(cra: Cra, data: readonly string[] = []): void {
  expect(cra("status", ...data)).toMatchObject({ code: 0, err: "", out: expect.stringContaining("run: cra index") });
  expect(cra("index", "-q", ...data)).toMatchObject({ code: 0, err: "" });
  expect(cra(...RETRIEVE, ...data)).toEqual({ code: 0, err: "", out: whole });
  const sessions = cra("sessions", "--json", ...data);
  expect(sessions).toMatchObject({ code: 0, err: "" });
  const [{ task_id: id = "" } = {}]: readonly { readonly task_id?: string }[] = JSON.parse(sessions.out).sessions;
  const status = cra("status", "--json", ...data);
  expect([status.code, JSON.parse(status.out)]).toMatchObject([0, { index: { counts: { commits: 4 } } }]);
  for (const words of [
    ["refine", id, "--reject", "shop/price.py", "-q"],
    ["search", "cart"],
    ["recall", "cart"],
    ["log", id],
    ["explain", id, "shop/cart.py"],
    ["config"],
  ])
    expect([words[0], cra(...words, ...data)]).toMatchObject([words[0], { code: 0, err: "" }]);
  expect(cra("doctor", ...data)).toMatchObject({ code: 0, out: expect.stringContaining("nothing is wrong") });
}

/** An index with a package, and commands that read. */
function worksWith(cra: Cra, ...readings: readonly string[]): void {
  expect(cra(...RETRIEVE, "--index")).toEqual({ code: 0, err: "", out: whole });
  for (const reading of readings) expect([reading, cra(...reading.split(" "))]).toMatchObject([reading, { code: 0 }]);
}

/** Covers a folder of the system with an empty one that cannot be written, except for the two folders of this test. */
const hide = (place: string): string => `
  mount -t tmpfs none /mnt && mkdir /mnt/1 /mnt/2 && mount --bind "$1" /mnt/1 && mount --bind "$2" /mnt/2 &&
  mount -t tmpfs none ${place} && mkdir -p "$1" "$2" && mount --bind /mnt/1 "$1" && mount --bind /mnt/2 "$2" &&
  mount -o remount,bind,ro ${place}`;
const LOCK_ALL = "mount -o remount,bind,ro /";
const lock = (folder: string): string => `mount --bind "${folder}" "${folder}" && mount -o remount,bind,ro "${folder}"`;

/** Runs a command in a mount namespace of its own, as a user with this number. `prepare` gets the values. */
const apart = (uid: number, prepare: string, ...values: readonly string[]): readonly string[] => {
  const script = `prepare() { ${prepare}; }; n=$1; shift; prepare "$@" || exit 99; shift "$n"; cd "$PWD"; exec "$@"`;
  return [
    "unshare",
    `--map-user=${uid}`,
    `--map-group=${uid}`,
    "--mount",
    "sh",
    "-c",
    script,
    "sh",
    ...[values.length, ...values].map(String),
  ];
};

const canBeApart =
  Bun.which("unshare") !== null &&
  Bun.spawnSync([...apart(0, `mount -t tmpfs none /dev && ${LOCK_ALL}`), "true"]).exitCode === 0 &&
  Bun.spawnSync([...apart(54_321, "true"), "true"]).exitCode === 0;

describe("every command answers, and the package is the same", () => {
  const user = canBeApart ? apart(54_321, "true") : [];

  test(`without any variable${canBeApart ? ", as a user that the system does not know" : ""}`, () =>
    answers(machine("none", USUAL, [...user, "env", "-i"])));

  test.each<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      "with empty variables",
      { ...FOR_BRIEF_RUNS, HOME: "", PATH: "", USER: "", TMPDIR: "", TERM: "", LANG: "", TZ: "", SHELL: "" },
      "search cart",
    ],
    ["with a HOME that is a file", { ...USUAL, HOME: "/etc/passwd" }, "recall cart"],
    ["with a relative HOME", { ...USUAL, HOME: "home", XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "config" }, "config"],
    ["without git", { ...USUAL, PATH: "/nonexistent", HOME: "/nonexistent" }, "doctor"],
    [
      "with a HOME that does not exist, and nonsense",
      {
        ...USUAL,
        HOME: "/nonexistent/home",
        TMPDIR: "/nonexistent",
        TERM: "nonsense",
        LANG: "xx_YY",
        TZ: "No/Where",
        USER: "nobody",
      },
      "doctor",
    ],
  ])("%s", (name, env, reading) => worksWith(machine(name, env), reading));

  test("even the check of the program itself", () => {
    expect(machine("self", {})("doctor", "--self")).toMatchObject({
      code: 0,
      out: expect.stringContaining("nothing is wrong"),
    });
  });
});

const BRIEF = Object.entries(FOR_BRIEF_RUNS).map(([name, value]) => `${name}=${value}`);

test("a folder that is no repository is served to agents without HOME", async () => {
  const cwd = join(folder.path, "plain");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "cart.py"), "class Cart:\n    pass\n");
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({ command: "env", args: ["-i", ...BRIEF, program, "mcp"], cwd, stderr: "ignore" }),
  );
  try {
    const answer = await client.callTool({ name: "retrieve", arguments: { task: "why is Cart empty?" } });
    expect(JSON.stringify(answer.content)).toContain("cart.py");
  } finally {
    await client.close();
  }
});

test.each([
  [
    "a TMPDIR that does not exist",
    { TMPDIR: "/nonexistent" },
    "/nonexistent: there is no such file or folder; set TMPDIR",
  ],
  ["a TMPDIR that is a file", { TMPDIR: "/etc/passwd" }, "/etc/passwd: a part of the path is not a folder; set TMPDIR"],
  ["no shell on the PATH", { PATH: "/nonexistent" }, "the editor: cannot be started; set EDITOR"],
])("an editor with %s is refused with the next step", async (_, env, words) => {
  const args = ["remember", "--edit", "--goal", "find the leak"];
  await using cra = await openCra(args, { cwd: join(folder.path, "normal"), env: { EDITOR: "true", ...env } });
  expect(await cra.ended).toEqual({ exitCode: 74, signal: null });
  expect(cra.output()).toContain(words);
});

describe.skipIf(!canBeApart)("on a machine that lacks something (needs unshare and mount)", () => {
  const lacking = (name: string, prepare: string): Cra =>
    machine(name, USUAL, apart(0, prepare, folder.path, dirname(program)));

  test.each([
    ["without devices and shared memory", hide("/dev"), "search cart"],
    ["without a temporary folder", hide("/tmp"), "doctor"],
  ])("%s", (name, prepare, reading) => worksWith(lacking(name, prepare), reading));

  test("a read-only machine with one folder for the data", () => {
    const data = join(folder.path, "data");
    mkdirSync(data);
    const prepare = `mount --bind "$1" "$1" && ${LOCK_ALL}`;
    answers(machine("read-only root", USUAL, apart(0, prepare, data)), ["--data-dir", data]);
  });

  test("an index in a repository that cannot be written is read, and what has to be written is refused", () => {
    const cwd = join(folder.path, "read-only-repository");
    cpSync(join(folder.path, "normal"), cwd, { recursive: true });
    for (const home of [undefined, cwd, "/dev/null"]) {
      const env = home === undefined ? USUAL : { ...USUAL, HOME: home };
      const cra: Cra = (...args) => {
        const command = [...apart(0, lock(cwd)), program, ...args];
        const run = Bun.spawnSync(command, { cwd, env, stdin: "ignore" });
        return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() };
      };
      if (home === undefined) {
        const status = cra("status", "--json");
        expect([status.code, JSON.parse(status.out)]).toMatchObject([0, { index: { counts: { commits: 4 } } }]);
      }
      expect(cra("search", "cart")).toMatchObject({ code: 0, out: expect.stringContaining("shop/cart.py") });
      expect(cra("doctor")).toMatchObject({ code: 0, out: expect.stringContaining("nothing is wrong") });
      expect(cra(...RETRIEVE)).toMatchObject({ code: 0, out: whole });
      expect(cra("index", "-q")).toMatchObject({ code: 74, err: expect.stringContaining("--data-dir") });
    }
  });

  test("a home of somebody else, which may not be entered, is as good as none", () => {
    const home = join(folder.path, "private");
    mkdirSync(home);
    chmodSync(home, 0o000);
    // A user of another number has no rights of root, whoever runs this test.
    const other = apart(54_321, "true");
    expect(Bun.spawnSync([...other, "ls", home]).exitCode).not.toBe(0);
    worksWith(machine("foreign home", { ...USUAL, HOME: home }, other), "config", "recall cart");
  });
});
