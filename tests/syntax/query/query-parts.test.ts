/** Named parts of queries. */
import { expect, test } from "bun:test";
import { expandParts } from "../../../src/syntax/query/query-parts.ts";

test("a part stands for its text, with its argument, in patterns and in later parts", () => {
  const query = `; Uses.

; part name(kind)
(identifier) @reference.{kind}
; end

; part base(kind)
[{name({kind})} (generic {name({kind})})]
; end

; part plain
(a)
; end
(call {base(call)}) (attribute {name(decorate)}) {plain}
(#match? @x "^[A-Z]{2}$")
`;
  expect(expandParts(query).replace(/\n+/g, "\n")).toBe(`; Uses.
(call [(identifier) @reference.call (generic (identifier) @reference.call)]) (attribute (identifier) @reference.decorate) (a)
(#match? @x "^[A-Z]{2}$")
`);
});

test("a query without parts stays as it is, and an unknown part is refused", () => {
  expect(expandParts("(a) @b ; part of c\n")).toBe("(a) @b ; part of c\n");
  expect(() => expandParts("(a {b(c)})")).toThrow("a query uses {b(c)}, which no part defines");
});
