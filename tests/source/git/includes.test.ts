/** Files that git's configuration includes: what is read is what git itself reads. */
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readExcludes } from "../../../src/source/walk/excludes.ts";
import { initRepository } from "../../support/repo.ts";
import { type Folder, git, temporaryFolder, writeFiles } from "../fixture.ts";

/** A home with a repository in `Work/repo` and a linked work tree in `linked`; `mine` names ignored files. */
function home(files: Readonly<Record<string, string>> = {}): Folder {
  const folder = temporaryFolder({ mine: "a.md\n", "Work/repo/c.md": "", excludes: NAMES_MINE, ...files });
  const repo = join(folder.path, "Work/repo");
  initRepository(repo);
  git(repo, ["add", "."]);
  git(repo, ["commit", "--quiet", "-m", "c"]);
  git(repo, ["worktree", "add", "--quiet", join(folder.path, "linked")]);
  return folder;
}

const NAMES_MINE = "[core]\n\texcludesFile = ~/mine\n";

/** Whether the user's file counts for cra, and for git, in a folder of the home. */
function isRead(user: Folder, root = "Work/repo"): readonly [cra: boolean, git: boolean] {
  const cwd = join(user.path, root);
  const variables = { HOME: user.path, GIT_CONFIG_NOSYSTEM: "1", PWD: cwd };
  const child = Bun.spawnSync(["git", "check-ignore", "-q", "a.md"], {
    cwd,
    env: { PATH: Bun.env.PATH ?? "", ...variables },
  });
  return [isReadHere(cwd, variables), child.exitCode === 0];
}

function isReadHere(cwd: string, variables: Readonly<Record<string, string>>): boolean {
  const { user: read } = readExcludes(cwd, variables);
  return read !== null && new TextDecoder().decode(read) === "a.md\n";
}

const quoted = (text: string): string => text.replaceAll(/["\\]/g, "\\$&");
const includes = (condition: string, path = "excludes"): string =>
  `[includeIf "${quoted(condition)}"]\n\tpath = ${path}\n`;

test("a file that is included without a condition counts, also through others", () => {
  using user = home({
    ".gitconfig": "[include]\n\tpath = sub/one\n\tpath = missing\n",
    "sub/one": "[include]\n\tpath = two",
    "sub/two": '[include]\npath = "~/excludes"',
  });
  expect(isRead(user)).toEqual([true, true]);
});

const CONDITIONS: readonly (readonly [condition: string, isMet: boolean])[] = [
  ["gitdir:~/Work/", true],
  ["gitdir:~/Work", false],
  ["gitdir:~/Work/repo/.git", true],
  ["gitdir:~/Work/repo/", true],
  ["gitdir:~/Work/rep", false],
  ["gitdir:~/work/", false],
  ["gitdir/i:~/work/", true],
  ["gitdir/i:~/WORK/*/.GIT", true],
  ["gitdir/i:~/W[O]RK/", false],
  ["gitdir/i:~/w[o]rk/", true],
  ["gitdir:~/W[o]rk/", true],
  ["gitdir:~/*/repo/.git", true],
  ["gitdir:~/*/.git", false],
  ["gitdir:~/**/.git", true],
  ["gitdir:~/W**/.git", false],
  ["gitdir:~/W**/repo/.git", true],
  ["gitdir:~/Work/?epo/**", true],
  ["gitdir:repo/", true],
  ["gitdir:Work/", true],
  ["gitdir:.git", true],
  ["gitdir:*epo/.git", true],
  ["gitdir:ork/", false],
  ["gitdir:./Work/", true],
  ["gitdir:./", true],
  ["gitdir:./W?rk/repo/.git", true],
  ["gitdir:./repo/", false],
  ["gitdir:/", true],
  ["gitdir:", true],
  ["gitdir:~", false],
  ["gitdir:~nobody-of-that-name/", false],
  ["gitdir:~/[/", false],
  ["gitdir:~/Work/\\repo/", true],
  ["gitdir:~/via/", true],
  ["gitdir:~/also/", false],
  ["GITDIR:~/Work/", false],
  ["gitdir/I:~/Work/", false],
  ["hasnothing:x", false],
];

test("a condition on the git folder is met as for git", () => {
  using user = home();
  symlinkSync("Work", join(user.path, "via"));
  for (const [condition, isMet] of CONDITIONS) {
    writeFiles(user.path, { ".gitconfig": includes(condition) });
    // Only a folder that was entered through a link is named by it.
    const root = condition.includes("via") ? "via/repo" : "Work/repo";
    expect([condition, ...isRead(user, root)]).toEqual([condition, isMet, isMet]);
  }
});

test("the git folder of a linked work tree is its own", () => {
  using user = home();
  for (const [condition, isMet] of [
    ["gitdir:~/linked/", false],
    ["gitdir:~/Work/", true],
    ["gitdir:worktrees/linked", true],
  ] as const) {
    writeFiles(user.path, { ".gitconfig": includes(condition) });
    expect([condition, ...isRead(user, "linked")]).toEqual([condition, isMet, isMet]);
  }
});

test("a home behind a link, and a condition relative to an included file, are those of git", () => {
  using place = temporaryFolder();
  using real = home({ "Work/config": includes("gitdir:./repo/", "~/excludes") });
  symlinkSync(real.path, join(place.path, "home"));
  const user: Folder = { path: join(place.path, "home"), [Symbol.dispose]: () => {} };
  for (const text of [includes("gitdir:~/Work/"), "[include]\n\tpath = Work/config\n"]) {
    writeFiles(user.path, { ".gitconfig": text });
    expect([text, ...isRead(user)]).toEqual([text, true, true]);
  }
});

test("what the repository's own configuration includes counts too, and the last setting", () => {
  using user = home({ ".gitconfig": `${includes("gitdir:~/Work/")}[core]\n\texcludesFile = ~/none\n` });
  expect(isRead(user)).toEqual([false, false]);
  git(join(user.path, "Work/repo"), ["config", "includeIf.gitdir:~/Work/.path", "~/excludes"]);
  expect(isRead(user)).toEqual([true, true]);
});

test("every pattern is matched as git matches it", () => {
  using user = home();
  const piece = fc.constantFrom(
    "~/",
    "./",
    "/",
    "Work",
    "work",
    "repo",
    ".git",
    "W",
    "*",
    "**",
    "?",
    "[Ww]",
    "[!a]",
    "\\",
  );
  const pattern = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(pattern, fc.boolean(), (text, folds) => {
      writeFiles(user.path, { ".gitconfig": includes(`gitdir${folds ? "/i" : ""}:${text}`) });
      const [cra, byGit] = isRead(user);
      expect(cra).toBe(byGit);
    }),
    {
      numRuns: 300,
      examples: [
        ["~/**repo/.git", false],
        ["./**/.git", false],
        ["./\\Work/", true],
      ],
    },
  );
});

/** Git refuses to go on in most of these, and does not end with the conditions. */
test("files that include themselves, each other, or very many are read to an end", () => {
  const lines = "a\n".repeat(400_000);
  const depth = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`d${at}`, `[include]\n\tpath = d${at + 1}\n`]),
  );
  using user = home({
    ...depth,
    itself: `${NAMES_MINE}[include]\n\tpath = itself\n\tpath = ./itself\n`,
    a: "[include]\n\tpath = b\n\tpath = b\n",
    b: `${NAMES_MINE}[include]\n\tpath = a\n\tpath = a\n`,
    large: `[a]\n${lines}`,
    many: "[include]\n\tpath = large\n".repeat(1_000),
    conditions: includes(`gitdir:${"[a-z]*".repeat(600)}`).repeat(280),
    d30: NAMES_MINE,
  });
  rmSync(join(user.path, "Work/repo/c.md"));
  mkdirSync(join(user.path, "folder"));
  for (const [name, isFound] of [
    ["itself", true],
    ["a", true],
    ["many", false],
    ["conditions", false],
    ["d0", false],
    ["folder", false],
  ] as const) {
    writeFiles(user.path, { ".gitconfig": `[include]\n\tpath = ${name}\n` });
    const before = performance.now();
    const read = isReadHere(join(user.path, "Work/repo"), { HOME: user.path, GIT_CONFIG_NOSYSTEM: "1" });
    expect([name, read]).toEqual([name, isFound]);
    expect(performance.now() - before).toBeLessThan(3_000);
  }
});
