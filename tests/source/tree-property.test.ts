import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { walkTree } from "../../src/source/walk/tree.ts";
import { builtin } from "./both-readers.ts";
import { temporaryFolder } from "./fixture.ts";

/** Bytes, one character each: names and patterns as git sees them. */
type Bytes = string;
const bytesOf = (text: Bytes): Buffer => Buffer.from(text, "latin1");
const E_ACUTE = "\xc3\xa9";

const name = fc.constantFrom(
  ...[
    "a",
    "a",
    "b",
    "b",
    "A",
    "build",
    "x.log",
    "X.LOG",
    "y.ts",
    E_ACUTE,
    "a b",
    "[c]",
    "!n",
    "#h",
    "a\\b",
    "*",
    " ",
    "c ",
    ".h",
    "q?",
  ],
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const piece = fc.constantFrom(
  ...[
    "a",
    "b",
    "A",
    "build",
    "x",
    ".log",
    ".LOG",
    "y.ts",
    E_ACUTE,
    "\xc3",
    "\xff",
    "*",
    "*",
    "**",
    "***",
    "?",
    "c ",
    "q?",
  ],
  ...[
    "[a-x]",
    "[A-Z]",
    "[!b]",
    "[^a]",
    "[]a]",
    "[a-",
    "[[:alpha:]]",
    "[[:upper:]]*",
    "[[:no:]]",
    "[a\\-z]",
    "[--a]",
    "[B]",
  ],
  ...["\\[c]", "\\*", "\\ ", "\\", " ", "\t", "#", "!", "/", "/", "/", "**/", "/**", "/**/", "\0"],
);
const line = fc.oneof(
  fc.constantFrom(
    "*",
    "/*",
    "!*/",
    "!a",
    "!build/",
    "a/",
    "/a/*",
    "!/a/b",
    "**/b",
    "a/**",
    "",
    "# x",
    "!",
    "/",
    "\\#h",
    "\\!n",
    "!!n",
  ),
  fc
    .tuple(
      fc.constantFrom("", "", "", "!", "!", "/", "!/"),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "", "", "/", "/", " ", "  ", "\\ ", "\t"),
    )
    .map(([start, parts, end]) => start + parts.join("") + end),
);
const ignoreFile = fc
  .tuple(
    fc.constantFrom("", "", "", "\xef\xbb\xbf"),
    fc.array(line, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("\n", "\n", "\r\n"),
  )
  .map(([mark, lines, end]) => mark + lines.join(end));

/** Where the file of the user's own patterns is, and what says so. */
const USERS = ["none", "xdg", "home", "global", "tilde", "repository", "included", "empty"] as const;

const tree = fc.record({
  paths: fc.uniqueArray(path, { minLength: 3, maxLength: 12 }),
  ignores: fc.array(fc.tuple(fc.constantFrom("", "", "a/", "build/", "a/b/", `${E_ACUTE}/`), ignoreFile), {
    minLength: 1,
    maxLength: 3,
  }),
  exclude: fc.option(ignoreFile),
  user: fc.tuple(fc.constantFrom(...USERS), ignoreFile),
  tracked: fc.array(fc.nat(11), { maxLength: 3 }),
  nested: fc.option(fc.constantFrom("a", "b", "build", "a/b"), { freq: 4 }),
  link: fc.option(fc.constantFrom("", "a/"), { freq: 8 }),
  foldsCase: fc.boolean(),
});

/** The least that git takes for a repository. */
function makeRepository(root: string, config = ""): void {
  for (const folder of ["objects", "refs", "info"]) mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), `[core]\n\trepositoryformatversion = 0\n${config}`);
}

/** False when something else is there already: a path that is both a file and a folder is what it was first. */
function write(root: string, at: Bytes, content: Bytes): boolean {
  try {
    mkdirSync(dirname(join(root, bytesOf(at).toString())), { recursive: true });
    writeFileSync(join(root, bytesOf(at).toString()), bytesOf(content));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["EEXIST", "ENOTDIR", "EISDIR"].includes(String(error.code)))
      return false;
    throw error;
  }
}

/** Puts the user's patterns where one of the ways to name them leads; returns the variables and the repository's setting. */
function placeUser(
  home: string,
  where: (typeof USERS)[number],
  content: Bytes,
): { readonly variables: Record<string, string>; readonly config: string } {
  const base = { PATH: Bun.env.PATH ?? "", HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const named = (file: string): string => `[core]\n\texcludesFile = ${file}\n`;
  const put = (file: string, text: Bytes = content): void => void write(home, file, text);
  switch (where) {
    case "none":
      return { variables: base, config: "" };
    case "xdg":
      put("xdg/git/ignore");
      return { variables: { ...base, XDG_CONFIG_HOME: join(home, "xdg") }, config: "" };
    case "home":
      put(".config/git/ignore");
      return { variables: { ...base, XDG_CONFIG_HOME: "" }, config: "" };
    case "global":
      put("mine");
      put("config", named(`"${join(home, "mine")}" ; comment`));
      put(".gitconfig", named("/nowhere"));
      return { variables: { ...base, GIT_CONFIG_GLOBAL: join(home, "config") }, config: "" };
    case "tilde":
      put("mine");
      put(".gitconfig", named("~/mine"));
      put(".config/git/ignore", "*");
      return { variables: base, config: "" };
    case "repository":
      put("mine");
      put(".gitconfig", named("/nowhere"));
      return { variables: base, config: named(join(home, "mine")) };
    case "included":
      put("mine");
      put(".config/git/config", "[include]\n\tpath = more\n");
      put(".config/git/more", named("~/mine"));
      return { variables: base, config: "" };
    case "empty":
      put(".config/git/ignore");
      return { variables: base, config: "[core]\n\texcludesFile =\n" };
  }
}

/** Paths of which no two differ in case alone, as where git folds case; these folders are written as they are here. */
function oneCase(paths: readonly Bytes[]): readonly Bytes[] {
  const spelled = new Map(["a", "a/b", "b", "build"].map((folder) => [folder, folder]));
  return paths.filter((path) => {
    const parts = path.split("/").map((_, at, all) => all.slice(0, at + 1).join("/"));
    if (parts.some((part) => (spelled.get(part.toLowerCase()) ?? part) !== part)) return false;
    for (const part of parts) spelled.set(part.toLowerCase(), part);
    return true;
  });
}

const RUNS = Number(Bun.env.TREE_RUNS ?? 80);

test("property: without git, lists the same files as git", async () => {
  await fc.assert(
    fc.asyncProperty(tree, async ({ paths, ignores, exclude, user, tracked, nested, link, foldsCase }) => {
      using place = temporaryFolder();
      const root = join(place.path, "root");
      const { variables, config } = placeUser(join(place.path, "home"), ...user);
      makeRepository(root, `\tignoreCase = ${foldsCase}\n${config}`);
      if (exclude !== null) write(root, ".git/info/exclude", exclude);
      const written = (foldsCase ? oneCase(paths) : paths).filter((at) => write(root, at, "1"));
      for (const [where, content] of ignores) write(root, `${where}.gitignore`, content);
      const git = (...args: readonly string[]): readonly string[] => {
        const child = Bun.spawnSync(["git", "--literal-pathspecs", ...args], { cwd: root, env: variables });
        if (child.exitCode !== 0) throw new Error(child.stderr.toString());
        return child.stdout
          .toString()
          .split("\0")
          .filter((at) => at !== "");
      };
      const track = tracked.flatMap((at) => written[at] ?? []).map((at) => bytesOf(at).toString());
      if (track.length > 0) git("add", "--force", "--", ...track);
      if (nested !== null && write(root, `${nested}/inside`, "1")) makeRepository(join(root, nested));
      if (link !== null && write(root, `${link}ignore-rules`, "*")) tryLink(join(root, `${link}.gitignore`));
      const listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard");
      // A nested repository is listed with a slash at its end.
      const expected = [...new Set(listed)].filter((at) => !at.endsWith("/")).toSorted();
      const { tracked: known } = await builtin.readHistory(root, { commitsMax: 0 });
      const { files, leftOut } = await walkTree(root, { readTracked: async () => known, variables });
      const links = leftOut.filter(({ reason }) => reason === "link");
      expect([...files, ...links].map((file) => file.path).toSorted()).toEqual(expected);
    }),
    { numRuns: RUNS, seed: Number(Bun.env.TREE_SEED ?? 7) },
  );
});

/** Links to rules that leave everything out, unless a file is there. */
function tryLink(at: string): void {
  try {
    symlinkSync("ignore-rules", at);
  } catch {
    // The rules that are there stay.
  }
}
