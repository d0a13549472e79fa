/** `--for` gives a package its shape: signatures to plan, callers and tests to fix or review, documentation first to explain. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { ContextPackage } from "../../src/retrieval/model/package-schema.ts";
import { HANG_MS } from "../support/hang.ts";
import { indexIn } from "../support/index-in.ts";
import { packageOf } from "../support/package.ts";
import { tempRepo } from "../support/repo.ts";
import { runHere } from "../support/run-here.ts";
import { shared } from "../support/shared.ts";

setDefaultTimeout(HANG_MS);

const numbered = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join("");

const TASK = "weighing a parcel for the post gives a wrong sum";
const repo = shared(
  tempRepo({
    "post/parcel.py": `def weigh_parcel(items):\n    """Weighing of a parcel for the post: the sum of its items."""\n${numbered(8, (at) => `    items.append(${at})\n`)}    return sum(items)\n`,
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `mail/stamp_${at}.py`,
        `def stamp_parcel_${at}(sheet):\n    """Stamps a parcel of kind ${at}."""\n${numbered(10, (line) => `    sheet = sheet + ${line} # for the post\n`)}    return sheet\n`,
      ]),
    ),
    "shop/counter.py":
      "from post.parcel import weigh_parcel\n\n\ndef sell(goods):\n    return weigh_parcel(goods) * 3\n",
    "tests/test_parcel.py":
      "from post.parcel import weigh_parcel\n\n\ndef test_empty():\n    assert weigh_parcel([]) == 28\n\n\ndef test_heavy():\n    assert weigh_parcel([1]) > 1\n",
    "docs/office.md": "# Office\n\nWeighing a parcel for the post is a sum.\n\n## Stamps\n\nThey come later.\n",
  }),
);
await indexIn(repo);

const cra = (...args: readonly string[]) => runHere(args, { cwd: repo.path });
const packed = async (...args: readonly string[]): Promise<ContextPackage> =>
  packageOf(await cra("retrieve", TASK, "--budget", "1400", "--json", ...args));
const bodies = ({ files }: ContextPackage): readonly string[] =>
  files.flatMap(({ symbols }) => symbols.flatMap(({ name, body }) => (body === null ? [] : [name])));
const shown = ({ files }: ContextPackage): readonly string[] =>
  files.flatMap(({ symbols }) => symbols.map(({ name }) => name));
const paths = ({ files }: ContextPackage): readonly string[] => files.map(({ path }) => path);

test("to plan, more definitions are shown, and fewer of them in full", async () => {
  const [plain, plan] = [await packed(), await packed("--for", "plan")];
  expect(shown(plan).length).toBeGreaterThan(shown(plain).length);
  expect(bodies(plan).length).toBeLessThan(bodies(plain).length);
  expect(bodies(plan).length).toBeGreaterThan(0);
});

test.each(["fix", "review"])("to %s, callers and tests of the likeliest definitions are shown", async (purpose) => {
  const found = await packed("--for", purpose);
  expect(shown(found)).toContain("sell");
  expect(paths(found)).toContain("tests/test_parcel.py");
  expect(bodies(found)).toEqual(expect.arrayContaining(["sell", "test_empty"]));
});

test("to explain, the documentation comes first", async () => {
  expect(paths(await packed())[0]).not.toBe("docs/office.md");
  const found = await packed("--for", "explain");
  expect(paths(found)[0]).toBe("docs/office.md");
  const { stdout } = await cra("retrieve", TASK, "--for", "explain", "--budget", "1400");
  expect(stdout).toContain("Weighing a parcel for the post is a sum.");
});

test("another round keeps the purpose, and one command gives the same package", async () => {
  const first = await cra("retrieve", TASK, "--for", "plan", "--budget", "1400");
  const id = / cra explain (\w+)/.exec(first.stderr)?.[1] ?? "";
  const again = await cra("refine", id, "--missing-symbol", "test_heavy", "--json");
  const found = packageOf(again);
  expect(bodies(found).length).toBeLessThan(bodies(await packed()).length);
  const { stderr } = await cra("refine", id, "--missing-symbol", "test_heavy", "-v");
  expect(stderr).toContain(" --for plan ");
});

test("another purpose is another task, and a word that is none is refused", async () => {
  const ids = new Set([(await packed()).task_id, (await packed("--for", "fix")).task_id]);
  expect(ids.size).toBe(2);
  const { exitCode, stderr } = await cra("retrieve", TASK, "--for", "fun");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("plan, fix, review, explain")]);
});

test("lists of sessions say what each is for, where it was said", async () => {
  await packed();
  await packed("--for", "plan");
  const { stdout } = await cra("sessions");
  const last = stdout.split("\n").flatMap((line) => / (weighing a parcel.*)$/.exec(line)?.[1] ?? []);
  expect(last.slice(0, 2)).toEqual([`${TASK} (--for plan)`, TASK]);
  const { sessions } = JSON.parse((await cra("sessions", "--json")).stdout);
  expect(sessions.slice(0, 2).map((session: { readonly for: unknown }) => session.for)).toEqual(["plan", null]);
});
