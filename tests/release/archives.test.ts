/** Archives contain what was packed, open in other tools, and are reproducible. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { crc32, inflateRawSync } from "node:zlib";
import { untar } from "../../scripts/bench/untar.ts";
import { papers } from "../../scripts/release/archives.ts";
import { checksumsOf, readChecksums } from "../../scripts/release/evidence/checksums.ts";
import { type Packed, tar } from "../../scripts/release/tar.ts";
import { zip } from "../../scripts/release/zip.ts";
import { tempFolder } from "../support/folder.ts";

const FILES: readonly Packed[] = [
  { path: "cra-1/cra", content: Buffer.from("#!/bin/sh\necho cra\n".repeat(1000)), runs: true },
  { path: "cra-1/empty", content: new Uint8Array(0), runs: false },
  { path: "cra-1/größe.txt", content: Buffer.from("x".repeat(512)), runs: false },
];

test("tar unpacks the archive and keeps executable files executable", () => {
  using folder = tempFolder();
  const archive = join(folder.path, "a.tar");
  writeFileSync(archive, tar(FILES));
  expect(Bun.spawnSync(["tar", "-xf", archive, "-C", folder.path]).exitCode).toBe(0);
  for (const { path, content } of FILES) expect(readFileSync(join(folder.path, path))).toEqual(Buffer.from(content));
  expect(statSync(join(folder.path, "cra-1/cra")).mode & 0o777).toBe(0o755);
  expect(statSync(join(folder.path, "cra-1/empty")).mode & 0o777).toBe(0o644);
  expect([...untar(tar(FILES))].map(({ path }) => path)).toEqual(FILES.map(({ path }) => path));
});

test.each(["ustar", "gnu", "pax"])("long paths of an archive by %s are whole, and links are left out", (format) => {
  using folder = tempFolder();
  const path = `${"a-long-name/".repeat(15)}file.txt`;
  mkdirSync(join(folder.path, dirname(path)), { recursive: true });
  for (const [name, content] of [
    [path, "deep"],
    ["other.txt", "flat"],
  ] as const)
    writeFileSync(join(folder.path, name), content);
  symlinkSync("/etc/passwd", join(folder.path, "link"));
  const names = [`--format=${format}`, "-cf", "-", "a-long-name", "link", "other.txt"];
  const archive = Bun.spawnSync(["tar", ...names], { cwd: folder.path }).stdout;
  const files = [...untar(archive)].map((file) => [file.path, Buffer.from(file.content).toString()]);
  expect(files).toEqual([
    [path, "deep"],
    ["other.txt", "flat"],
  ]);
});

test("with folders, each comes before what is in it", () => {
  const listed = Bun.spawnSync(["tar", "-tf", "-"], { stdin: tar(FILES, { folders: true }) }).stdout.toString();
  expect(listed.split("\n").slice(0, 2)).toEqual(["cra-1/", "cra-1/cra"]);
});

test("a zip lists every file with its offset, size and checksum", () => {
  const bytes = Buffer.from(zip(FILES));
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  let at = bytes.readUInt32LE(end + 16);
  for (const { path, content, runs } of FILES) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [packed, size, nameBytes] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    expect(bytes.subarray(at + 46, at + 46 + nameBytes).toString("utf8")).toBe(path);
    expect(bytes.readUInt32LE(at + 16)).toBe(crc32(content));
    expect(size).toBe(content.length);
    expect((bytes.readUInt32LE(at + 38) >>> 16) & 0o777).toBe(runs ? 0o755 : 0o644);
    const local = bytes.readUInt32LE(at + 42);
    expect(bytes.readUInt32LE(local)).toBe(0x04034b50);
    const from = local + 30 + bytes.readUInt16LE(local + 26);
    expect(inflateRawSync(bytes.subarray(from, from + packed))).toEqual(Buffer.from(content));
    at += 46 + nameBytes;
  }
  expect(at).toBe(end);
});

test("the same files give the same bytes", () => {
  expect(tar(FILES)).toEqual(tar(FILES));
  expect(zip(FILES)).toEqual(zip(FILES));
  expect(() => tar([{ path: "a".repeat(101), content: new Uint8Array(0), runs: false }])).toThrow("too long");
});

test("checksums are in sha256sum's format, and read back", () => {
  const [a, b] = [`${"a".repeat(64)}`, `${"b".repeat(64)}`];
  const text = checksumsOf([
    { name: "install.sh", sha256: a },
    { name: "aur/PKGBUILD", sha256: b },
  ]);
  expect(text).toBe(`${b}  aur/PKGBUILD\n${a}  install.sh\n`);
  expect([...readChecksums(text)]).toEqual([
    ["aur/PKGBUILD", b],
    ["install.sh", a],
  ]);
  expect(() => readChecksums("no checksum\n")).toThrow("not a line of checksums");
});

test("documents are packed with every file they link to", () => {
  const packed = papers(join(import.meta.dir, "../.."), "1.0.0");
  const paths = packed.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths).toEqual(
    expect.arrayContaining([
      "README.md",
      "SECURITY.md",
      "docs/reference.md",
      "docs/decisions/token-counter.md",
      "tests/golden/pictures/review.svg",
      "cra.1",
    ]),
  );
  for (const { path, content } of packed.filter((one) => one.path.endsWith(".md")))
    for (const [, target = ""] of Buffer.from(content)
      .toString()
      .matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
      expect([
        target,
        paths.some((one) => `${one}/`.startsWith(`${posix.join(posix.dirname(path), target)}/`)),
      ]).toEqual([target, true]);
});
