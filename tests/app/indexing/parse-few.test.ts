/** Few texts are parsed without a thread, and give what a thread gives. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { parseFew } from "../../../src/app/indexing/parse-few.ts";
import { openParsePool } from "../../../src/syntax/parse/parse-pool.ts";
import { HANG_MS } from "../../support/hang.ts";

setDefaultTimeout(HANG_MS);

test("a thread starts when the texts are no longer few", async () => {
  let threads = 0;
  const spawn = (): Worker => {
    threads += 1;
    return new Worker(new URL("../../../src/syntax/parse/parse-worker.ts", import.meta.url).href);
  };
  const pool = openParsePool({ workersMax: 1, spawn });
  try {
    const parser = parseFew(pool);
    const job = { text: "def f(x):\n    return g(x)\n", language: "python" };
    const [here, again] = [await parser.parse(job), await parser.parse(job)];
    expect(threads).toBe(0);
    await parser.parse({ text: "x = 1\n".repeat(12_000), language: "python" });
    expect(threads).toBe(1);
    const there = await parser.parse(job);
    expect([here, again]).toEqual([there, there]);
    expect(here.facts.symbols.map(({ name }) => name)).toEqual(["f"]);
  } finally {
    pool.close();
  }
});
