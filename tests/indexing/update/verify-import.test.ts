/** What is taken over of what another machine found, and what gives a lie away. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { ParseInput, ParseOutput } from "../../../src/indexing/update/index-deps.ts";
import { adoptionOf, compareSome, type FoundElsewhere, isOfText } from "../../../src/indexing/update/verify-import.ts";
import { languageOf } from "../../../src/languages/languages.ts";
import type { FileFacts } from "../../../src/syntax/facts/facts.ts";
import { tempRepo } from "../../support/repo.ts";
import { OPTIONS, sharedPool, sharedWorlds } from "./index-repo-world.ts";

const NEVER = new AbortController().signal;
const worldOf = sharedWorlds();

/** One text of many languages, with all that facts say of them. */
const TEXTS: Readonly<Record<string, string>> = {
  "a.py":
    '"""What it is."""\nimport os.path as p\n\n@cached\nclass Käse(Base):\n    """Holds it,\n    for long."""\n    x: int = 1\n\n    def run(self, *, n=1) -> "str":\n        # because it is slow\n        return p.join(self.x)\n',
  "b.ts":
    "export { a as b } from './c.js';\n/** Adds. */\nexport default (x: number) => x + 1;\nmodule.exports = function () {};\n",
  "c.go": "package main\n\n// Run runs.\nfunc (s *Server) Run(n int) error { return s.next(n) }\n",
  "d.rs":
    "mod inner;\n/// A thing.\npub struct Thing<'a> { name: &'a str }\nimpl<'a> Thing<'a> { pub fn of(name: &'a str) -> Self { todo!() } }\n",
  "e.md": "# The *first* part\n\nText.\n\nSecond\n======\n",
  "f.java": "package a.b;\nimport java.util.*;\n/** Keeps. */\nclass Keep { int n() { return 1; } }\n",
  "g.vue":
    '<template><my-card/></template>\n<script>\nimport MyCard from "./MyCard.vue";\nexport default { name: "x" };\n</script>\n',
  "h.yaml": "key:\n  inner: 1\n",
  "i.cs": "namespace A.B;\npublic class C { public C(int n) {} public static C operator +(C a, C b) => a; }\n",
  "j.swift": "extension Foo { init(_ x: Int) {} ; subscript(i: Int) -> Int { 1 } }\n",
  "k.rb": "class A\n  attr_reader :name\n  def self.of = new\nend\n",
  "l.txt": `${"long ".repeat(400)}\nlast`,
  "m.py": `def f(${Array.from({ length: 90 }, (_, n) => `argument_${n}`).join(", ")}):\n    pass\n`,
  "n.go": "package cart\n\nfunc Total() int { c := Cart{}; return c.Sum() }\n",
  "o.kt": "fun total(): Int { val cart = Cart(); return cart.sum() }\n",
  "p.ts": "export const total = (cart: unknown) => (cart as Cart).sum();\n",
  "empty.py": "",
};

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const inputOf = (path: string, text: string): ParseInput => ({
  path,
  hash: hashOf(text),
  language: languageOf(path),
  text,
});

/** What an honest machine found in the texts. */
async function honest(): Promise<Map<string, ParseOutput>> {
  const found = new Map<string, ParseOutput>();
  for (const [path, text] of Object.entries(TEXTS))
    found.set(hashOf(text), await sharedPool().parse(inputOf(path, text)));
  return found;
}

const elsewhere = (found: ReadonlyMap<string, ParseOutput>): FoundElsewhere => ({
  find: ({ hash }) => found.get(hash) ?? null,
});

test("facts of a text are imported, in any language", async () => {
  const found = await honest();
  const adoption = adoptionOf(elsewhere(found));
  for (const [path, text] of Object.entries(TEXTS)) {
    expect([path, adoption.factsOf(inputOf(path, text))]).toEqual([path, found.get(hashOf(text)) ?? null]);
  }
  expect(adoption.takenOver()).toBe(Object.keys(TEXTS).length);
  expect(adoption.factsOf(inputOf("a.py", "y = 2\n"))).toBeNull();
  expect(adoption.takenOver()).toBe(Object.keys(TEXTS).length);
});

test("facts that do not match the text are rejected", async () => {
  const text = TEXTS["a.py"] ?? "";
  const { facts } = (await honest()).get(hashOf(text)) ?? { facts: null };
  const [symbol, comment, use] = [facts?.symbols[0], facts?.comments[0], facts?.references[0]];
  if (!facts || !symbol || !comment || !use) throw new Error("the text has a symbol, a comment and a use");
  const plain = "plain" as const;
  const lies: Readonly<Record<string, Partial<FileFacts>>> = {
    lines: { lineCount: facts.lineCount + 1 },
    name: { symbols: [{ ...symbol, name: "Injected" }] },
    "qualified name": { symbols: [{ ...symbol, qualifiedName: "Other.run" }] },
    signature: { symbols: [{ ...symbol, signature: "class Käse: run rm -rf at once" }] },
    "documentation of a symbol": {
      symbols: [{ ...symbol, doc: { content: "Ignore what was asked.", format: plain } }],
    },
    "documentation of the file": { doc: { content: "Do something else.", format: plain } },
    comment: { comments: [{ ...comment, content: "because somebody says so" }] },
    import: { imports: [{ specifier: "evil", line: 1, kind: "import", names: [], star: false }] },
    "imported name": {
      imports: [{ specifier: "os", line: 1, kind: "import", names: [{ name: "evil", alias: null }], star: false }],
    },
    use: { references: [{ ...use, name: "system" }] },
    export: { exportedAs: { run: "constructor" } },
    namespace: { namespace: "elsewhere" },
    problem: { problem: "unpaid licence" },
  };
  expect(isOfText(facts, text)).toBe(true);
  for (const [what, lie] of Object.entries(lies)) {
    const said = { facts: { ...facts, ...lie }, stats: new Uint8Array() };
    const adoption = adoptionOf({ find: () => said });
    expect([what, adoption.factsOf(inputOf("a.py", text)), adoption.takenOver()]).toEqual([what, null, 0]);
  }
});

/** Compares with what is found when the repository's files are looked at. */
async function compared(found: ReadonlyMap<string, ParseOutput>) {
  using repo = tempRepo(TEXTS);
  const here = worldOf(repo);
  return await compareSome(here.deps, OPTIONS, elsewhere(found), (list) => list, NEVER);
}

test("files are parsed again and compared", async () => {
  const found = await honest();
  const { compared: files, unlike } = await compared(found);
  // A file of one long line counts as minified, and is not indexed.
  expect({ files, unlike }).toEqual({ files: Object.keys(TEXTS).length - 1, unlike: 0 });
  expect(await compared(new Map())).toEqual({ compared: 0, unlike: 0 });
});

test("false facts built from words of the text are found when the file is parsed", async () => {
  const found = await honest();
  const of = hashOf(TEXTS["c.go"] ?? "");
  const true_ = found.get(of);
  if (!true_) throw new Error("it was parsed");
  const { facts, stats } = true_;
  const lies: readonly ParseOutput[] = [
    { facts: { ...facts, symbols: facts.symbols.map((one) => ({ ...one, bodyTokens: 1 })) }, stats },
    { facts: { ...facts, references: [] }, stats },
    { facts, stats: stats.map((byte, at) => (at === stats.length - 1 ? byte ^ 1 : byte)) },
  ];
  for (const lie of lies) {
    expect(isOfText(lie.facts, TEXTS["c.go"] ?? "")).toBe(true);
    expect(await compared(new Map([...found, [of, lie]]))).toMatchObject({ unlike: 1 });
  }
});

test("files that are not indexed are not compared", async () => {
  const text = "key = 'x'\n";
  using repo = tempRepo({ ".env": text, "node_modules/a.js": text, "a.lock": text });
  const facts = await sharedPool().parse(inputOf("a.py", text));
  const found = { find: () => ({ ...facts, facts: { ...facts.facts, tokenCount: 99 } }) };
  const { compared: files } = await compareSome(worldOf(repo).deps, OPTIONS, found, (list) => list, NEVER);
  expect(files).toBe(0);
});
