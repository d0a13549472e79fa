import { expect, test } from "bun:test";
import fc from "fast-check";
import { readBoth } from "./both-readers.ts";
import { git, temporaryRepository } from "./fixture.ts";

const name = fc.constantFrom("a", "b", "dir", "é", "a b", 'q"', "n\nl", "t\t", "\u001b[1m", "-x", ":c", "e\u0301");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const mode = fc.constantFrom("100644", "100644", "100755", "120000");

/** One change of the tree, as a line of git fast-import; what is not there cannot be moved, so it is written instead. */
const change = fc.oneof(
  fc.tuple(path, mode, fc.nat(3)).map(([at, kind, text]) => ({ kind, at, text: `text ${text}` })),
  path.map((at) => ({ kind: "delete", at, text: "" })),
  path.map((at) => ({ kind: "160000", at, text: "" })),
  fc.constant({ kind: "clear", at: "", text: "" }),
);

/** `parents` count backwards from the commit; those that lie before the first one are none. */
const commit = fc.record({
  parents: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
  time: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.nat(10_000)),
  changes: fc.array(change, { maxLength: 4 }),
  author: fc.constantFrom("A", "", "Ada Löve", "q'\"", "a  b"),
  message: fc.constantFrom("m", "", "\n\n title\n\nbody \n", "é\u001b[0m", "x\r\ny"),
});
type Commit = (typeof commit extends fc.Arbitrary<infer T> ? T : never) & object;

const quoted = (text: string): string =>
  `"${text.replaceAll(/["\\\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`))}"`;
const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

function streamOf(commits: readonly Commit[]): string {
  const pieces = commits.map(({ parents, time, changes, author, message }, at) => {
    const marks = [...new Set(parents.map((back) => at - back).filter((to) => to >= 0))].map((to) => `:${to + 1}`);
    const links = marks.map((mark, index) => `${index === 0 ? "from" : "merge"} ${mark}\n`).join("");
    const lines = changes.map(({ kind, at: place, text }) => {
      if (kind === "clear") return "deleteall\n";
      if (kind === "delete") return `D ${quoted(place)}\n`;
      if (kind === "160000") return `M 160000 ${"1".repeat(40)} ${quoted(place)}\n`;
      return `M ${kind} inline ${quoted(place)}\n${data(text)}`;
    });
    const people = `author ${author}${author === "" ? "" : " "}<a@b> 5 +0000\ncommitter C <c@d> ${time} +0000\n`;
    // Each begins on a branch of its own, so that one without a parent is a root.
    return `commit refs/heads/c${at}\nmark :${at + 1}\n${people}${data(message)}${links}${lines.join("")}\n`;
  });
  return `${pieces.join("")}reset refs/heads/main\nfrom :${commits.length}\n\n`;
}

test("property: equal rows for any small history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commit, { minLength: 1, maxLength: 14 }), fc.boolean(), async (commits, isPacked) => {
      using repo = temporaryRepository();
      git(
        repo.path,
        ["-c", `fastimport.unpackLimit=${isPacked ? 1 : 1_000}`, "fast-import", "--quiet"],
        0,
        streamOf(commits),
      );
      git(repo.path, ["read-tree", "HEAD"]);
      const history = await readBoth(repo.path);
      const parents = git(repo.path, ["rev-list", "--parents", "HEAD"]).trim().split("\n");
      const merges = new Set(parents.filter((line) => line.split(" ").length > 2).map((line) => line.slice(0, 40)));
      const differences = ["diff-tree", "--stdin", "-z", "-r", "--root", "--name-only", "--ignore-submodules"];
      const hashes = history.commits.map(({ hash }) => hash);
      // Each name follows the hash of its commit.
      const names = new Map<string, string[]>(hashes.map((hash) => [hash, []]));
      let listed: string[] = [];
      for (const word of git(repo.path, differences, 0, `${hashes.join("\n")}\n`).split("\0")) {
        const begun = names.get(word);
        if (begun !== undefined) listed = begun;
        else if (word !== "") listed.push(word);
      }
      expect(hashes.length).toBe(parents.length);
      for (const { hash, files } of history.commits) {
        expect(files).toEqual(merges.has(hash) ? [] : (names.get(hash) ?? []).toSorted());
      }
    }),
    { numRuns: Number(Bun.env.HISTORY_RUNS ?? 12), seed: 11 },
  );
});
