/** Pipes that close, disks that are full, readers that are slow: what was promised arrives whole, or one line says why not. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { indexIn } from "../support/index-in.ts";
import { tempRepo } from "../support/repo.ts";
import { openCra, runCra, runShell } from "../support/run-cra.ts";
import { shared } from "../support/shared.ts";
import { canMount } from "../support/small-disk.ts";

/**
 * Control characters take six bytes each in JSON, so this task makes a package of 1.2 MB, which is more than a pipe or the small
 * disks below hold.
 */
const BIG_TASK = `fix total in shop.py\n${"\u0001".repeat(200_000)}`;
/** The tokenizer that starts fastest. */
const QUICKLY = "--no-refresh -q --tokenizer approximate";
const BIG = `"$CRA" retrieve - --json ${QUICKLY} < "$TASK"`;

const at = (name: string): string => join(outside.path, name);
const shell = (lines: string) => runShell(lines, { cwd: repo.path, env: { OUT: outside.path, TASK: at("task") } });

const repo = shared(tempRepo({ "shop.py": "def total(items):\n    return sum(items)\n" }));
const outside = shared(tempFolder());
writeFileSync(at("task"), BIG_TASK);
await indexIn(repo);

test("a package of more than a megabyte reaches a slow reader completely and equals the output file", async () => {
  const run = await shell(
    `${BIG} | (sleep 0.3; cat > "$OUT/piped"); ${BIG} -o "$OUT/written"; cmp "$OUT/piped" "$OUT/written"`,
  );
  expect(run).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(statSync(at("piped")).size).toBeGreaterThan(1_200_000);
  expect(JSON.parse(readFileSync(at("piped"), "utf8"))).toHaveProperty("task_query.raw_description", BIG_TASK);
});

describe("a closed output is not an error", () => {
  test.each([
    ["the package", `${BIG} | head -1`],
    ["events", `"$CRA" retrieve - --events jsonl ${QUICKLY} < "$TASK" | head -1`],
    ["hits", '"$CRA" search total | head -1 | head -c 4'],
    ["help", '"$CRA" --help | head -1 > /dev/null'],
  ])("%s", async (_, lines) => {
    expect(await shell(lines)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("streams that were never open", async () => {
    const run = await shell(
      '"$CRA" search total 2>&- && "$CRA" search total <&- && "$CRA" retrieve total -o "$OUT/never-open.md" >&- 2>&- <&-',
    );
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

test.skipIf(process.platform !== "linux").each(["retrieve total", "index", "search total"])(
  "what cra %s prints is not lost in a standard output that was never open",
  async (words) => {
    expect(await shell(`"$CRA" ${words} -q >&-`)).toMatchObject({
      exitCode: 74,
      stderr: "cra: standard output is closed; nothing was written\n",
    });
  },
);

test.each([
  ["a task", '"$CRA" retrieve -'],
  ["a handoff", '"$CRA" retrieve total --handoff -'],
  ["a log", '"$CRA" retrieve total --trace -'],
  ["a memory", '"$CRA" remember -'],
  ["messages of an agent", '"$CRA" mcp'],
])("a folder in place of %s: code 74 and one line", async (_, command) => {
  expect(await shell(`${command} < "$OUT"`)).toMatchObject({
    exitCode: 74,
    stdout: "",
    stderr: "cra: standard input: it is a folder\n",
  });
});

describe.skipIf(!statSync("/dev/full", { throwIfNoEntry: false }))("a full disk behind standard output", () => {
  test.each([
    ["the package", `"$CRA" retrieve "fix total" ${QUICKLY}`],
    ["a big package", BIG],
    ["events", `"$CRA" retrieve "fix total" --events jsonl ${QUICKLY}`],
    ["hits", '"$CRA" search total'],
    ["a summary", '"$CRA" index -q'],
    ["a schema", '"$CRA" schema'],
    ["the version", '"$CRA" --version'],
  ])("%s: code 74 and one line", async (_, command) => {
    expect(await shell(`${command} > /dev/full`)).toMatchObject({
      exitCode: 74,
      stdout: "",
      stderr: "cra: standard output: no space left on the disk; nothing more was written\n",
    });
  });

  test("a full disk behind standard error loses only the messages", async () => {
    const [with_, without] = await Promise.all([
      shell('"$CRA" retrieve "fix total" --no-refresh -v --tokenizer approximate'),
      shell('"$CRA" retrieve "fix total" --no-refresh -v --tokenizer approximate 2> /dev/full'),
    ]);
    expect(with_.stderr).not.toBe("");
    expect(without).toMatchObject({ exitCode: 0, stdout: with_.stdout });
  });
});

describe("an output file is written completely or not at all", () => {
  const failure = (words: string) => ({
    exitCode: 74,
    stderr: expect.stringMatching(new RegExp(`^cra: .*/old: ${words}; nothing was changed; [^\\n]*\\n$`)),
  });

  test.skipIf(Bun.which("prlimit") === null)(
    "a write that fails halfway leaves the old content and nothing else",
    async () => {
      writeFileSync(at("old"), "old\n");
      const before = readdirSync(outside.path);
      expect(await shell(`prlimit --fsize=1000000 ${BIG} --force -o "$OUT/old"`)).toMatchObject(
        failure("the file would be too large"),
      );
      expect(readFileSync(at("old"), "utf8")).toBe("old\n");
      expect(readdirSync(outside.path)).toEqual(before);
    },
  );

  test.skipIf(!canMount())("a disk that fills up leaves the old content and nothing else", async () => {
    const run = await shell(
      `mkdir -p "$OUT/disk" && unshare -m sh -c 'mount -t tmpfs -o size=1m cra "$OUT/disk" && echo old > "$OUT/disk/old" && ${BIG} --force -o "$OUT/disk/old"; code=$?; ls -A "$OUT/disk" >&3; cat "$OUT/disk/old" >&3; exit $code' 3>&1 > /dev/null`,
    );
    expect(run).toMatchObject({ ...failure("no space left on the disk"), stdout: "old\nold\n" });
  });

  test.skipIf(process.platform !== "linux")("a name of a pipe is refused as the pipe that it is", async () => {
    const run = await shell(`set +o pipefail; "$CRA" retrieve total ${QUICKLY} -o /dev/stdout | cat`);
    expect(run.stderr).toBe("cra: /dev/stdout: is a pipe, not a file; name another file\n");
  });

  test("without --force, an existing file is refused before any work", async () => {
    writeFileSync(at("kept"), "kept\n");
    const run = await shell('"$CRA" retrieve "fix total" -o "$OUT/kept"; code=$?; cat "$OUT/kept"; exit $code');
    expect(run).toMatchObject({ exitCode: 2, stdout: "kept\n" });
    expect(run.stderr).toContain("add --force to overwrite it");
    const forced = await shell(
      '"$CRA" retrieve "fix total" -o "$OUT/kept" --force -q --tokenizer approximate && head -1 "$OUT/kept"',
    );
    expect(forced).toMatchObject({ exitCode: 0, stdout: "## Task\n", stderr: "" });
  });
});

test("progress is shown on a terminal and then cleared; a pipe gets none", async () => {
  const options = { cwd: repo.path, env: { CRA_INDEX_WORKERS: "1" } };
  await using cra = await openCra(["index", "--rebuild"], options);
  expect(await cra.ended).toEqual({ exitCode: 0, signal: null });
  expect(cra.output()).toContain("\r\x1b[Kparse  40 of 40 B");
  const shown = cra.output().split("\x1b[K").at(-1) ?? "";
  expect(shown).not.toContain("parse  ");
  expect(shown).toContain("indexed ");
  const piped = await runCra(["index", "--rebuild"], options);
  expect(`${piped.stdout}${piped.stderr}`).not.toMatch(/[\r\x1b]|read {2}/);
  await using quiet = await openCra(["index", "--rebuild", "-q"], options);
  expect(await quiet.ended).toEqual({ exitCode: 0, signal: null });
  expect(quiet.output()).not.toMatch(/\x1b|read {2}/);
});
