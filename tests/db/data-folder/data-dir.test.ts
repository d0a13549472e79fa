/** The choice and creation of data folders. */
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import {
  chooseDataDir,
  createDataDir,
  type DataDirFacts,
  locateDataDir,
} from "../../../src/db/data-folder/data-dir.ts";
import { indexTracks, tracksFolder } from "../../../src/db/data-folder/tracked.ts";
import { sentence } from "../../../src/failure.ts";
import { failureOf } from "../../support/failure.ts";
import { tempRepo } from "../../support/repo.ts";
import { folder } from "../folder.ts";

const FACTS: DataDirFacts = {
  repo: "/repo",
  explicit: null,
  entry: { kind: "absent", uid: null, writable: false, link: null },
  tracked: false,
  repoWritable: true,
  uid: 1000,
  stateHome: "/state",
  stateUsable: true,
};
/** The number 16,200,000 as version 4 writes it. */
const ALL_DROPPED = [0x86, 0xdb, 0xe1, 0x40];
const OWN = { kind: "directory", uid: 1000, writable: true, link: null } as const;

describe("choosing", () => {
  const check = (name: string, facts: Partial<DataDirFacts>, path: RegExp, why: string | null): void =>
    test(name, () => {
      const chosen = chooseDataDir({ ...FACTS, ...facts });
      expect(chosen.path).toMatch(path);
      expect(chosen.notice?.code === "data-dir-ignored" ? chosen.notice.why : null).toBe(why);
      expect(chosen.inRepository).toBe(chosen.path === "/repo/.cra");
    });
  const state = /^\/state\/cra\/[0-9a-f]{32}$/;
  check("a fresh repository keeps its own", {}, /^\/repo\/.cra$/, null);
  check("an index of ours is used again", { entry: OWN }, /^\/repo\/.cra$/, null);
  check("what is asked for wins, over distrust too", { explicit: "/data", tracked: true }, /^\/data$/, null);
  check("a repository that cannot be written", { repoWritable: false }, state, null);
  check("its folder can be written though", { repoWritable: false, entry: OWN }, /^\/repo\/.cra$/, null);
  check("a folder that cannot be written", { entry: { ...OWN, writable: false } }, state, null);
  check("a link", { entry: { ...OWN, kind: "link" } }, state, "it is a symbolic link");
  check(
    "a folder with a link in it",
    { entry: { ...OWN, link: "sessions" } },
    state,
    "sessions in it is a symbolic link",
  );
  check("a file", { entry: { ...OWN, kind: "other" } }, state, "it is not a folder");
  check(
    "a tracked folder",
    { entry: OWN, tracked: true },
    state,
    "it is tracked by git, so it may come from someone else",
  );
  check("someone else's folder", { entry: { ...OWN, uid: 0 } }, state, "it is owned by another user");
  const homeless = { stateHome: null, stateUsable: false } as const;
  check("a repository that can be written needs no home", homeless, /^\/repo\/.cra$/, null);
  check("what is asked for needs no home", { ...homeless, explicit: "/data", tracked: true }, /^\/data$/, null);
  const unwritable = { entry: { ...OWN, writable: false }, repoWritable: false } as const;
  check(
    "an index of ours is read where nothing can be written",
    { ...unwritable, ...homeless },
    /^\/repo\/.cra$/,
    null,
  );
  check("or where the home cannot be", { ...unwritable, stateUsable: false }, /^\/repo\/.cra$/, null);
  test("a folder that is not trusted is not read for want of a home", () => {
    const choose = () => chooseDataDir({ ...FACTS, ...homeless, entry: OWN, tracked: true });
    expect(failureOf(choose).code).toBe("usage");
    expect(sentence(failureOf(choose))).toMatch(
      /\/repo\/\.cra is not used because it is tracked by git.*HOME is not set; .*--data-dir/,
    );
  });
  test("two repositories never share a folder", () => {
    const of = (repo: string): string => chooseDataDir({ ...FACTS, repo, repoWritable: false }).path;
    expect(of("/a")).not.toBe(of("/b"));
  });
});

describe("on disk", () => {
  const user = (state: string) => ({ explicit: null, uid: process.getuid?.() ?? null, env: { XDG_STATE_HOME: state } });
  test("the folder is private and invisible to git", () => {
    using repo = tempRepo({ "a.py": "" }, { git: true });
    const dir = locateDataDir(repo.path, user("/nowhere"));
    const paths = createDataDir(dir);
    expect(dir).toEqual({ path: `${repo.path}/.cra`, inRepository: true, notice: null });
    writeFileSync(paths.curated, "x");
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(statSync(dir.path).mode & 0o777).toBe(0o700);
    expect(existsSync(paths.sessions)).toBe(true);
    createDataDir(dir);
    expect(readFileSync(`${dir.path}/.gitignore`, "utf8")).toBe("*\n");
  });
  test("a folder that came with the repository is not used", () => {
    using repo = tempRepo({ "a.py": "", ".cra/curated.sqlite": "planted" }, { git: true });
    using state = folder();
    const dir = locateDataDir(repo.path, user(state.path));
    expect(dir.path.startsWith(state.path)).toBe(true);
    expect(dir.notice).toMatchObject({ code: "data-dir-ignored", path: `${repo.path}/.cra` });
  });
  const asked = (explicit: string) => ({ ...user("/nowhere"), explicit });
  test("a data folder inside the repository is hidden too, even through a link", () => {
    using repo = tempRepo({ "a.py": "", "real/b.py": "" }, { git: true });
    symlinkSync("real", `${repo.path}/link`);
    repo.commit("Link");
    mkdirSync(`${repo.path}/empty`);
    for (const [typed, path] of [
      ["var/cra", "var/cra"],
      ["link/cra", "real/cra"],
      ["empty", "empty"],
    ]) {
      const dir = locateDataDir(repo.path, asked(`${repo.path}/${typed}`));
      expect(dir).toEqual({ path: `${repo.path}/${path}`, inRepository: true, notice: null });
      writeFileSync(createDataDir(dir).lock, "");
      rmSync(`${dir.path}/.gitignore`);
      createDataDir(dir);
    }
    expect(repo.git("status", "--porcelain")).toBe("");
  });
  test("a data folder outside the repository is not hidden", () => {
    using repo = tempRepo({ "a.py": "" });
    using other = folder();
    const dir = locateDataDir(repo.path, asked(other.path));
    createDataDir(dir);
    expect(dir.inRepository).toBe(false);
    expect(existsSync(other.at(".gitignore"))).toBe(false);
    expect(locateDataDir(repo.path, asked(`${repo.path}-2`)).inRepository).toBe(false);
  });
  test("refuses a repository folder with other contents and leaves it unchanged", () => {
    using repo = tempRepo({ "src/a.py": "", "tools/.gitignore": "", "tools/sessions/x": "", "tools/b.py": "" });
    mkdirSync(`${repo.path}/.git`);
    for (const typed of ["src", ".", "tools", ".git/.."]) {
      const failure = failureOf(() => createDataDir(locateDataDir(repo.path, asked(`${repo.path}/${typed}`))));
      expect(failure).toMatchObject({ code: "io", next: "choose another folder with --data-dir" });
    }
    expect(readdirSync(`${repo.path}/src`)).toEqual(["a.py"]);
    expect(existsSync(`${repo.path}/sessions`)).toBe(false);
  });
  test("reports a path that is not a folder before reading anything", () => {
    using repo = tempRepo({ "a.py": "" });
    const said = (path: string): string => sentence(failureOf(() => locateDataDir(repo.path, asked(path))));
    const file = `${repo.path}/a.py`;
    expect(said(`${file}/x`)).toBe(
      `${file}/x: cannot store data here: a part of the path is not a folder; choose another folder with --data-dir`,
    );
    expect(said(file)).toContain("it is not a folder");
    expect(said(`${repo.path}/${"x".repeat(300)}`)).toContain("the name is too long");
  });
  test("reports a folder that cannot be created", () => {
    using repo = tempRepo({ "a.py": "" });
    symlinkSync("nowhere", `${repo.path}/dangling`);
    const dir = { path: `${repo.path}/dangling`, inRepository: true, notice: null };
    expect(sentence(failureOf(() => createDataDir(dir)))).toContain("something else is there");
  });
  test("does not follow a link", () => {
    using repo = tempRepo({ "a.py": "" });
    using other = folder();
    symlinkSync(other.path, `${repo.path}/.cra`);
    expect(locateDataDir(repo.path, user(other.path)).notice).toMatchObject({ why: "it is a symbolic link" });
  });
  test("does not write through a link in the folder", () => {
    using repo = tempRepo({ "a.py": "", ".cra/lock.sqlite": "", "own/lock.sqlite": "" });
    using other = folder();
    for (const name of [".cra", "own"]) symlinkSync(other.path, `${repo.path}/${name}/sessions`);
    expect(locateDataDir(repo.path, user(other.path)).notice).toMatchObject({
      why: "sessions in it is a symbolic link",
    });
    const failure = failureOf(() => createDataDir(locateDataDir(repo.path, asked(`${repo.path}/own`))));
    expect(failure).toMatchObject({ code: "io", where: `${repo.path}/own/sessions` });
  });
  test("a missing home folder is a usage failure", () => {
    using repo = tempRepo({ ".cra": "a file" });
    expect(failureOf(() => locateDataDir(repo.path, { explicit: null, uid: null, env: {} })).code).toBe("usage");
  });
});

describe("git's index", () => {
  for (const version of [2, 3, 4])
    for (const format of ["sha1", "sha256"])
      test(`version ${version}, ${format}`, () => {
        using repo = tempRepo({});
        repo.git("init", "--quiet", `--object-format=${format}`);
        const tracks = (): boolean => {
          repo.git("update-index", "--index-version", String(version));
          const bytes = readFileSync(`${repo.path}/.git/index`);
          return indexTracks(bytes, ".cra", format === "sha1" ? 20 : 32);
        };
        repo.write({ ".bashrc": "", ".crab/x": "", ".cr": "", "a/.cra/x": "", "z/deep/path.ts": "", é: "" });
        repo.git("add", "--all");
        if (version === 3) {
          repo.write({ ".b": "" });
          repo.git("add", "--intent-to-add", ".b"); // Sets an extended flag, which only versions 3 and 4 have.
        }
        expect(tracks()).toBe(false);
        mkdirSync(`${repo.path}/.cra`);
        repo.write({ ".cra/x": "" });
        repo.git("add", "--all", "--force");
        expect(tracks()).toBe(true);
      });
  test("the shared part of a split index counts, and a linked git folder", () => {
    using repo = tempRepo({ "a.py": "" }, { git: true });
    using other = folder();
    repo.write({ ".cra/x": "" });
    expect(tracksFolder(repo.path, ".cra")).toBe(false);
    repo.git("add", "--all", "--force");
    expect(tracksFolder(repo.path, ".cra")).toBe(true);
    renameSync(`${repo.path}/.git`, `${other.path}/git`);
    symlinkSync(`${other.path}/git`, `${repo.path}/.git`);
    expect(tracksFolder(repo.path, ".cra")).toBe(true);
    repo.git("update-index", "--split-index");
    expect(tracksFolder(repo.path, ".cra")).toBe(true);
    repo.git("rm", "--quiet", "-r", "--cached", ".cra");
    repo.git("update-index", "--no-split-index");
    expect(tracksFolder(repo.path, ".cra")).toBe(false);
    rmSync(`${repo.path}/.git`);
    symlinkSync(".git", `${repo.path}/.git`);
    expect(tracksFolder(repo.path, ".cra")).toBe(false);
  });
  test("paths that begin with all of a very long one are not put together", () => {
    const entry = (dropped: readonly number[], path: string): Buffer =>
      Buffer.concat([Buffer.alloc(60), Buffer.from([0x0f, 0xff, ...dropped]), Buffer.from(`${path}\0`)]);
    const head = Buffer.from("DIRC\0\0\0\x04\0\0\0\0", "latin1");
    head.writeUInt32BE(200_002, 8);
    const same = Buffer.alloc(200_000 * entry([0], " ").length, entry([0], " "));
    const bytes = Buffer.concat([head, entry([0], " ".repeat(16_000_000)), same, entry(ALL_DROPPED, ".cra/x")]);
    expect(indexTracks(bytes, ".cra", 20)).toBe(true);
  });
  test("an index that is too large to be read may track anything", () => {
    using repo = tempRepo({ a: "" }, { git: true });
    expect(tracksFolder(repo.path, ".cra")).toBe(false);
    truncateSync(`${repo.path}/.git/index`, 513 * 1024 * 1024);
    expect(tracksFolder(repo.path, ".cra")).toBe(true);
  });
  test("an invalid index file tracks nothing", () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("DIRC"),
      Buffer.from("DIRC\0\0\0\x02\0\0\xff\xff.cra/x", "latin1"),
    ])
      expect(indexTracks(bytes, ".cra", 20)).toBe(false);
  });
});

test("a repository that was removed does not come back with its data folder", () => {
  const repo = tempRepo({ "a.py": "" });
  const dir = locateDataDir(repo.path, { explicit: null, uid: null, env: {} });
  rmSync(repo.path, { recursive: true });
  expect(failureOf(() => createDataDir(dir))).toMatchObject({ code: "no-repository", path: repo.path });
  expect(existsSync(repo.path)).toBe(false);
});
