/**
 * Whole packages of one small repository, as files to be read. `UPDATE_GOLDEN=1 bun test package-golden` writes them anew.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bundle } from "../../src/retrieval/model/package-schema.ts";
import { bundleLinks, renderBundle } from "../../src/retrieval/render/bundle.ts";
import { renderXml } from "../../src/retrieval/render/xml.ts";
import { taskSentence } from "../../src/task/task-sentence.ts";
import { indexed, type Run, type RunOptions } from "../support/indexed.ts";
import { shared } from "../support/shared.ts";
import { growShop, SHOP } from "./retrieve-fixture.ts";

const FOLDER = join(import.meta.dir, "..", "golden", "package");

const TASKS: readonly (readonly [name: string, task: string, wishes: RunOptions])[] = [
  [
    "bug-with-names",
    "`Cart.add_item` lets a full cart overflow\n\nThe check in shop/cart.py is wrong:\n\n```python\nCart('ada').add_item(Money(1), count=101)\n```\n",
    {},
  ],
  ["words-only", "Round the tax of the cart sum up instead of down, and test it", {}],
  ["tight-budget", "show money in web/cart-view.tsx with its currency", { budget: 260 }],
];

const shop = shared(await indexed(SHOP, { git: true, grow: growShop }));

for (const [name, task, wishes] of TASKS)
  test(`the package of ${name} is unchanged`, async () => {
    const run = await shop.run(task, wishes);
    for (const [ending, text] of Object.entries(outputsOf(run))) expectGolden(join(FOLDER, `${name}.${ending}`), text);
  });

test("ids in JSON and bundle agree, are unique, and are the same in an index made anew", async () => {
  const idsOf = ({ pkg }: Run): readonly string[] =>
    pkg.files.flatMap(({ file_id: file, symbols }) => [file, ...symbols.map(({ symbol_id: symbol }) => symbol)]);
  const [name, task, wishes] = TASKS[0] ?? ["", "", {}];
  const run = await shop.run(task, wishes);
  const { nodes } = renderBundle(run.pkg, {
    intent: name,
    links: () => bundleLinks(run.packed.fit.shown, shop.kb),
  });
  expect(idsOf(run)).toEqual(nodes.map(({ id }) => id));
  expect(new Set(idsOf(run)).size).toBe(idsOf(run).length);
  for (const { file_id: id, symbols } of run.pkg.files)
    expect(new Set([id, ...symbols.map((s) => s.file_id)]).size).toBe(1);
  using again = await indexed({ "a/first.py": "x = 1\n", ...SHOP }, { git: true, grow: growShop });
  expect(idsOf(await again.run(task, wishes))).toEqual(idsOf(run));
});

const outputsOf = (run: Run): Readonly<Record<string, string>> => ({
  md: run.markdown,
  prompt: run.prompt,
  xml: renderXml(run.packedFor(renderXml)),
  json: json({ ...run.pkg, provenance: { ...run.pkg.provenance, index: { content_hash: HASH, head: HASH } } }),
  "bundle.json": json(
    Bundle.parse(
      renderBundle(run.pkg, {
        intent: taskSentence(run.task),
        links: () => bundleLinks(run.packed.fit.shown, shop.kb),
      }),
    ),
  ),
});

/** Hashes change with every version of the program, and say nothing to a reader. */
const HASH = "(hash)";
const json = (value: object): string => `${JSON.stringify({ ...value, task_id: HASH }, null, 2)}\n`;

function expectGolden(path: string, text: string): void {
  if (process.env.UPDATE_GOLDEN === "1" || !existsSync(path)) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, "utf8"));
}
