/** Files are listed and read only below their folder, whatever it contains. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  type ListedFile,
  type ListOptions,
  listedFileReader,
  listFiles,
} from "../../../src/source/walk/sandboxed-reader.ts";
import { type TempRepo, tempRepo } from "../../support/repo.ts";

const SIGNAL = new AbortController().signal;
const WHOLE = { bytesMax: 1_000, of: "head" } as const;

let repo: TempRepo;
beforeEach(() => {
  repo = tempRepo({ "docs/a.md": "a", "docs/deep/er/b.md": "b", "src/c.py": "c", "outside.txt": "no" });
});
afterEach(() => repo[Symbol.dispose]());

const listed = (under: readonly string[], change: Partial<ListOptions> = {}) =>
  listFiles(repo.path, { under, ignore: null, without: [], isWanted: () => true, signal: SIGNAL, ...change });
const pathsIn = async (...args: Parameters<typeof listed>): Promise<readonly string[]> =>
  (await listed(...args)).files.map(({ path }) => path);
const GIT = { ignore: { patterns: [], variables: {} } };

async function fileAt(path: string): Promise<ListedFile> {
  const found = (await listed([path])).files[0];
  if (found === undefined) throw new Error(`${path} is not listed`);
  return found;
}
const textOf = (file: ListedFile, part: Parameters<ReturnType<typeof listedFileReader>>[1] = WHOLE) => {
  const read = listedFileReader(repo.path)(file, part);
  if (read.kind === "problem") return read.why;
  const decoder = new TextDecoder();
  return [decoder.decode(read.head), read.tail === null ? null : decoder.decode(read.tail), read.isWhole];
};

describe("listing", () => {
  test("lists files below the named folders, sorted and distinct", async () => {
    expect(await pathsIn(["src", "docs", "docs/deep", "outside.txt"])).toEqual([
      "docs/a.md",
      "docs/deep/er/b.md",
      "outside.txt",
      "src/c.py",
    ]);
    expect(await pathsIn([""])).toHaveLength(4);
    expect(await pathsIn(["docs"], { isWanted: (path, size) => path.endsWith("b.md") && size === 1 })).toEqual([
      "docs/deep/er/b.md",
    ]);
    expect(await pathsIn(["docs"], { without: [join(repo.path, "docs/deep")] })).toEqual(["docs/a.md"]);
    expect(await pathsIn(["docs/deep", "src"], { without: [join(repo.path, "docs/deep")] })).toEqual(["src/c.py"]);
  });
  test.each(["..", "docs/..", "../x", "/etc", "docs//a", "./docs", "docs/", "C:/x/..", "a\0b", ".git", "docs/.cra"])(
    "%p is no folder to look in",
    async (under) => expect(await listed([under])).toMatchObject({ files: [], problems: [{ path: under }] }),
  );
  test("no link is followed anywhere; pipes, sockets and devices are not files", async () => {
    using outside = tempRepo({ "secret.md": "secret" });
    symlinkSync(outside.path, join(repo.path, "docs/out"));
    symlinkSync(outside.path, join(repo.path, "linked"));
    symlinkSync("a.md", join(repo.path, "docs/inside.md"));
    symlinkSync("/dev/zero", join(repo.path, "docs/zero"));
    Bun.spawnSync(["mkfifo", join(repo.path, "docs/pipe")]);
    const socket = createServer().listen(join(repo.path, "docs/socket"));
    await new Promise((resolve) => socket.once("listening", resolve));
    expect(await pathsIn(["docs"])).toEqual(["docs/a.md", "docs/deep/er/b.md"]);
    socket.close();
    for (const under of ["linked", "docs/out", "docs/inside.md", "docs/out/secret.md"])
      expect(await listed([under])).toMatchObject({
        files: [],
        problems: [{ path: under, why: "it is a symbolic link, which cra does not follow" }],
      });
    expect((await listed(["docs/zero"])).files).toEqual([]);
    expect((await listed(["docs/pipe"])).problems[0]?.why).toBe("it is neither a file nor a folder");
  });
  test("never lists .git, .cra or another repository; ignored files only on request", async () => {
    repo.write({
      "docs/.git/config": "x",
      "docs/.cra/x": "x",
      "src/.cra/x": "x",
      ".gitignore": "*.log\n",
      "src/deep/.gitignore": "/kept.py\n",
      "src/deep/kept.py": "x",
      "src/deep/z.py": "x",
      "src/x.log": "x",
      "src/.craignore": "no/\n",
      "src/no/x": "x",
    });
    expect(await pathsIn(["docs"])).toEqual(["docs/a.md", "docs/deep/er/b.md"]);
    expect(await listed(["docs"], GIT)).toMatchObject({
      files: [],
      problems: [{ why: "it is a separate repository" }],
    });
    repo.git("init", "--quiet");
    for (const under of [".git", "src/.cra", "docs/.git/config"])
      expect(await listed([under])).toMatchObject({ files: [], problems: [{ path: under }] });
    expect(await pathsIn(["src"], GIT)).toEqual(["src/.craignore", "src/c.py", "src/deep/.gitignore", "src/deep/z.py"]);
    expect(await pathsIn(["src/deep"], GIT)).toEqual(["src/deep/.gitignore", "src/deep/z.py"]);
    expect(await pathsIn(["src/no"], GIT)).toEqual(["src/no/x"]);
    const patterns = { ignore: { patterns: ["z.*"], variables: {} } };
    expect(await pathsIn(["src/deep"], patterns)).toEqual(["src/deep/.gitignore"]);
    expect(await pathsIn(["src"])).toContain("src/x.log");
  });
  test("continues after unreadable entries and stops on a signal", async () => {
    expect(await listed(["docs", "nowhere", "src/c.py/x"])).toMatchObject({
      files: [{ path: "docs/a.md" }, { path: "docs/deep/er/b.md" }],
      problems: [
        { path: "nowhere", why: "it does not exist" },
        { path: "src/c.py/x", why: "not a folder" },
      ],
    });
    Bun.spawnSync(["bash", "-c", 'printf x > "$0"/docs/$(printf "\\377").md', repo.path]);
    expect((await listed(["docs"])).problems[0]?.why).toBe("its name is not UTF-8");
    await expect(listed(["docs"], { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    let path = "src";
    for (let depth = 0; depth < 70; depth++) path += "/d";
    mkdirSync(join(repo.path, path), { recursive: true });
    expect((await listed(["src"])).problems[0]?.why).toBe("it is more than 64 folders deep");
  });
});

describe("reading", () => {
  test("reads a small file completely, a larger one at its beginning or both ends", async () => {
    repo.write({ "x.log": "0123456789" });
    const file = await fileAt("x.log");
    expect(textOf(file)).toEqual(["0123456789", null, true]);
    expect(textOf(file, { bytesMax: 10, of: "ends" })).toEqual(["0123456789", null, true]);
    expect(textOf(file, { bytesMax: 4, of: "head" })).toEqual(["0123", null, false]);
    expect(textOf(file, { bytesMax: 4, of: "ends" })).toEqual(["01", "89", false]);
    repo.write({ "x.log": "0123456789abcdef" });
    expect(textOf(file)).toEqual(["0123456789abcdef", null, true]);
    chmodSync(join(repo.path, "x.log"), 0o444);
    expect(textOf(file)).toEqual(["0123456789abcdef", null, true]);
  });
  test("refuses files that replaced a listed one, even through a folder that became a link", async () => {
    using outside = tempRepo({ "deep/er/b.md": "secret", "a.md": "secret" });
    const [a, b] = [await fileAt("docs/a.md"), await fileAt("docs/deep/er/b.md")];
    renameSync(join(repo.path, "docs/deep"), join(repo.path, "docs/was"));
    symlinkSync(join(outside.path, "deep"), join(repo.path, "docs/deep"));
    expect(readFileSync(join(repo.path, "docs/deep/er/b.md"), "utf8")).toBe("secret");
    expect(textOf(b)).toBe("lies outside the repository");
    renameSync(join(repo.path, "docs/a.md"), join(repo.path, "docs/b.md"));
    expect(textOf(a)).toBe("it no longer exists");
    symlinkSync(join(outside.path, "a.md"), join(repo.path, "docs/a.md"));
    expect(textOf(a)).toBe("not a regular file");
    rmSync(join(repo.path, "docs/a.md"));
    Bun.spawnSync(["mkfifo", join(repo.path, "docs/a.md")]);
    expect(textOf(a)).toBe("not a regular file");
    expect(textOf({ ...a, path: "../x" })).toBe("not a path inside the folder");
    expect(textOf({ ...a, path: "/etc/passwd" })).toBe("not a path inside the folder");
  });
  test("finds the same file under another name", async () => {
    const file = await fileAt("docs/a.md");
    linkSync(join(repo.path, "docs/a.md"), join(repo.path, "docs/z.md"));
    expect(textOf({ ...file, path: "docs/z.md" })).toEqual(["a", null, true]);
  });
});
