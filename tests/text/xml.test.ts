/** Text in XML, read back by a parser that takes nothing for granted. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { element, escaped } from "../../src/text/xml.ts";
import { parsedXml } from "../support/xml.ts";

const nasty = fc
  .array(
    fc.constantFrom(
      "]]>",
      "<![CDATA[",
      "]]",
      ">",
      "<",
      "&",
      "&amp;",
      "</a>",
      "<a>",
      "<?x?>",
      "<!--",
      "-->",
      "x",
      "\n",
      '"',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

test("a parser gives back what was put in", () => {
  fc.assert(
    fc.property(nasty, (text) => {
      expect(parsedXml(`<r>${element("a", text)}</r>`)).toEqual([{ name: "a", text: `\n${text}\n` }]);
      const line = text.replaceAll("\n", "");
      expect(parsedXml(`<r><a>${escaped(line)}</a></r>`)).toEqual([{ name: "a", text: line }]);
    }),
    { numRuns: 500 },
  );
});

test("any text at all is well-formed, and what XML cannot hold is shown", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.nat(0xffff)), (text, units) => {
      for (const raw of [text, String.fromCharCode(...units)]) {
        expect(parsedXml(`<r>${element("a", raw)}</r>`)).toHaveLength(1);
        expect(parsedXml(`<r><a>${escaped(raw)}</a></r>`)).toHaveLength(1);
      }
    }),
    { numRuns: 300 },
  );
  expect(element("a", "bell\x07 nul\0 half\ud800 last\uffff")).toBe(
    "<a>\nbell\\x07 nul\\x00 half\\u{d800} last\\u{ffff}\n</a>",
  );
});
