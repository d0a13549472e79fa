/** The user's editor: real programs in its place. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { editFile, editorOf, editText } from "../../../src/tui/terminal/editor.ts";
import { tempFolder } from "../../support/folder.ts";
import { shared } from "../../support/shared.ts";

const folder = shared(tempFolder()).path;

/** An editor of a few lines of shell. */
function script(name: string, lines: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

const PATH = process.env.PATH ?? "";

test("the text is what the editor saved, and its temporary file is removed", async () => {
  const seen = join(folder, "seen");
  const editor = script("adding", `printf '%s' "$1" > '${seen}'\nprintf ' and ü\\n' >> "$1"`);
  expect(await editText("first\nsecond", { PATH, EDITOR: editor })).toBe("first\nsecond and ü\n");
  expect(existsSync(dirname(readFileSync(seen, "utf8")))).toBe(false);
});

test("options in the variable are used, VISUAL takes precedence, and vi is the default", async () => {
  const editor = script("with options", 'test "$1" = --wait && printf changed > "$2"');
  expect(await editText("x", { PATH, VISUAL: `'${editor}' --wait`, EDITOR: "false" })).toBe("changed");
  expect([editorOf({}), editorOf({ EDITOR: " " }), editorOf({ EDITOR: "nano" })]).toEqual(["vi", "vi", "nano"]);
});

test("a text that cannot be written for the editor is a failure of its folder, not of the editor", async () => {
  const failing = editText("x", { PATH, EDITOR: "true" }, `${"long".repeat(100)}.md`);
  await expect(failing).rejects.toThrow(`${tmpdir()}: `);
  await expect(failing).rejects.toThrow("set TMPDIR to a folder that you can write");
});

test("a failing or missing editor is a failure with a message, and leaves no file", async () => {
  await expect(editText("x", { PATH, EDITOR: "exit 3;" })).rejects.toThrow(
    /the editor: exited with code 3; set EDITOR/,
  );
  await expect(editText("x", { PATH, EDITOR: "/no/such/editor" })).rejects.toThrow("cannot be started");
  await expect(editText("x", { PATH, EDITOR: script("eating", 'rm "$1"') })).rejects.toThrow("the editor: ");
});

test("a text that is too long stays in its file, which the failure names", async () => {
  const editor = script("writing", 'head -c 1048577 /dev/zero | tr "\\0" x > "$1"');
  const failure = String(await editText("x", { PATH, EDITOR: editor }).catch((error: unknown) => error));
  expect(failure).toContain("what you wrote was saved; shorten it there");
  const [path = ""] = /\/\S+\/task\.md/.exec(failure) ?? [];
  expect(readFileSync(path, "utf8")).toHaveLength(1_048_577);
  rmSync(dirname(path), { recursive: true });
});

test("editors that accept a line number get one, others only the path", async () => {
  const words = join(folder, "words");
  const lines = `printf '%s\\n' "$@" > '${words}'`;
  await editFile("/r/a b.ts", 12, { PATH, EDITOR: script("nano", lines) });
  expect(readFileSync(words, "utf8")).toBe("+12\n/r/a b.ts\n");
  await editFile("/r/a b.ts", 12, { PATH, EDITOR: script("other", lines) });
  expect(readFileSync(words, "utf8")).toBe("/r/a b.ts\n");
});
