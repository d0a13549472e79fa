/**
 * A second, independent terminal beside `terminal-session.ts`: a shell in a tmux pane that starts, stops and resumes
 * programs.
 *
 * Every session has its own server without settings. `hasTmux` is false on machines without tmux.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment } from "./run-cra.ts";
import { DEADLINE_MS } from "./terminal-session.ts";

export const hasTmux = Bun.which("tmux") !== null;

export type Pane = AsyncDisposable & {
  /** Types bytes into the pane. */
  type(bytes: string): void;
  /** Waits until the pane matches, and returns its content. */
  until(wanted: string | RegExp | ((text: string) => boolean)): Promise<string>;
  text(): string;
  resize(columns: number, rows: number): void;
  /** A format variable of the pane: `alternate_on`, `cursor_flag`, `pane_title`. */
  ask(format: string): string;
  /** The clipboard content that programs have set. */
  clipboard(): string;
};

/** The prompt of the shell in the pane. */
export const PROMPT = "ready> ";

export async function openPane(options: {
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Pane> {
  const { cwd, columns = 80, rows = 24, env = {} } = options;
  const home = mkdtempSync(join(tmpdir(), "cra-pane-"));
  const run = (...args: readonly string[]): string => {
    const { stdout, stderr, success } = Bun.spawnSync(
      ["tmux", "-S", join(home, "socket"), "-f", "/dev/null", ...args],
      {
        env: cleanEnvironment(home),
        cwd,
      },
    );
    if (!success) throw new Error(`tmux ${args.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  };
  const variables = Object.entries({ PS1: PROMPT, ...env }).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  run("new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, ...variables, "bash", "--norc", "--noprofile", "-i");
  run("set-option", "-g", "status", "off");
  run("set-option", "-s", "set-clipboard", "on");
  run("set-option", "-s", "escape-time", "0");
  run("resize-window", "-x", `${columns}`, "-y", `${rows}`);
  const text = (): string => run("capture-pane", "-p").trimEnd();
  const pane: Pane = {
    type(bytes) {
      const hex = [...new TextEncoder().encode(bytes)].map((byte) => byte.toString(16).padStart(2, "0"));
      run("send-keys", "-H", ...hex);
    },
    async until(wanted) {
      const started = performance.now();
      for (;;) {
        const shown = text();
        if (
          typeof wanted === "string"
            ? shown.includes(wanted)
            : wanted instanceof RegExp
              ? wanted.test(shown)
              : wanted(shown)
        )
          return shown;
        if (performance.now() - started > DEADLINE_MS) throw new Error(`tmux never showed ${wanted}\n${shown}`);
        await Bun.sleep(20);
      }
    },
    text,
    resize: (newColumns, newRows) => void run("resize-window", "-x", `${newColumns}`, "-y", `${newRows}`),
    ask: (format) => run("display-message", "-p", `#{${format}}`).trim(),
    clipboard: () => (run("list-buffers").trim() === "" ? "" : run("show-buffer")),
    async [Symbol.asyncDispose]() {
      run("kill-server");
      rmSync(home, { recursive: true, force: true });
    },
  };
  await pane.until(PROMPT.trim());
  return pane;
}
