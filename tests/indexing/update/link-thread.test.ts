/** A second thread links the languages with packages, and the index is what one thread makes. */
import { expect, test } from "bun:test";
import { MessageChannel } from "node:worker_threads";
import { linksElsewhere, sendLinks, wake } from "../../../src/indexing/links/links-elsewhere.ts";
import { isWorthLinking } from "../../../src/indexing/update/link-client.ts";
import { startWriter } from "../../../src/indexing/update/writer-client.ts";
import { dumpCuratedFile } from "../../support/dump.ts";
import { tempRepo } from "../../support/repo.ts";
import { runIndex, sharedWorlds, type World, writerPathsOf } from "./index-repo-world.ts";

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
  const asked: boolean[] = [];
  const begin: World["deps"]["store"]["startWriter"] = (report, signal) => {
    const session = startWriter({ root: here.root, files }, report, signal, filesMin);
    const finish: typeof session.finish = (request) => {
      asked.push(isWorthLinking(request, filesMin));
      return session.finish(request);
    };
    return { ...session, finish };
  };
  const { writeHere: _, ...store } = here.deps.store;
  return { here: { ...here, deps: { ...here.deps, store: { ...store, startWriter: begin } } }, asked };
}

test("two threads make the same index as one, and a change starts no second one", async () => {
  using repo = tempRepo(FILES);
  const [alone, both, large] = [worldOf(repo), linkingFrom(worldOf(repo), 2), linkingFrom(worldOf(repo), 3)];
  await runIndex(alone);
  await runIndex(both.here);
  expect(dumpCuratedFile(both.here.paths.curated)).toBe(dumpCuratedFile(alone.paths.curated));
  await runIndex(large.here);
  expect(large.asked).toEqual([false]);
  repo.write({ "cart/sum.go": "package cart\n\nfunc sum(lines int) int { return lines + 1 }\nfunc Open() {}\n" });
  await runIndex(both.here);
  const summary = await runIndex(alone);
  expect(both.asked).toEqual([true, false]);
  expect(dumpCuratedFile(both.here.paths.curated)).toBe(dumpCuratedFile(alone.paths.curated));
  expect(summary.meta.counts.references).toBeGreaterThan(11);
});

test("a thread that fails or ends is an error, not a wait for ever", () => {
  const inbox = () => {
    const { port1, port2 } = new MessageChannel();
    const counts = new Int32Array(new SharedArrayBuffer(8));
    return { outbox: { port: port1, counts }, inbox: { port: port2, counts } };
  };
  const failed = inbox();
  sendLinks(failed.outbox, { kind: "error", message: "no space left" });
  expect(() => [...linksElsewhere(failed.inbox, []).links()]).toThrow("no space left");
  const ended = inbox();
  Atomics.store(ended.outbox.counts, 1, 1);
  wake(ended.outbox);
  expect(() => [...linksElsewhere(ended.inbox, []).links()]).toThrow("ended without an answer");
});
