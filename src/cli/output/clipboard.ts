/**
 * `--copy`: puts a text on the clipboard, with a program of the system or else through the terminal (OSC 52).
 *
 * Only programs in absolute folders of PATH outside the repository are run, without a shell. In an SSH session only those
 * that use a forwarded display can help. A terminal does not report whether it copied, so the message says so.
 */
import type { Variables } from "../../config/variables.ts";
import { Failed } from "../../failure.ts";
import { findProgram } from "../../source/git/find-program.ts";
import type { Context } from "../syntax/command.ts";

/** `display`: the variable that a program needs; a program without one works only on this machine. */
type Program = {
  readonly name: string;
  readonly args: readonly string[];
  readonly display?: "WAYLAND_DISPLAY" | "DISPLAY";
  readonly encoding: "utf8" | "utf16le";
};

/** Tried in this order. */
const PROGRAMS: readonly Program[] = [
  { name: "pbcopy", args: [], encoding: "utf8" },
  { name: "wl-copy", args: ["--type", "text/plain"], display: "WAYLAND_DISPLAY", encoding: "utf8" },
  { name: "xclip", args: ["-selection", "clipboard", "-in"], display: "DISPLAY", encoding: "utf8" },
  { name: "xsel", args: ["--clipboard", "--input"], display: "DISPLAY", encoding: "utf8" },
  { name: "clip.exe", args: [], encoding: "utf16le" },
];

/** The environment of these programs. `pbcopy` needs the locale to read text as UTF-8. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "DISPLAY",
  "XAUTHORITY",
  "WAYLAND_DISPLAY",
  "XDG_RUNTIME_DIR",
  "SystemRoot",
  "__CF_USER_TEXT_ENCODING",
] as const;
const LOCALE = { LC_CTYPE: "UTF-8" };
const TIMEOUT_MS = 10_000;

/** Copies, and says how. Throws an `io` failure when nothing could take the text. */
export async function copyText(
  { environment: { variables }, output, signal }: Pick<Context, "environment" | "output" | "signal">,
  text: string,
  root: string,
): Promise<void> {
  const isRemote = Boolean(variables.SSH_CONNECTION ?? variables.SSH_TTY);
  for (const { name, args, display, encoding } of PROGRAMS) {
    if (display === undefined ? isRemote : !variables[display]) continue;
    const executable = findProgram(name, variables, root);
    if (executable === null) continue;
    const bytes = encoding === "utf8" ? Buffer.from(text) : Buffer.from(`\u{feff}${text}`, "utf16le");
    if (await took([executable, ...args], bytes, variables, signal))
      return await output.say(`cra: copied to the clipboard with ${name}`);
    signal.throwIfAborted();
  }
  const { clipboardSequence } = await import("../../tui/terminal/clipboard.ts");
  const sequence = clipboardSequence(text);
  const isSent =
    sequence !== null && variables.TERM !== "dumb" && (await output.toTerminal(wrapped(sequence, variables)));
  if (isSent)
    return await output.say("cra: sent to the terminal's clipboard (OSC 52), which not every terminal supports");
  throw new Failed({
    code: "io",
    where: "--copy",
    message:
      sequence === null
        ? "there is no clipboard program, and the text is too long for a terminal"
        : "there is no clipboard program and no terminal",
    next: "install wl-clipboard or xclip, or write to a file with -o",
  });
}

/** Whether a program has taken the bytes. */
async function took(command: string[], bytes: Uint8Array, variables: Variables, signal: AbortSignal): Promise<boolean> {
  const known = PASSED_ON.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]] as const]));
  try {
    const child = Bun.spawn(command, {
      cwd: "/",
      env: { ...Object.fromEntries(known), ...LOCALE },
      stdin: bytes,
      stdout: "ignore",
      stderr: "ignore",
      timeout: TIMEOUT_MS,
      signal,
    });
    return (await child.exited) === 0;
  } catch {
    // It exists but cannot be run; the next one may work.
    return false;
  }
}

/** Depending on its settings tmux takes the sequence itself or passes on an envelope, so it gets both. */
const wrapped = (sequence: string, { TMUX }: Variables): string =>
  TMUX ? `${sequence}\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\` : sequence;
