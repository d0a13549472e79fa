/** Output files on a real disk: written completely or not at all. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../../src/cli/output/write-file.ts";
import { failureLine } from "../../support/failure.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cra-write-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

const failure = (work: () => void): string => failureLine(work).replaceAll(folder, "");

test("writes a new file and leaves nothing else behind", () => {
  writeWhole(at("a.md"), "text é 💡", { force: false });
  expect(readFileSync(at("a.md"), "utf8")).toBe("text é 💡");
  expect(readdirSync(folder)).toEqual(["a.md"]);
});

test("a mode that the system gives no new file is kept", () => {
  writeFileSync(at("shared.md"), "old");
  chmodSync(at("shared.md"), 0o664);
  const umask = process.umask(0o022);
  try {
    writeWhole(at("shared.md"), "new", { force: true });
  } finally {
    process.umask(umask);
  }
  expect(statSync(at("shared.md")).mode & 0o777).toBe(0o664);
});

test("overwrites only with force, and keeps the mode", () => {
  writeFileSync(at("a.md"), "old", { mode: 0o640 });
  expect(failure(() => writeWhole(at("a.md"), "new", { force: false }))).toBe(
    "usage: --output: /a.md exists; add --force to overwrite it",
  );
  expect(readFileSync(at("a.md"), "utf8")).toBe("old");
  writeWhole(at("a.md"), "new", { force: true });
  expect([readFileSync(at("a.md"), "utf8"), statSync(at("a.md")).mode & 0o777]).toEqual(["new", 0o640]);
});

test("a link stays a link, and its target is replaced", () => {
  writeFileSync(at("real.md"), "old");
  symlinkSync("real.md", at("link.md"));
  writeWhole(at("link.md"), "new", { force: true });
  expect(readFileSync(at("real.md"), "utf8")).toBe("new");
  expect(readdirSync(folder).sort()).toEqual(["link.md", "real.md"]);
});

test("a device is written to, not replaced", () => {
  writeWhole("/dev/null", "text", { force: false });
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});

test("a path that cannot be written is refused with the reason", () => {
  mkdirSync(at("folder"));
  symlinkSync("nowhere", at("dangling"));
  expect(failure(() => writeWhole(at("folder"), "x", { force: true }))).toBe(
    "io: /folder: is a folder; name a file in it",
  );
  expect(failure(() => writeWhole(at("no/a.md"), "x", { force: true }))).toBe(
    "io: /no: there is no such folder; create it, or name another file",
  );
  expect(failure(() => writeWhole(at("dangling"), "x", { force: true }))).toStartWith("io: /dangling: ");
  expect(failure(() => writeWhole(at("n".repeat(300)), "x", { force: true }))).toContain("the name is too long");
});

test.skipIf(Bun.which("mkfifo") === null)("a pipe or a socket is refused, not waited for", () => {
  Bun.spawnSync(["mkfifo", at("pipe")]);
  symlinkSync("pipe", at("link"));
  const server = Bun.listen({ unix: at("socket"), socket: { data: () => {} } });
  const refused = (what: string, name: string) => `io: /${name}: is ${what}, not a file; name another file`;
  for (const force of [false, true]) {
    expect(failure(() => writeWhole(at("pipe"), "x", { force }))).toBe(refused("a pipe", "pipe"));
    expect(failure(() => writeWhole(at("link"), "x", { force }))).toBe(refused("a pipe", "link"));
    expect(failure(() => writeWhole(at("socket"), "x", { force }))).toBe(refused("a socket", "socket"));
  }
  server.stop();
});

// A limit on the size of files makes the write itself fail, as a full disk does.
test.skipIf(Bun.which("prlimit") === null)("a write that fails halfway leaves the old content", () => {
  writeFileSync(at("a.md"), "old");
  const program = `
    import { writeWhole } from ${JSON.stringify(join(import.meta.dir, "../../../src/cli/output/write-file.ts"))};
    process.on("SIGXFSZ", () => {});
    try { writeWhole(${JSON.stringify(at("a.md"))}, "x".repeat(300_000), { force: true }); } catch (error) { process.stderr.write(error.message); }
  `;
  writeFileSync(at("program.ts"), program);
  const { stderr } = Bun.spawnSync(["prlimit", "--fsize=100000", process.execPath, at("program.ts")]);
  expect(stderr.toString()).toContain("the file would be too large");
  expect(readFileSync(at("a.md"), "utf8")).toBe("old");
  expect(readdirSync(folder).sort()).toEqual(["a.md", "program.ts"]);
});
