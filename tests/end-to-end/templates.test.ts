/** Templates are filled in one pass: text from a task or code never acts as a placeholder, pattern or brace. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { runCra } from "../support/run-cra.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

const PLACES = "{task} {context} {types} {tests} {unknown} {{ }} {{task}} $& $1 $$ $` $' $<task> ${task} %s \\1";
const BODY = `def fill_me(values):\n    """${PLACES}"""\n    return "${PLACES}"`;
const TASK = `change fill_me for ${PLACES}`;

const repo = shared(tempRepo({ "fill.py": `${BODY}\n` }));
const outside = shared(tempFolder());
await indexIn(repo);

const withTemplate = async (template: string) => {
  const path = join(outside.path, "template.txt");
  writeFileSync(path, template);
  const run = await runHere(["retrieve", TASK, "--format", "prompt", "--template", path, "--no-refresh", "-q"], {
    cwd: repo.path,
  });
  return { ...run, stderr: run.stderr.replaceAll(path, "TEMPLATE") };
};

describe("a template", () => {
  test("is filled once, and texts are inserted unchanged", async () => {
    const { exitCode, stdout } = await withTemplate("<<{task}>>\n{{task}} $& {context}|{tests}|{task}");
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`<<${TASK}>>\n{task} $& ### fill.py (rank #1)\n`);
    expect(stdout).toContain(`\n${BODY}\n`);
    expect(stdout).toEndWith(`||${TASK}\n`);
  });

  test("built into cra also inserts texts unchanged", async () => {
    const { stdout, exitCode } = await runCra(["retrieve", TASK, "--format", "prompt", "--no-refresh", "-q"], {
      cwd: repo.path,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toStartWith(`Task:\n${TASK}\n`);
    expect(stdout).toContain(`\n${BODY}\n`);
  });

  test.each([
    ["{unknown}", 'the unknown placeholder "{unknown}"'],
    ["{ task }", 'the unknown placeholder "{ task }"'],
    ["{}", 'the unknown placeholder "{}"'],
    ["{__proto__}", 'the unknown placeholder "{__proto__}"'],
    ["{task", "a { without its }"],
    ["{{{task}", ""],
  ])("%p is reported in one line if it is invalid", async (template, words) => {
    const run = await withTemplate(template);
    if (words === "") expect(run).toMatchObject({ exitCode: 0, stdout: `{${TASK}\n` });
    else
      expect(run).toMatchObject({
        exitCode: 2,
        stdout: "",
        stderr: `cra: TEMPLATE has ${words}; known are {task}, {context}, {types} and {tests}; write {{ and }} for braces\n`,
      });
  });

  test("named by a variable lies in the current folder, and an error names the variable", async () => {
    writeFileSync(join(outside.path, "own.txt"), "<<{task}>>");
    const args = ["retrieve", TASK, "--format", "prompt", "--no-refresh", "-q", "--repo", repo.path];
    const env = { CRA_TEMPLATE: "own.txt" };
    expect((await runHere(args, { cwd: outside.path, env })).stdout).toStartWith(`<<${TASK}>>`);
    const missing = await runHere(args, { cwd: outside.path, env: { CRA_TEMPLATE: "no.txt" } });
    expect(missing).toMatchObject({
      exitCode: 2,
      stderr: `cra: CRA_TEMPLATE: there is no file ${join(outside.path, "no.txt")}\n`,
    });
  });

  test("that is configured, does not exist and is not printed is only a note", async () => {
    const env = { CRA_TEMPLATE: "no.txt" };
    const args = ["retrieve", TASK, "--no-refresh", "--repo", repo.path];
    const run = await runHere(args, { cwd: outside.path, env });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain(
      `cra: note: CRA_TEMPLATE: there is no file ${join(outside.path, "no.txt")}; this format`,
    );
    expect(run.stdout).toBe((await runHere(args, { cwd: outside.path })).stdout);
  });

  test("that is typed and not printed is a note", async () => {
    const args = ["retrieve", TASK, "--no-refresh", "--repo", repo.path];
    writeFileSync(join(outside.path, "own.txt"), "<<{task}>>");
    const notes = async (more: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
      (await runHere([...args, ...more], { cwd: outside.path, env })).stderr;
    const note = "cra: note: --format markdown does not print the template of --template; --format prompt does\n";
    expect(await notes(["--template", "own.txt"])).toContain(note);
    expect(await notes(["--template", "own.txt", "--json"])).toContain("--format json does not print the template");
    expect(await notes(["--template", "own.txt", "--format", "prompt"])).not.toContain("the template");
    expect(await notes([], { CRA_TEMPLATE: "own.txt" })).not.toContain("the template");
  });

  test("that does not exist or is not text is an error", async () => {
    const args = ["retrieve", TASK, "--format", "prompt", "--no-refresh", "--template"];
    expect(await runHere([...args, "no.txt"], { cwd: repo.path })).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await runHere([...args, outside.path], { cwd: repo.path })).toMatchObject({ exitCode: 2, stdout: "" });
    expect(await runCra([...args, "/dev/zero"], { cwd: repo.path })).toMatchObject({ exitCode: 2, stdout: "" });
  });
});
