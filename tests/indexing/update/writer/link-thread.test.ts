/** A second thread links the languages with packages, and the index is what one thread makes. */
import { expect, spyOn, test } from "bun:test";
import { MessageChannel } from "node:worker_threads";
import { type LinkInbox, linksElsewhere, sendLinks, wake } from "../../../../src/indexing/links/links-elsewhere.ts";
import { familiesToLink, openLinking } from "../../../../src/indexing/update/writer/link-client.ts";
import { startWriter } from "../../../../src/indexing/update/writer/writer-client.ts";
import { dumpCuratedFile } from "../../../support/dump.ts";
import { tempRepo } from "../../../support/repo.ts";
import { runIndex, sharedWorlds, type World, writerPathsOf } from "../index-repo-world.ts";

const worldOf = sharedWorlds();

const FILES = {
  "go.mod": "module example.com/shop\n",
  "cart/cart.go":
    "package cart\n\ntype Cart struct{ Lines int }\n\nfunc (c *Cart) Total() int { return sum(c.Lines) }\n",
  "cart/sum.go": "package cart\n\nfunc sum(lines int) int { return lines }\n",
  "main.go":
    'package main\n\nimport "example.com/shop/cart"\n\nfunc main() {\n\tc := cart.Cart{}\n\tc.Total()\n\tcart.Open()\n}\n',
  "java/shop/Cart.java": "package shop;\npublic class Cart { public int total() { return Sum.of(1); } }\n",
  "java/shop/Sum.java": "package shop;\nclass Sum { static int of(int lines) { return lines; } }\n",
  "java/shop/CartTest.java":
    "package shop;\nimport shop.Cart;\nclass CartTest { void total() { new Cart().total(); } }\n",
  "lib/cart.rb": "require_relative 'sum'\nclass Cart\n  def total\n    sum_of(1)\n  end\nend\n",
  "lib/sum.rb": "def sum_of(lines)\n  lines\nend\n",
  "web/cart.ts": 'import { sum } from "./sum";\nexport class Cart { total() { return sum(1); } }\n',
  "web/sum.ts": "export function sum(lines: number) { return lines; }\n",
  "web/asks.ts":
    "export function asks(given) {\n  given.settleAll();\n  given.mentionedTwice();\n  given.onlyInTests();\n  shared();\n}\n",
  "web/outside.js":
    'const { Cart } = require("./cart");\nCart.prototype.reduce = function () { return 1; };\nCart.reset = () => 1;\n',
  "web/uses.ts": 'import { Cart } from "./cart";\nexport function uses(c: Cart) { c.reduce(); Cart.reset(); }\n',
  // Names that no file defines, only imports or exports.
  "web/again.ts": 'export { sum as plus } from "./sum";\nfunction take() { return 1; }\nexport { take as took };\n',
  "web/renamed.ts":
    'import * as again from "./again";\nimport { sum as added } from "./sum";\nexport function renamed() { again.plus(1); again.took(); added(2); }\n',
  "web/again.py": "from web.sum import total as whole\n",
  "web/renamed.py": "from web import again\n\n\ndef renamed():\n    return again.whole(1)\n",
  "web/rare.ts":
    "export class Rare { settleAll() {} mentionedTwice() {} }\nexport class Other { mentionedTwice() {} }\n",
  "web/rare.test.ts": "export class TestRare { onlyInTests() {} }\n",
  "web/script.js": "function shared() { return 1; }\nfunction useShared() { return shared(); }\n",
  "Cargo.toml": '[package]\nname = "shop"\n',
  "src/lib.rs":
    "mod cart;\nmod sum;\nmod macros;\nuse cart::Cart;\npub fn all(c: Cart) -> usize { c.total() + counted!(2) }\n",
  "src/cart.rs":
    "pub struct Cart { pub lines: usize }\npub struct Other;\nimpl Other { pub fn total(&self) -> usize { 2 } }\n",
  "src/sum.rs": "use crate::cart::Cart;\nimpl Cart { pub fn total(&self) -> usize { self.lines } }\n",
  "src/macros.rs": "macro_rules! counted { ($n:expr) => { $n } }\n",
  "web/cart.py": "from web.sum import total\n\n\ndef cart():\n    return total(1)\n",
  "web/sum.py": "def total(lines):\n    return lines\n",
  "web/rare.py":
    "class Rare:\n    def settle_all(self):\n        return 1\n\n    def mentioned_twice(self):\n        return 2\n",
  "web/other.py": "class Other:\n    def mentioned_twice(self):\n        return 3\n",
  "web/test_rare.py": "class TestRare:\n    def only_in_tests(self):\n        return 1\n",
  "web/asks.py":
    "def asks(given):\n    given.settle_all()\n    given.mentioned_twice()\n    given.only_in_tests()\n    given.append()\n",
};

/** Writes in a thread, with a second one that links from so many files on. `asked`: whether it was, run by run. */
function linkingFrom(here: World, filesMin: number) {
  const files = writerPathsOf(here.paths);
  const asked: string[] = [];
  const begin: World["deps"]["store"]["startWriter"] = (report, signal, { linksAll }) => {
    const session = startWriter({ root: here.root, files }, report, signal, {
      linkedElsewhereMin: filesMin,
      linksAll,
      sparesMemory: false,
    });
    const finish: typeof session.finish = (request) => {
      asked.push([...familiesToLink(request, filesMin)].sort().join(" "));
      return session.finish(request);
    };
    return { ...session, finish };
  };
  const { writeHere: _, ...store } = here.deps.store;
  return { here: { ...here, deps: { ...here.deps, store: { ...store, startWriter: begin } } }, asked };
}

test("two threads make the same index as one, whatever either links, and a change starts no second one", async () => {
  using repo = tempRepo(FILES);
  const alone = worldOf(repo);
  const [some, all] = [linkingFrom(worldOf(repo), 2), linkingFrom(worldOf(repo), 7)];
  const none = linkingFrom(worldOf(repo), 100);
  await runIndex(alone);
  const wanted = dumpCuratedFile(alone.paths.curated);
  for (const each of [some, all, none]) {
    await runIndex(each.here);
    expect(dumpCuratedFile(each.here.paths.curated)).toBe(wanted);
  }
  repo.write({ "cart/sum.go": "package cart\n\nfunc sum(lines int) int { return lines + 1 }\nfunc Open() {}\n" });
  await runIndex(some.here);
  const summary = await runIndex(alone);
  expect(some.asked).toEqual(["ecmascript go python rust", ""]);
  expect(all.asked).toEqual(["ecmascript go jvm python ruby rust"]);
  expect(none.asked).toEqual([""]);
  expect(dumpCuratedFile(some.here.paths.curated)).toBe(dumpCuratedFile(alone.paths.curated));
  expect(summary.meta.counts.references).toBeGreaterThan(18);
});

test("the thread starts while files are parsed, if there are enough and everything will be linked", () => {
  using repo = tempRepo({});
  const { root, paths } = worldOf(repo);
  const file = { path: "a.py", language: "python", contentHash: "0".repeat(64), sizeBytes: 1, isTest: false, id: null };
  const sent = spyOn(Worker.prototype, "postMessage");
  const messagesFor = (counts: readonly number[], linksAll: boolean): readonly number[] => {
    const linking = openLinking({ root, files: writerPathsOf(paths) }, { linkedElsewhereMin: 3, linksAll });
    sent.mockClear();
    const messages = counts.map((count) => {
      linking.put(Array.from({ length: count }, () => file));
      return sent.mock.calls.length;
    });
    linking.stop();
    return messages;
  };
  try {
    expect(messagesFor([2, 1, 5], true)).toEqual([0, 1, 2]);
    expect(messagesFor([2, 1, 5], false)).toEqual([0, 0, 0]);
  } finally {
    sent.mockRestore();
  }
});

test("a thread that fails or ends is an error, not a wait for ever", () => {
  const inbox = () => {
    const { port1, port2 } = new MessageChannel();
    const counts = new Int32Array(new SharedArrayBuffer(8));
    const families: LinkInbox["families"] = new Set();
    return { outbox: { port: port1, counts }, inbox: { port: port2, counts, families } };
  };
  const failed = inbox();
  sendLinks(failed.outbox, { kind: "error", message: "no space left" });
  expect(() => [...linksElsewhere(failed.inbox, []).links()]).toThrow("no space left");
  const ended = inbox();
  Atomics.store(ended.outbox.counts, 1, 1);
  wake(ended.outbox);
  expect(() => [...linksElsewhere(ended.inbox, []).links()]).toThrow("ended without an answer");
});
