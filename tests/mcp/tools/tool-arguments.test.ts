/** Arguments as models write them: what is taken for another value, and what is refused. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { checkedArguments } from "../../../src/mcp/tools/tool-arguments.ts";

test("a missing argument and an unknown one are both named: the model called one otherwise", () => {
  expect(() => checkedArguments(z.strictObject({ what: z.string() }), { path: "a" }, "read")).toThrow(
    /^what: it is missing; the arguments: Unrecognized key: "path"; read takes what$/,
  );
});

test("arguments mean what models mean by them: null and nothing are none, and a text may be a value, a choice or the only entry of a list", () => {
  const type = z.strictObject({
    what: z.string().optional(),
    count: z.int().min(1).optional(),
    share: z.union([z.literal("auto"), z.number()]).optional(),
    check: z.boolean().optional(),
    names: z.array(z.string().min(1)).optional(),
    for: z.enum(["plan", "fix"]).optional(),
    since: z.string().min(1).optional(),
  });
  const read = (args: unknown): unknown => checkedArguments(type, args, "try");
  expect(read({ what: null, count: null, names: null })).toEqual({});
  expect(read({ what: "", since: "", count: "", for: "", names: "" })).toEqual({});
  expect(read({ names: ["", "a.py", null] })).toEqual({ names: ["a.py"] });
  expect(read({ for: "Fix" })).toEqual({ for: "fix" });
  expect(read({ what: "7", count: "7", share: "0.5", check: "true" })).toEqual({
    ...{ what: "7", count: 7, share: 0.5, check: true },
  });
  expect(read({ share: "auto" })).toEqual({ share: "auto" });
  expect(read({ names: "a.py" })).toEqual({ names: ["a.py"] });
  expect(read({ names: "2024" })).toEqual({ names: ["2024"] });
  expect(read({ names: '["a.py", "b.py"]' })).toEqual({ names: ["a.py", "b.py"] });
  for (const [args, says] of [
    [{ count: "many" }, /^count: Invalid input: expected number, received string; see/],
    [{ count: "0" }, /^count: Too small/],
    [
      { count: "7", more: 1 },
      /^the arguments: Unrecognized key: "more"; try takes what, count, share, check, names, for, since$/,
    ],
    [{ names: '["a", 2]' }, /^names\.1: /],
    [{ for: "bugfix" }, /^for: Invalid option: expected one of "plan"\|"fix"; see/],
    [{ what: 3 }, /^what: /],
  ] as const)
    expect(() => read(args)).toThrow(says);
  const deep = "[".repeat(100_000);
  expect(read({ names: deep })).toEqual({ names: [deep] });
  expect(() => checkedArguments(z.strictObject({ what: z.string() }), { what: null }, "read")).toThrow(
    /^what: it is missing; see/,
  );
});
