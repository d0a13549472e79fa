/** `--handoff` of `cra retrieve` and `cra refine`: the request that it makes, and what is refused. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ran, seen, watch } from "../stub-app.ts";

watch();

const BUNDLE = {
  error_message: "ValueError: no price",
  stack_trace: 'File "/app/shop/cart.py", line 4, in cart_sum\nKeyError: 1',
  root_cause: "the list is empty",
  recent_changes: ["shop/cart.py"],
};
const piped = (value: unknown) => ({ text: JSON.stringify(value) });

test("a failure is the task, or is added to it", async () => {
  writeFileSync(join(seen.folder, "failure.json"), JSON.stringify(BUNDLE));
  expect((await ran(["retrieve", "--handoff", "failure.json"])).code).toBe(0);
  await ran(["retrieve", "make it faster", "--handoff", "-"], {}, piped(BUNDLE));
  await ran(["retrieve", "-", "--handoff", "failure.json"], {}, { text: "from a pipe\n" });
  const [alone, typed, read] = seen.requests.map(({ task }) => task);
  expect(alone).toStartWith("ValueError: no price\n\nRoot cause:\nthe list is empty\n");
  expect(typed).toBe(`make it faster\n\n${alone}`);
  expect(read).toBe(`from a pipe\n\n${alone}`);
});

test("in a further round it adds errors, reason and trace to what was typed", async () => {
  await ran(["refine", "0123", "--handoff", "-", "--error", "mine", "--no-refresh"], {}, piped(BUNDLE));
  expect(seen.refinements[0]).toMatchObject({
    refresh: false,
    request: {
      reason: "the list is empty",
      error_signatures: ["mine", "ValueError: no price", "the list is empty", "KeyError: 1"],
    },
  });
  expect(seen.refinements[0]?.trace).toContain('File "/app/shop/cart.py", line 4, in cart_sum');
  expect(seen.refinements[0]?.request.missing_files).toBeUndefined();
  seen.refinements = [];
  await ran(["refine", "0123", "--handoff", "-", "--reason", "typed"], {}, piped(BUNDLE));
  expect(seen.refinements[0]?.request.reason).toBe("typed");
});

test("an empty bundle is ignored next to another request, and refused alone", async () => {
  for (const empty of [{}, null, { root_cause: "unknown" }]) {
    for (const words of [["retrieve"], ["retrieve", " "], ["refine", "0123"]])
      expect(await ran([...words, "--handoff", "-"], {}, piped(empty))).toEqual({
        code: 2,
        out: "",
        err: "cra: the handoff bundle holds no failure; add an error_message or a stack_trace to it\n",
      });
    await ran(["retrieve", "a task", "--handoff", "-"], {}, piped(empty));
    await ran(["refine", "0123", "--accept", "a.py", "--handoff", "-"], {}, piped(empty));
  }
  expect(seen.requests.map(({ task }) => task)).toEqual(["a task", "a task", "a task"]);
  expect(seen.refinements.map(({ request, trace }) => [request, trace])).toEqual(
    Array.from({ length: 3 }, () => [{ accepted_files: ["a.py"] }, undefined]),
  );
});

test("errors are reported before any work", async () => {
  writeFileSync(join(seen.folder, "list.json"), "[]");
  writeFileSync(join(seen.folder, "bytes.json"), Uint8Array.of(0x22, 0xff, 0x22));
  writeFileSync(join(seen.folder, "large.json"), " ".repeat(1024 * 1024 + 1));
  const wrong = [
    [["--handoff", "none.json"], /^cra: --handoff: there is no file none\.json\n$/],
    [["--trace", "/dev/fd/463"], /^cra: --trace: there is no file \/dev\/fd\/463; pipe it in, and name it -\n$/],
    [["--handoff", "."], /: is not a regular file\n$/],
    [["--handoff", "/dev/zero"], /: is not a regular file\n$/],
    [["--handoff", "list.json"], /^cra: list\.json: is not a JSON object; see: cra schema handoff\n$/],
    [["--handoff", "bytes.json"], /: is not UTF-8\n$/],
    [["--handoff", "large.json"], /: is larger than 1048576 bytes\n$/],
    [["--handoff", ""], /^cra: --handoff: the value is empty\n$/],
  ] as const;
  for (const [words, message] of wrong)
    for (const command of [["retrieve"], ["retrieve", "x"], ["refine", "0123"]]) {
      const { code, err, out } = await ran([...command, ...words]);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toMatch(message);
    }
  const twice = /both want standard input; name a file for one of them/;
  expect((await ran(["retrieve", "-", "--handoff", "-"])).err).toMatch(twice);
  expect((await ran(["refine", "0123", "--request", "-", "--handoff", "-"])).err).toMatch(twice);
  expect((await ran(["retrieve"])).err).toBe("cra: missing required argument 'task'; see: cra retrieve --help\n");
  expect([seen.requests, seen.refinements]).toEqual([[], []]);
});
