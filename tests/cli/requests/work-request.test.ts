/** `--diff`, `--since`, `--only` and `--trace` of `cra retrieve` and `cra refine`: the requests, and what is refused. */

import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endOfFile, endOfStream } from "../../../src/cli/input/handoff.ts";
import { onlyPaths } from "../../../src/cli/requests/work-request.ts";
import { valuesOf } from "../../../src/cli/syntax/typed-values.ts";
import { loadConfig } from "../../../src/config/read-files.ts";
import { temporaryFolder } from "../../source/fixture.ts";
import { environmentIn } from "../../support/environment.ts";
import { ran, seen, watch } from "../stub-app.ts";

watch();

test("changes are the task, or are added to it; a text is never taken as a commit", async () => {
  for (const words of [
    ["--diff"],
    ["--diff", "fix the cart"],
    ["fix", "--diff", "main"],
    ["--diff=main~2", "fix"],
    ["--since", "v1", "--diff"],
    ["--since", "v1", "fix the cart"],
    ["fix", "--diff="],
  ])
    expect([words, (await ran(["retrieve", ...words])).code]).toEqual([words, 0]);
  expect(seen.requests.map(({ task, changes }) => [task, changes])).toEqual([
    ["", { diff: "HEAD", since: null }],
    ["fix the cart", { diff: "HEAD", since: null }],
    ["fix", { diff: "main", since: null }],
    ["fix", { diff: "main~2", since: null }],
    ["", { diff: "HEAD", since: "v1" }],
    ["fix the cart", { diff: null, since: "v1" }],
    ["fix", { diff: "HEAD", since: null }],
  ]);
  await ran(["refine", "0123", "--diff"]);
  await ran(["refine", "0123", "--accept", "a.py"]);
  expect(seen.refinements.map(({ changes }) => changes)).toEqual([{ diff: "HEAD", since: null }, undefined]);
});

test.each([
  [["--since", "a", "--diff", "b", "x"], "--since and --diff with a commit exclude each other"],
  [["--since", "", "x"], "--since: the value is empty"],
  [["", "--diff"], "the task is empty"],
  [["--handoff", "a", "--trace", "b"], "--handoff and --trace exclude each other"],
  [["-", "--trace", "-"], "the task - and --trace - both want standard input"],
  [["--trace", "nowhere.log"], "--trace: there is no file nowhere.log"],
  [["--only", "", "x"], "--only: the value is empty"],
  [["--only", "nowhere", "x"], "--only: nowhere is not a folder or file of the repository"],
] as const)("%j is refused", async (words, said) => {
  const { code, out, err } = await ran(["retrieve", ...words]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toStartWith(`cra: ${said}`);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
  expect(seen.requests).toEqual([]);
});

const LOG = `${"building\n".repeat(400)}Traceback (most recent call last):
  File "/app/shop/cart.py", line 4, in cart_sum
KeyError: 'vat'
${"cleaning\n".repeat(400)}`;

test("the last failure of a log is the task, or is added to it", async () => {
  writeFileSync(join(seen.folder, "run.log"), LOG);
  await ran(["retrieve", "--trace", "run.log"]);
  await ran(["retrieve", "why?", "--trace", "-"], {}, { text: LOG });
  const [alone, typed] = seen.requests.map(({ task }) => task);
  expect(alone).toStartWith("KeyError: 'vat'\n\n```\nbuilding\n");
  expect(alone).toContain('File "/app/shop/cart.py", line 4, in cart_sum');
  expect(alone?.length).toBeLessThan(400);
  expect(typed).toBe(`why?\n\n${alone}`);
  await ran(["refine", "0123", "--trace", "run.log"]);
  expect(seen.refinements[0]?.request.error_signatures).toEqual(["KeyError: 'vat'"]);
  expect(seen.refinements[0]?.trace).toContain("cart.py");
  writeFileSync(join(seen.folder, "core.log"), Buffer.from([0, 255, 254, 0, 65, 0, 128, 129]));
  expect((await ran(["retrieve", "--trace", "core.log"])).err).toBe("cra: --trace: core.log is not text\n");
  expect((await ran(["retrieve", "--trace", "-"], {}, { text: "\n \n" })).err).toBe(
    "cra: --trace: standard input is empty\n",
  );
});

test("of a long log only the end is read, from a file or a stream, in the encoding of its byte order mark", async () => {
  const crash = "Traceback (most recent call last):\n  File \"/app/cart.py\", line 4, in f\nKeyError: 'vat'\n";
  const path = join(seen.folder, "end.log");
  writeFileSync(path, `${"x".repeat(500)}\n${crash}`);
  expect(await endOfFile(path, 200)).toBe(crash);
  expect(await endOfFile(join(seen.folder, "no.log"), 200)).toBeNull();
  expect(endOfFile(seen.folder, 200)).rejects.toThrow("is not a regular file");
  async function* pieces(bytes: Uint8Array, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  for (const size of [1, 7, 150, 10_000]) {
    expect(await endOfStream(pieces(Buffer.from(`${"x".repeat(500)}\n${crash}`), size), 200)).toBe(crash);
    const wide = Buffer.from(`\u{feff}${"é".repeat(500)}\n${crash}`, "utf16le");
    for (const most of [400, 401, 10_000])
      expect(await endOfStream(pieces(wide, size), most)).toBe(
        most > wide.length ? wide.toString("utf16le", 2) : crash,
      );
    writeFileSync(path, wide);
    expect(await endOfFile(path, 401)).toBe(crash);
  }
  writeFileSync(path, Buffer.concat([Buffer.from([0xff, 0xc3, 0x0a]), Buffer.from(crash)]));
  await ran(["retrieve", "--trace", path]);
  expect(seen.requests[0]?.task).toStartWith("KeyError: 'vat'\n");
});

test("paths of --only are relative to the current folder, else to the root, and inside the repository", () => {
  using repo = temporaryFolder({ "pkg/a/x.py": "x\n", "pkg/b/y.py": "y\n", "a/z.py": "z\n" });
  using other = temporaryFolder({ "out.py": "x\n" });
  symlinkSync(other.path, join(repo.path, "pkg", "out"));
  symlinkSync(join(repo.path, "pkg", "b"), join(repo.path, "pkg", "link"));
  mkdirSync(join(repo.path, "empty"));
  const root = realpathSync(repo.path);
  const places = (cwd: string, ...typed: readonly string[]) =>
    onlyPaths(
      {
        values: valuesOf(new Map([["--only", typed]]), new Map()),
        environment: environmentIn(cwd, {}),
      },
      { root, members: () => [], config: loadConfig({ flags: [], variables: {}, root: null }) },
    );
  const inside = join(root, "pkg");
  expect(places(inside, "a")).toEqual(["pkg/a"]);
  expect(places(inside, "../a/", "./b/y.py", "b")).toEqual(["a", "pkg/b", "pkg/b/y.py"]);
  expect(places(inside, "pkg/a", "empty", "link")).toEqual(["empty", "pkg/a", "pkg/b"]);
  expect(places(inside, join(root, "a"))).toEqual(["a"]);
  expect(places(inside, "..", "a")).toEqual([]);
  expect(places(inside)).toEqual([]);
  for (const wrong of ["nope", "out", "/etc", "../..", "a\0b", ""])
    expect(() => places(wrong === "" ? "/nowhere" : inside, wrong === "" ? "nope" : wrong)).toThrow(
      "is not a folder or file",
    );
});
