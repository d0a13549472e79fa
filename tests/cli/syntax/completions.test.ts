/** Completion scripts list everything, and the shells accept them. */

import { describe, expect, test } from "bun:test";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { optionsOf } from "../../../src/cli/syntax/command.ts";
import { completionScript, SHELLS } from "../../../src/cli/syntax/completions.ts";

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
  test("commands", () => expect(offered("re")).toEqual(["retrieve", "refine", "report", "remember", "recall"]));
  test("flags of the chosen command", () =>
    expect(offered("retrieve", "task", "--bud")).toEqual(["--budget", "--budget-config"]));
  test("flags after a global option with a value", () =>
    expect(offered("--repo", "/r", "search", "x", "--lim")).toEqual(["--limit"]));
  test("words of a value", () =>
    expect(offered("retrieve", "--format", "")).toEqual(["markdown", "prompt", "json", "bundle", "xml"]));
  test("words of an argument", () => expect(offered("completions", "z")).toEqual(["zsh"]));
});
