/** Several indexes as one: every answer is that of one index of a folder that holds all repositories. */
import { expect, test } from "bun:test";
import type { KnowledgeBase } from "../../../../src/db/curated/knowledge-base.ts";
import { keptRows, statsByFile } from "../../../../src/db/curated/term-blocks.ts";
import { unionIndex } from "../../../../src/db/curated/union/union-index.ts";
import { NO_LINKS } from "../../../../src/db/curated/union/union-rows.ts";
import { indexed } from "../../../support/indexed.ts";
import { shared } from "../../../support/shared.ts";

const API = {
  "shop/cart.py":
    'from shop.price import total\n\n\nclass Cart:\n    """What a customer wants."""\n\n    def sum(self):\n        # In cents, because floats lose them.\n        return total(self.items)\n',
  "shop/price.py": "def total(items):\n    return sum(items)\n",
  "package-lock.json": "{}\n",
  "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_sum():\n    assert Cart().sum() == 0\n",
};
const WEB = {
  "form.ts":
    "/** Sends the cart. */\nexport function send(): number {\n  return total();\n}\nfunction total(): number {\n  return 1;\n}\n",
  "README.md": "# Web\n\n## Cart\n",
};

const named = (name: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]));

const [api, web, whole] = [
  shared(await indexed(API)),
  shared(await indexed(WEB)),
  shared(await indexed({ ...named("api", API), ...named("api-web", WEB) })),
];
const union = unionIndex(
  [
    { name: "api", kb: api.kb },
    { name: "api-web", kb: web.kb },
  ],
  NO_LINKS,
  "/root",
);

/** Every answer, with paths and names instead of ids. */
function answers(kb: KnowledgeBase) {
  const files = kb.files();
  const ids = files.map(({ id }) => id);
  const pathOf = new Map(files.map(({ id, path }) => [id, path]));
  const symbols = kb.symbolsIn(ids);
  const nameOf = new Map(symbols.map((row) => [row.id, `${pathOf.get(row.fileId)}:${row.qualifiedName}`]));
  const symbolIds = symbols.map(({ id }) => id);
  const placed = (rows: readonly { readonly fileId: number; readonly content: string }[]) =>
    rows.map(({ fileId, content }) => [pathOf.get(fileId), content]);
  const links = (rows: readonly { readonly source: number; readonly target: number }[]) =>
    rows.map(({ source, target }) => [pathOf.get(source), pathOf.get(target)]).sort();
  const uses = (rows: ReturnType<KnowledgeBase["referencesTo"]>) =>
    rows.map(({ caller, callee }) => [nameOf.get(caller), nameOf.get(callee)]).sort();
  const found = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => nameOf.get(id)).sort();
  const tests = (rows: ReturnType<KnowledgeBase["testsOf"]>) =>
    rows.map(({ test: at, source }) => [pathOf.get(at), pathOf.get(source)]).sort();
  return {
    files: files.map(({ id: _, ...row }) => row),
    texts: [...kb.texts(ids.toReversed())].map(([id, text]) => [pathOf.get(id), text]),
    bytes: [...kb.bytesToMatch(ids)].map(([id, bytes]) => [pathOf.get(id), new TextDecoder().decode(bytes)]),
    termStats: keptRows(kb.termStats())
      .flatMap(statsByFile)
      .map(([id, stats]) => [pathOf.get(id), stats.length])
      .sort(),
    idsOf: [...kb.idsOf(["api/shop/cart.py", "api-web/form.ts", "form.ts"])].map(([path, id]) => [
      path,
      pathOf.get(id),
    ]),
    skips: ["api/package-lock.json", "package-lock.json", "none.py"].map((path) => kb.skipOf(path)),
    symbols: symbols.map((row) => [nameOf.get(row.id), row.signature, nameOf.get(row.parentId ?? -1)]),
    reversed: kb.symbolsIn(ids.toReversed()).map(({ id }) => nameOf.get(id)),
    definitions: kb.definitionsIn(ids).map(({ id }) => nameOf.get(id)),
    definitionIds: kb
      .definitionIdsIn(ids.toReversed())
      .map(({ fileId, ids: own }) => [
        pathOf.get(fileId),
        [0, 1, 2, 3].map((ordinal) => nameOf.get(own.at(ordinal) ?? -1)),
      ]),
    definitionRows: kb.definitionRows(symbolIds.toReversed()).map(({ id, name }) => [nameOf.get(id), name]),
    named: found(kb.symbolsNamed(["total", "Cart"])),
    definitionsNamed: kb.definitionsNamed(["total", "Cart"]).map(({ id }) => nameOf.get(id)),
    outline: kb.outlineNamed(["Cart"]).map(({ fileId }) => pathOf.get(fileId)),
    byId: found(kb.symbolsById(symbolIds)),
    docstrings: placed(kb.docstringsIn(ids)),
    comments: placed(kb.commentsIn(ids)),
    rationales: placed(kb.rationalesIn(ids)),
    dependencies: links(kb.dependenciesOf(ids)),
    ends: kb
      .dependencyEnds(ids)
      .map(({ source, target }) => [pathOf.get(source), pathOf.get(target)])
      .sort(),
    between: links(kb.dependenciesBetween(ids)),
    importers: [...kb.importerCounts()].map(([id, count]) => [pathOf.get(id), count]).sort(),
    fileUses: kb
      .fileUses(ids)
      .map(({ fileId, users, used }) => [pathOf.get(fileId), users, used])
      .sort(),
    from: uses(kb.referencesFrom(symbolIds)),
    to: uses(kb.referencesTo(symbolIds)),
    testedBy: tests(kb.testedBy(ids)),
    testsOf: tests(kb.testsOf(ids)),
    found: found(kb.findDefinitions("cart total", 20)),
    definitionsById: found(kb.definitionsById(symbolIds)),
    keys: found(kb.textKeys("definitions")),
    telling: kb
      .tellingFirst("definitions")
      .map((id) => nameOf.get(id))
      .sort(),
    hits: kb
      .search("cart", 50)
      .map(({ path, name }) => `${path} ${name}`)
      .sort(),
    counts: kb.meta().counts,
    languages: kb.meta().languages,
  };
}

const expected: Readonly<Record<string, unknown>> = answers(whole.kb);
for (const [question, answer] of Object.entries<unknown>(answers(union)))
  test(`${question} are those of one index`, () => {
    expect(answer).toEqual(expected[question]);
  });

test("imports between repositories are edges, and part of what identifies the union", () => {
  const members = [
    { name: "api", kb: api.kb },
    { name: "web", kb: web.kb },
  ];
  const linked = unionIndex(
    members,
    {
      imports: [{ source: "web/form.ts", target: "api/shop/cart.py" }],
      references: [
        {
          caller: { path: "web/form.ts", qualifiedName: "send", startLine: 2 },
          callee: { path: "api/shop/cart.py", qualifiedName: "Cart.sum", startLine: 7 },
          kind: "call",
          confidence: 0.9,
        },
      ],
    },
    "/root",
  );
  const ids = linked.idsOf(["web/form.ts", "api/shop/cart.py"]);
  const [form = -1, cart = -1] = [ids.get("web/form.ts"), ids.get("api/shop/cart.py")];
  expect(linked.dependenciesOf([form])).toEqual([{ source: form, target: cart, kind: "import" }]);
  expect(linked.dependencyEnds([form])).toMatchObject([{ source: form, target: cart }]);
  expect(linked.dependenciesBetween([form])).toEqual([]);
  expect(linked.importerCounts().get(cart)).toBe(2);
  expect(linked.fileUses([form, cart]).toSorted((a, b) => a.users - b.users)).toEqual([
    { fileId: form, users: 0, used: 1 },
    { fileId: cart, users: 2, used: 0 },
  ]);
  expect(linked.fileUses([form])).toEqual([]);
  const symbolOf = (name: string) => linked.symbolsIn([form, cart]).find((row) => row.qualifiedName === name)?.id ?? -1;
  const use = { caller: symbolOf("send"), callee: symbolOf("Cart.sum"), kind: "call", confidence: 0.9 };
  expect(linked.referencesTo([use.callee])).toContainEqual(use);
  expect(linked.referencesFrom([use.caller])).toContainEqual(use);
  const apart = unionIndex(members, NO_LINKS, "/root");
  expect(linked.meta().contentHash).not.toBe(apart.meta().contentHash);
  expect(unionIndex(members.toReversed(), NO_LINKS, "/root").meta().contentHash).toBe(apart.meta().contentHash);
});
