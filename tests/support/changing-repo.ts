/**
 * Repositories that change at random between index runs, some of which are killed. Checks that an incrementally built
 * index equals one built from scratch.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { dataPaths } from "../../src/db/data-folder/paths.ts";
import { dumpCuratedFile } from "./dump.ts";
import { type IndexRun, indexCompiled, indexInto, ON_ONE_THREAD } from "./fault-subject.ts";
import { type TempRepo, tempRepo } from "./repo.ts";
import { startCra } from "./run-cra.ts";

type Step = {
  readonly do: "write" | "remove" | "rename" | "commit" | "branch" | "switch";
  readonly at: number;
  readonly other: number;
};
/** Changes followed by an index run, which is killed after `killMs` unless that is null. */
type Round = { readonly steps: readonly Step[]; readonly killMs: number | null };

const NAMES = ["a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "web/d.ts", "web/e.ts", "notes.md", "f.min.js", "g.bin"];
const TEXTS = [
  "",
  "def one():\n    return 1\n",
  "from pkg.c import two\nimport b\n\nclass K:\n    def one(self):\n        return two()\n",
  "def two():\n    return 2\n\ndef two():\n    return 3\n",
  'import { e } from "./e";\nexport class D { m() { return e(); } }\n',
  "export function e() { return 1; } // TODO: because\n",
  "\0binary",
  "# Title\n\nconstructor __proto__ toString\n",
];
const BRANCHES = ["main", "one", "two"];

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom("write", "write", "write", "remove", "rename", "commit", "branch", "switch", "switch"),
  at: fc.nat(NAMES.length - 1),
  other: fc.nat(TEXTS.length - 1),
});
const round: fc.Arbitrary<Round> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  killMs: fc.option(fc.integer({ min: 20, max: 900 })),
});
export const randomRounds: fc.Arbitrary<readonly Round[]> = fc.array(round, { minLength: 2, maxLength: 4 });

function apply(repo: TempRepo, { do: action, at, other }: Step): void {
  const name = NAMES[at] ?? "";
  const branch = BRANCHES[other % BRANCHES.length] ?? "main";
  if (action === "write") repo.write({ [name]: TEXTS[other] ?? "" });
  else if (action === "commit") repo.commit(`step ${other}`);
  else if (action === "branch") repo.git("branch", "--force", `at-${branch}`);
  else if (action === "switch") {
    // Uncommitted changes are lost, as with `git switch --force`; a missing branch is created here.
    const known = repo.git("branch", "--list", "--format=%(refname:short)").split("\n");
    repo.git("switch", "--quiet", "--force", ...(known.includes(branch) ? [branch] : ["--create", branch]));
  } else if (existsSync(join(repo.path, name))) {
    if (action === "rename") repo.write({ [NAMES[other] ?? ""]: readFileSync(join(repo.path, name)) });
    repo.remove(name);
  }
}

/**
 * Runs the rounds and returns two dumps: the incrementally built index and a fresh one. Kills apply to the compiled
 * binary; `whole` makes the runs that are not killed.
 */
export async function indexesAfter(
  rounds: readonly Round[],
  whole: IndexRun = indexCompiled,
): Promise<{ readonly grown: string; readonly fresh: string }> {
  using repo = tempRepo({ "a.py": TEXTS[2] ?? "", "pkg/c.py": TEXTS[3] ?? "" }, { git: true });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cra-changing-")));
  const options = { cwd: repo.path, env: ON_ONE_THREAD };
  const indexed = async (dataDir: string): Promise<string> => {
    const output = await whole(repo, dataDir);
    if (output !== "") throw new Error(`cra index: ${output}`);
    return dumpCuratedFile(dataPaths(dataDir).curated);
  };
  try {
    for (const { steps, killMs } of rounds) {
      for (const one of steps) apply(repo, one);
      if (killMs === null) await indexed(join(folder, "grown"));
      else {
        await using cra = await startCra(indexInto(join(folder, "grown")), options);
        await Promise.race([Bun.sleep(killMs), cra.ended]);
        cra.kill("SIGKILL");
        await cra.ended;
      }
    }
    return { grown: await indexed(join(folder, "grown")), fresh: await indexed(join(folder, "fresh")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
