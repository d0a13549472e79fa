/** The process itself: streams that close or fill up, signals, bugs. Runs `main-process.ts` from source. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../support/folder.ts";
import { shared } from "../support/shared.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const PROCESS = join(import.meta.dir, "../../src/main-process.ts");
const SINK = JSON.stringify(join(import.meta.dir, "../../src/cli/output/sink.ts"));
const folder = shared(tempFolder()).path;
// Only the work is replaced, by `start.ts` below.
const main = readFileSync(PROCESS, "utf8").replaceAll(/"\.\/([a-z/-]+)\.ts"/g, (_, name) =>
  JSON.stringify(join(import.meta.dir, `../../src/${name}.ts`)),
);
const start = 'const { start } = await import("./start.ts");';
writeFileSync(join(folder, "main.ts"), main.replace(/const \{ start \} = await import\([^)]*\);/, start));
writeFileSync(
  join(folder, "start.ts"),
  `export async function start({ out, err, signal }) {
       const job = process.env.JOB;
       if (job === "big") { await out.write("x".repeat(5_000_000)); return 0; }
       if (job === "many") { for (;;) await out.write("y\\n".repeat(1000)); }
       if (job === "late") { setTimeout(() => { throw new Error("late \\x1b[2J bug"); }, 5); await new Promise(() => {}); }
       if (job === "rejected") { Promise.reject(new Error("rejected bug")); await new Promise((r) => setTimeout(r, 1000)); return 0; }
       if (job === "deaf") { await err.write("ready\\n"); await new Promise((r) => setTimeout(r, 60_000)); return 0; }
       if (job === "pressed again") { signal.addEventListener("abort", () => process.kill(process.pid, "SIGINT")); await err.write("ready\\n"); await new Promise((r) => setTimeout(r, 60_000)); return 0; }
       if (job === "polite") { await err.write("ready\\n"); const work = setInterval(() => {}, 50); await new Promise((r) => signal.addEventListener("abort", r)); clearInterval(work); return 130; }
       if (job === "forgotten") await new Promise(() => {});
       return 0;
     }`,
);

function shell(command: string, job = "") {
  const { stdout, stderr, exitCode } = Bun.spawnSync(["bash", "-c", command], {
    env: {
      ...Bun.env,
      BUN: process.execPath,
      MAIN,
      FAKE: join(folder, "main.ts"),
      JOB: job,
      XDG_STATE_HOME: join(folder, "state"),
      CRA_DEBUG: "",
    },
  });
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
}

describe("streams", () => {
  test("a large output reaches a slow reader completely", () => {
    expect(shell('"$BUN" "$FAKE" | (sleep 0.2; wc -c); exit $PIPESTATUS', "big")).toEqual({
      out: "5000000\n",
      err: "",
      code: 0,
    });
  });
  test.each(["big", "many"])("a closed pipe ends it quietly: %s", (job) => {
    expect(shell('"$BUN" "$FAKE" | head -c 10 > /dev/null; exit $PIPESTATUS', job)).toEqual({
      out: "",
      err: "",
      code: 0,
    });
  });
  test.each([
    ["work", '"$BUN" "$FAKE" > /dev/full', "big"],
    ["help", '"$BUN" "$MAIN" --help > /dev/full', ""],
    ["an error as JSON", 'cd /; "$BUN" "$MAIN" explain 0000000000 --json --repo /none > /dev/full', ""],
  ])("a full disk is reported with code 74: %s", (_, command, job) => {
    const { err, code } = shell(command, job);
    expect(err).toContain("cra: standard output: no space left on the disk; nothing more was written\n");
    expect(code).toBe(74);
  });
  test.skipIf(process.platform !== "linux")(
    "a standard output that was never open fails once something is to be written",
    () => {
      for (const words of ["--version", "--help", "schema package"]) {
        expect(shell(`"$BUN" "$MAIN" ${words} >&-`)).toEqual({
          out: "",
          err: "cra: standard output is closed; nothing was written\n",
          code: 74,
        });
      }
      expect(shell('"$BUN" "$MAIN" --version > /dev/null').code).toBe(0);
      expect(shell('"$BUN" "$MAIN" --version <&- 1<> /dev/null').code).toBe(0);
    },
  );
  test("a closed standard error is not an error", () => {
    expect(shell('"$BUN" "$MAIN" nonsense 2>&-').code).toBe(2);
    expect(shell('"$BUN" "$MAIN" nonsense 2> /dev/full').code).toBe(2);
  });
});

describe("bugs", () => {
  test.each(["late", "rejected"])("one line, code 70, the stack in a file: %s", (job) => {
    const { out, err, code } = shell('"$BUN" "$FAKE"', job);
    expect([out, code, err.trim().split("\n").length]).toEqual(["", 70, 1]);
    expect(err).toStartWith("cra: internal error: ");
    expect(err).not.toContain("\x1b");
    const path = /details in ([^)]+)\)/.exec(err)?.[1] ?? "";
    expect(readFileSync(path, "utf8")).toContain("start.ts");
    expect(shell('"$BUN" "$FAKE"', job).err).toBe(err);
  });
  test("a run that stops with nothing left to wait for is an error", () => {
    const { err, code } = shell('"$BUN" "$FAKE"', "forgotten");
    expect(code).toBe(70);
    expect(err).toMatch(/^cra: internal error: the command stopped before its end, [^\n]*\n$/);
  });
  test("with CRA_DEBUG=1 the stack goes to stderr and not to a file", () => {
    const before = readdirSync(join(folder, "state/cra/log")).length;
    const { err, code } = shell('CRA_DEBUG=1 "$BUN" "$FAKE"', "late");
    expect([err.includes("start.ts"), code, readdirSync(join(folder, "state/cra/log")).length]).toEqual([
      true,
      70,
      before,
    ]);
  });
});

describe("signals", () => {
  /** Sends a signal when the program is ready; the exit code and the output after that. */
  async function ended(job: string, signal: NodeJS.Signals) {
    const child = Bun.spawn([process.execPath, join(folder, "main.ts")], {
      env: { ...Bun.env, JOB: job },
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = child.stderr.getReader();
    await reader.read();
    child.kill(signal);
    const code = await child.exited;
    const rest = await reader.read();
    return { code, err: rest.value ? new TextDecoder().decode(rest.value) : "" };
  }
  test.each([
    ["SIGINT", 130],
    ["SIGQUIT", 131],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends a run that does not listen", async (signal, code) => {
    expect(await ended("deaf", signal)).toEqual({ code, err: `cra: stopped by ${signal}\n` });
  });
  test("a run that handles the signal ends by itself", async () => {
    expect(await ended("polite", "SIGINT")).toEqual({ code: 130, err: "" });
  });
  test("a second Ctrl-C ends it at once", async () => {
    expect(await ended("pressed again", "SIGINT")).toEqual({ code: 130, err: "" });
  });
});

// Only strace tells which files a process opens.
test.skipIf(Bun.which("strace") === null)(
  "--version and --help load neither tokenizer, grammars, interface nor database",
  () => {
    for (const words of ["--version", "--help", "retrieve --help", "completions bash"]) {
      const { code, err } = shell(
        `strace --seccomp-bpf -f -e trace=openat -o "${folder}/trace" "$BUN" "$MAIN" ${words}`,
      );
      expect([code, err]).toEqual([0, ""]);
      const opened = readFileSync(join(folder, "trace"), "utf8");
      expect(opened).toContain("/src/main.ts");
      expect(opened).not.toMatch(/gpt-tokenizer|tree-sitter|node_modules\/(ink|react)\/|src\/db\/|\.sqlite/);
    }
  },
);

test("the process uses the sink under test", () => {
  expect(readFileSync(join(folder, "main.ts"), "utf8")).toContain(SINK.slice(1, -1));
});
