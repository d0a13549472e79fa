/** `--copy`: through real programs or the terminal, and never through a program of the repository. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { copyText } from "../../../src/cli/output/clipboard.ts";
import { outputOn } from "../../../src/cli/output/output.ts";
import { openGuard } from "../../../src/cli/output/redacting-sink.ts";
import type { Sink } from "../../../src/cli/output/sink.ts";
import { type Folder, temporaryFolder, writeFiles } from "../../source/fixture.ts";

const LOOK = { json: false, quiet: false, verbose: false, colour: false, redraws: true };
const TEXT = "code: ü \u{1f600}\n\x1b[2J";

let folder: Folder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

/** Programs that record their input, arguments and folder. */
function program(name: string, at = "bin", code = 0): void {
  const kept = join(folder.path, name);
  writeFiles(folder.path, {
    [`${at}/${name}`]: `#!/bin/sh\n/bin/cat > '${kept}'\necho "$@|$(pwd)|$SECRET|$LC_CTYPE" > '${kept}.how'\nexit ${code}\n`,
  });
  chmodSync(join(folder.path, at, name), 0o755);
}

async function copied(
  variables: Readonly<Record<string, string>>,
  { text = TEXT, terminal = false }: { readonly text?: string; readonly terminal?: boolean } = {},
) {
  const written = { out: "", err: "" };
  const sink = (name: "out" | "err"): Sink => ({
    isTerminal: terminal && name === "err",
    columns: 80,
    write: async (more) => {
      written[name] += more;
    },
  });
  const output = outputOn(sink("out"), sink("err"), LOOK, openGuard());
  const environment = { cwd: folder.path, variables: { PATH: join(folder.path, "bin"), SECRET: "s", ...variables } };
  const rest = { uid: null, processors: 1, program: [], pid: 1, host: "here" };
  const context = { output, environment: { ...environment, ...rest }, signal: new AbortController().signal };
  const failed = await copyText(context, text, join(folder.path, "repo")).then(
    () => "",
    (error: unknown) => String(error),
  );
  return { ...written, failed };
}

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");

test("a system program gets the text, the root folder and few variables", async () => {
  program("xclip");
  program("wl-copy");
  expect(await copied({ DISPLAY: ":0" })).toEqual({
    out: "",
    err: "cra: copied to the clipboard with xclip\n",
    failed: "",
  });
  expect([read("xclip"), read("xclip.how")]).toEqual([TEXT, "-selection clipboard -in|/||UTF-8\n"]);
  expect((await copied({ DISPLAY: ":0", WAYLAND_DISPLAY: "w" })).err).toContain("with wl-copy");
  expect(read("wl-copy")).toBe(TEXT);
});

test("clip.exe gets UTF-16, and after a program that fails the next one is tried", async () => {
  program("pbcopy", "bin", 1);
  program("clip.exe");
  expect((await copied({})).err).toContain("with clip.exe");
  expect(readFileSync(join(folder.path, "clip.exe"))).toEqual(Buffer.from(`\u{feff}${TEXT}`, "utf16le"));
});

test("a program in the repository or in the current folder is never run", async () => {
  program("xclip", "repo/node_modules/.bin");
  program("xclip", ".");
  for (const PATH of [join(folder.path, "repo/node_modules/.bin"), ".", ""])
    expect((await copied({ DISPLAY: ":0", PATH })).failed).toContain("there is no clipboard program and no terminal");
  expect(existsSync(join(folder.path, "xclip.how"))).toBe(false);
});

test("without a program it goes through the terminal, with an envelope for tmux", async () => {
  const sequence = `\x1b]52;c;${Buffer.from(TEXT).toString("base64")}\x07`;
  const said = "cra: sent to the terminal's clipboard (OSC 52), which not every terminal supports\n";
  expect(await copied({}, { terminal: true })).toEqual({ out: "", err: `${sequence}${said}`, failed: "" });
  expect((await copied({ TMUX: "/tmp/t,1,0" }, { terminal: true })).err).toBe(
    `${sequence}\x1bPtmux;\x1b${sequence}\x1b\\${said}`,
  );
  program("pbcopy");
  expect((await copied({ SSH_CONNECTION: "a 1 b 2" }, { terminal: true })).err).toBe(`${sequence}${said}`);
});

test("text that nothing can take is a failure with advice", async () => {
  const long = "x".repeat(60_000);
  const next = "install wl-clipboard or xclip, or write to a file with -o";
  expect((await copied({}, { terminal: true, text: long })).failed).toContain(`too long for a terminal; ${next}`);
  expect((await copied({ TERM: "dumb" }, { terminal: true })).failed).toContain(next);
  expect(await copied({})).toMatchObject({ out: "", err: "" });
});
