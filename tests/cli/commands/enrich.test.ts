/** `cra enrich` from arguments to output, on the stub app. */
import { expect, test } from "bun:test";
import { ran, seen, watch } from "../stub-app.ts";

watch();

const MODEL = ["--model", "m:1b"] as const;

test("prints counts and the next command", async () => {
  const { out, err, code } = await ran(["enrich", ...MODEL]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe(
    "enriched /r with m:1b\nfiles         3\nanswered      2, 1 before\nin the index  not promoted; run: cra enrich --promote\n",
  );
  expect(seen.enriched).toEqual([{ promote: false, limit: null }]);
});

test("promotes, asks about a limited number, and prints one JSON object", async () => {
  const { out, code } = await ran(["enrich", ...MODEL, "--promote", "--limit", "7", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    schema_version: 1,
    repository: "/r",
    model: "m:1b",
    files: 3,
    answered_before: 1,
    answered: 2,
    failed: [],
    gone: 0,
    left: 0,
    promoted: { files: 3, changed: 2 },
    ms: 0,
  });
  expect(seen.enriched).toEqual([{ promote: true, limit: 7 }]);
});

test("a failed file is counted, named with -v, and the exit code is 13", async () => {
  const brief = await ran(["enrich", ...MODEL], { enrichFails: true });
  expect([brief.code, brief.err]).toEqual([
    13,
    "cra: note: no usable answer for 1 file (see which with -v); the next run asks again\n",
  ]);
  expect(brief.out).toContain("failed        1\nleft          1\n");
  const long = await ran(["enrich", ...MODEL, "-v"], { enrichFails: true });
  expect(long.err).toBe(
    "failed b\\x1b[2J.ts: the reply broke off\ncra: note: no usable answer for 1 file; the next run asks again\n",
  );
});

test("needs a model, an index and one repository", async () => {
  expect(await ran(["enrich"])).toMatchObject({ code: 2, err: expect.stringContaining("name one with --model") });
  expect((await ran(["enrich", "--promote"])).out).toStartWith("enriched /r\n");
  expect((await ran(["enrich", ...MODEL], { indexed: false })).code).toBe(10);
  expect((await ran(["enrich", "/r", "--repo", "/r", ...MODEL])).code).toBe(2);
  expect((await ran(["enrich", ...MODEL, "--limit", "0"])).code).toBe(2);
});
