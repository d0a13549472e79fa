/** Completion scripts list everything, and the shells accept them. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { optionsOf } from "../../../src/cli/syntax/command.ts";
import { completionScript, SHELLS } from "../../../src/cli/syntax/completions.ts";
import { FORMAT_NAMES } from "../../../src/retrieval/render/formats.ts";
import { tempRepo } from "../../support/repo.ts";
import { shared } from "../../support/shared.ts";
import { openTerminal } from "../../support/terminal-session.ts";

describe.each([...SHELLS])("%s", (shell) => {
  const script = completionScript(shell, COMMAND_TABLE);
  test("lists every command and flag", () => {
    for (const command of COMMAND_TABLE.commands) {
      expect(script).toContain(command.name);
      for (const { flag, short } of optionsOf(command, COMMAND_TABLE)) {
        expect(script).toContain(shell === "fish" ? `-l ${flag.slice(2)} ` : flag);
        if (short) expect(script).toContain(shell === "fish" ? `-s ${short.slice(1)} ` : short);
      }
    }
    for (const word of ["version", "help", "o200k_base", "markdown", "precision", "package"])
      expect(script).toContain(word);
  });
  test.skipIf(Bun.which(shell) === null)("is accepted by the shell", () => {
    const { exitCode, stderr } = Bun.spawnSync([shell, shell === "fish" ? "--no-execute" : "-n", "/dev/stdin"], {
      stdin: Buffer.from(script),
    });
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  });
});

/** The completions in bash after some words, of which the last is being typed. */
function offered(...words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(" ");
  const program = `${completionScript("bash", COMMAND_TABLE)}\nCOMP_WORDS=(cra ${quoted}); COMP_CWORD=${words.length}; _cra; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return Bun.spawnSync(["bash", "-c", program]).stdout.toString().trim().split("\n");
}

describe.skipIf(Bun.which("bash") === null)("bash offers", () => {
  test("commands", () => {
    const names = COMMAND_TABLE.commands.map(({ name }) => name).filter((name) => name.startsWith("re"));
    expect(names).toContain("retrieve");
    expect(offered("re")).toEqual(names);
  });
  test("flags of the chosen command", () =>
    expect(offered("retrieve", "task", "--bud")).toEqual(["--budget", "--budget-config"]));
  test("flags after a global option with a value", () =>
    expect(offered("--repo", "/r", "search", "x", "--lim")).toEqual(["--limit"]));
  test("words of a value", () => expect(offered("retrieve", "--format", "")).toEqual(FORMAT_NAMES));
  test("words of an argument", () => expect(offered("completions", "z")).toEqual(["zsh"]));
  test("words of a value behind an equals sign", () => {
    expect(offered("retrieve", "--format", "=", "j")).toEqual(["json"]);
    expect(offered("retrieve", "--coverage", "=")).toEqual(["auto"]);
  });
  test("flags of a command that takes a path", () => expect(offered("explain", "1f3a", "--js")).toEqual(["--json"]));
});

/** The completions in fish of a line. */
function offeredByFish(line: string): readonly string[] {
  const program = `${completionScript("fish", COMMAND_TABLE)}\ncomplete -C '${line}'`;
  const { stdout } = Bun.spawnSync(["fish", "--no-config", "-c", program]);
  return stdout
    .toString()
    .trim()
    .split("\n")
    .flatMap((row) => row.split("\t")[0] || []);
}

describe.skipIf(Bun.which("fish") === null)("fish offers", () => {
  const names = COMMAND_TABLE.commands.map(({ name }) => name);
  test("commands, also to help", () => {
    expect(offeredByFish("cra ").toSorted()).toEqual([...names, "help"].toSorted());
    expect(offeredByFish("cra help ")).toEqual(expect.arrayContaining(names));
    expect(offeredByFish("cra help retri")).toEqual(["retrieve"]);
  });
  test("commands after a global option with a value", () =>
    expect(offeredByFish("cra --repo /r retri")).toEqual(["retrieve"]));
  test("flags of the chosen command alone", () => {
    expect(offeredByFish("cra retrieve index --bud")).toEqual(["--budget", "--budget-config"]);
    expect(offeredByFish("cra retrieve index --fail-f")).toEqual([]);
  });
});

const files = shared(
  tempRepo({
    "src/deep er/x.py": "",
    "space name.py": "",
    "it's.py": "",
    "[id].tsx": "",
    "i.tsx": "",
    "sources.txt": "",
  }),
).path;

/** What `cra` gets from a line that is typed to a shell, tabs included. */
async function gets(shell: "bash" | "zsh", line: string): Promise<string> {
  const stub = `cra() { printf '<%s>' "$@"; echo; }\nPS1='> '\n`;
  const start = shell === "zsh" ? "autoload -U compinit; compinit -u -D\n" : "";
  using home = tempRepo({ [`.${shell}rc`]: `${start}${completionScript(shell, COMMAND_TABLE)}\n${stub}` });
  const rest = shell === "bash" ? ["--noprofile", "--rcfile", join(home.path, ".bashrc"), "-i"] : ["-i"];
  await using user = openTerminal({
    command: [shell, ...rest],
    cwd: files,
    home: home.path,
    env: { ZDOTDIR: home.path },
  });
  await user.until(/^> $|^>$/m);
  user.type(`${line}\r`);
  const shown = await user.until(/^<.*>$/m);
  // Zsh takes the slash of a folder away again.
  return (/^<.*>$/m.exec(shown)?.[0] ?? "").replaceAll("/>", ">");
}

describe.each(["bash", "zsh"] as const)("typed to %s", (shell) => {
  test.skipIf(Bun.which(shell) === null).each([
    ["a command", "cra retri\t", "<retrieve>"],
    ["a command to help with", "cra help retri\t", "<help><retrieve>"],
    ["a name with a blank", "cra explain 1f3a spa\t", "<explain><1f3a><space name.py>"],
    ["a name with a quote", "cra explain 1f3a it\t", "<explain><1f3a><it's.py>"],
    ["a path through folders", "cra explain 1f3a src/\tx\t", "<explain><1f3a><src/deep er/x.py>"],
    ["a file of an option", "cra retrieve fix --accept src/d\t\t", "<retrieve><fix><--accept><src/deep er/x.py>"],
    ["a folder of an option", "cra status --repo s\t", "<status><--repo><src>"],
    ["a value behind an equals sign", "cra retrieve --format=j\t", "<retrieve><--format=json>"],
  ])("%s is completed", async (_, line, wanted) => expect(await gets(shell, line)).toBe(wanted));
});
