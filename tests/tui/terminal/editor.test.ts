/** The user's editor: real programs in its place. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { editFile, editorOf, editText } from "../../../src/tui/terminal/editor.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cra-editor-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An editor of a few lines of shell. */
function script(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

const PATH = process.env.PATH ?? "";

test("what the editor leaves is the text, and its copy is gone", async () => {
  const seen = join(folder, "seen");
  const editor = script("adding", `printf '%s' "$1" > '${seen}'\nprintf ' and ü\\n' >> "$1"`);
  expect(await editText("first\nsecond", { PATH, EDITOR: editor })).toBe("first\nsecond and ü\n");
  expect(existsSync(dirname(readFileSync(seen, "utf8")))).toBe(false);
});

test("options in the variable hold, VISUAL comes first, and vi is the last resort", async () => {
  const editor = script("with options", 'test "$1" = --wait && printf changed > "$2"');
  expect(await editText("x", { PATH, VISUAL: `'${editor}' --wait`, EDITOR: "false" })).toBe("changed");
  expect([editorOf({}), editorOf({ EDITOR: " " }), editorOf({ EDITOR: "nano" })]).toEqual(["vi", "vi", "nano"]);
});

test("an editor that fails or is not there is a failure in words, and leaves nothing", async () => {
  await expect(editText("x", { PATH, EDITOR: "exit 3;" })).rejects.toThrow(
    /the editor: exited with code 3; set EDITOR/,
  );
  await expect(editText("x", { PATH, EDITOR: "/no/such/editor" })).rejects.toThrow("cannot be started");
  await expect(editText("x", { PATH, EDITOR: script("eating", 'rm "$1"') })).rejects.toThrow("the editor: ");
});

test("a line goes to editors that take one, to others only the path", async () => {
  const words = join(folder, "words");
  const lines = `printf '%s\\n' "$@" > '${words}'`;
  await editFile("/r/a b.ts", 12, { PATH, EDITOR: script("nano", lines) });
  expect(readFileSync(words, "utf8")).toBe("+12\n/r/a b.ts\n");
  await editFile("/r/a b.ts", 12, { PATH, EDITOR: script("other", lines) });
  expect(readFileSync(words, "utf8")).toBe("/r/a b.ts\n");
});
