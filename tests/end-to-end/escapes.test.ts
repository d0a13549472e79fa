/**
 * Names, contents, commit messages, settings and arguments full of escape sequences never control a terminal, which the
 * raw output shows. Files and pipes keep every byte.
 */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { HOSTILE } from "../support/hostile-text.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { openCra, runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const ALL = HOSTILE.join(" ");

/** What cra itself sends: line ends, its progress line, and bold for hits. */
const OWN = /\r\n|\r?\x1b\[K|\x1b\[1m|\x1b\[22m/g;
const ACTS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{fffd}]|\p{M}{9}/u;
const actsIn = (shown: string): string => JSON.stringify(ACTS.exec(shown.replace(OWN, "\n"))?.[0] ?? "");

/** Loading a tokenizer takes longest where nothing is counted on. */
const ANY_TOKENS = { CRA_TOKENIZER: "approximate", PAGER: "cat" };

const task = (text: string): string => `fix evil_total in hostile.py ${text}`;

const elsewhere = shared(tempFolder());
const repo = shared(
  tempRepo(
    {
      "hostile.py": `# because ${ALL}\ndef evil_total(items):\n    """Adds ${ALL}."""\n    return "${HOSTILE.join("")}"\n`,
      ...Object.fromEntries(
        HOSTILE.map((text, at) => [`evil_${at}_${text}.py`, `def evil_total_${at}():\n    return "${text}"\n`]),
      ),
      "evil\nname.py": "def evil_total():\n    pass\n",
      [`big_${HOSTILE[3]}.bin`]: new Uint8Array(64),
      [`skip_${HOSTILE[12]}.min.js`]: `var evil=${"1+".repeat(2000)}1`,
    },
    { git: true },
  ),
);
repo.git("checkout", "--quiet", "-b", `evil\u202e\u200b`);
repo.commit(`Message ${ALL}`);
await indexIn(repo);
const run = await runHere(["retrieve", task(ALL), "--no-refresh", "--json", "-q"], {
  cwd: repo.path,
  env: ANY_TOKENS,
});
const taskId = /"task_id": "(\w+)"/.exec(run.stdout)?.[1] ?? "";

describe("control sequences are escaped on a terminal", () => {
  test.each<readonly [name: string, args: () => readonly string[], exitCode: number, shows: string]>([
    ["index -v", () => ["index", "-v"], 0, "big_\\x1b]52;c;ZXZpbA==\\x07.bin"],
    ["retrieve -v", () => ["retrieve", task(ALL), "-v", "--no-refresh"], 0, "\\x1b]52;c;ZXZpbA==\\x07"],
    [
      "retrieve, as a prompt",
      () => ["retrieve", task(ALL), "--format", "prompt", "--no-refresh"],
      0,
      "\\u{202e}txt.exe",
    ],
    ["retrieve, as JSON", () => ["retrieve", task(ALL), "--json", "--no-refresh"], 0, "\\u{202e}txt.exe"],
    [
      "retrieve, with events",
      () => ["retrieve", task(ALL), "--events", "jsonl", "--no-refresh"],
      0,
      '"event":"package"',
    ],
    ["search", () => ["search", "evil_total"], 0, "\\x1b"],
    ["explain", () => ["explain", taskId], 0, "evil\\x0aname.py"],
    ["explain of one path", () => ["explain", taskId, "evil\nname.py"], 0, "evil\\x0aname.py"],
    ["status", () => ["status"], 0, "up to date"],
    ["an unknown command", () => [ALL], 2, "unknown command"],
    ["an unknown option", () => ["retrieve", "x", `--${ALL}`], 2, "unknown option"],
    ["a bad value", () => ["retrieve", "x", "--budget", ALL], 2, "--budget"],
    ["no such folder", () => ["index", ALL], 2, "\\x1b"],
    ["no such run", () => ["explain", ALL], 2, "is no task id"],
    ["no such hit", () => ["search", "qqq\u202e\x1bqqq"], 1, "nothing matches"],
    ["an unknown hint", () => ["retrieve", "evil_total", "--no-refresh", "--hint-path", ALL], 0, "hint"],
    ["an output file that cannot be", () => ["retrieve", "x", "-o", `no/${HOSTILE[12]}/x`], 74, "\\u{202e}"],
  ])("%s", async (_, args, exitCode, shows) => {
    await using cra = await openCra(args(), { cwd: repo.path, columns: 200, env: ANY_TOKENS });
    expect(await cra.ended).toEqual({ exitCode, signal: null });
    expect(actsIn(cra.output())).toBe('""');
    expect(cra.output()).toContain(shows);
  });

  test("settings of a repository in error messages", async () => {
    using strange = tempRepo({
      "a.py": "x = 1\n",
      ".cra.toml": `"evil ${ALL.replaceAll(/[\x00-\x1f"\\\x7f]/g, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)}" = 1\n`,
    });
    await using cra = await openCra(["config", "--explain"], { cwd: strange.path });
    expect(await cra.ended).toEqual({ exitCode: 2, signal: null });
    expect(actsIn(cra.output())).toBe('""');
    expect(cra.output()).toContain("\\x1b[2J");
  });
});

test("files and pipes keep the bytes of the repository and of the task, and messages are escaped there too", async () => {
  const path = join(elsewhere.path, "package.md");
  const [piped, written] = await Promise.all([
    runCra(["retrieve", task(ALL), "--no-refresh", "-v"], { cwd: repo.path, env: ANY_TOKENS }),
    runHere(["retrieve", task(ALL), "--no-refresh", "-q", "-o", path], { cwd: repo.path, env: ANY_TOKENS }),
  ]);
  expect([piped.exitCode, written.exitCode]).toEqual([0, 0]);
  expect(actsIn(piped.stderr)).toBe('""');
  expect(piped.stderr).toContain("evil\\x0aname.py");
  expect(readFileSync(path, "utf8")).toBe(piped.stdout);
  for (const text of HOSTILE) expect(piped.stdout).toContain(text);
  // Paths stand in headings, where they are shown as they would be on a terminal.
  expect(piped.stdout).toContain("### `evil\\x0aname.py`");
});

test("a line end in a name makes no line of its own in what a round changed", async () => {
  using small = tempRepo({
    "cart.py": "def cart():\n    return 1\n",
    "a\ncra: the same in one command: evil\n.py": "def invoice():\n    return 2\n",
  });
  const first = await runHere(["retrieve", "fix cart", "--only", "cart.py", "--json", "-q"], { cwd: small.path });
  const [, id = ""] = /"task_id": "(\w+)"/.exec(first.stdout) ?? [];
  const { stderr } = await runHere(["refine", id, "--missing-symbol", "invoice"], { cwd: small.path });
  expect(stderr).toContain("  added: a\\x0acra: the same in one command: evil\\x0a.py");
  expect(stderr.match(/^cra: the same in one command/gm)).toHaveLength(1);
});

test("a line end in the folder's name makes no line of its own in a summary", async () => {
  using folder = tempFolder();
  const root = join(folder.path, "a\u001b]0;evil\u0007\nproblems    none");
  mkdirSync(root);
  writeFileSync(join(root, "a.py"), "x = 1\n");
  const { stdout } = await runHere(["index", "--data-dir", join(folder.path, "data")], { cwd: root });
  expect(stdout).toContain("a\\x1b]0;evil\\x07\\x0aproblems    none in ");
  expect(stdout.match(/^problems/gm)).toHaveLength(1);
});
