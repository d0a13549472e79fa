/** JSON that may be damaged or made to harm. */
import { expect, test } from "bun:test";
import { parseJson, VALUES_MAX } from "../../src/text/parse-json.ts";

test("what is not JSON has no value", () => {
  for (const text of ["", "{", "[1,]", "\u0000"]) expect(parseJson(text)).toBeUndefined();
  expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
});

test("a text of more values than memory has room for is not parsed", () => {
  for (const [value, each] of [
    ["0", 1],
    ["[]", 2],
    ['{"a":0}', 2],
  ] as const) {
    const list = (values: number): string => `[${`${value},`.repeat(values / each - 1)}${value}]`;
    expect(parseJson(list(VALUES_MAX + each))).toBeUndefined();
    expect(parseJson(list(VALUES_MAX - each))).toBeArrayOfSize((VALUES_MAX - each) / each);
  }
});

test("signs in strings are no values", () => {
  const text = '[,{\\"\\\\'.repeat(VALUES_MAX / 2);
  expect(parseJson(`["${text}"]`)).toBeArrayOfSize(1);
});
