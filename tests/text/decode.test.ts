import { expect, test } from "bun:test";
import fc from "fast-check";
import { BINARY_PROBE_BYTES, decode } from "../../src/text/decode.ts";

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values);
const text = (content: string, lossy = false): unknown => ({ kind: "text", text: content, lossy });

test.each([
  ["empty", bytes(), text("")],
  ["ASCII with CRLF kept", bytes(0x61, 0x0d, 0x0a, 0x0d), text("a\r\n\r")],
  ["UTF-8", bytes(0xc3, 0xa9), text("é")],
  ["UTF-8 with a mark", bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), text("é")],
  ["a second mark is text", bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), text("\u{feff}")],
  ["UTF-16 little end first", bytes(0xff, 0xfe, 0x61, 0, 0x3d, 0xd8, 0x00, 0xde), text("a😀")],
  ["UTF-16 big end first", bytes(0xfe, 0xff, 0, 0x61), text("a")],
  ["half a pair in UTF-16", bytes(0xff, 0xfe, 0x3d, 0xd8), { kind: "binary" }],
  ["an odd byte in UTF-16", bytes(0xff, 0xfe, 0x61), { kind: "binary" }],
  ["UTF-32", bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), { kind: "binary" }],
  ["NUL", bytes(0x61, 0, 0x62), { kind: "binary" }],
  ["Latin-1", bytes(0x63, 0xe9, 0x80, 0xff), text("c\u{e9}\u{80}\u{ff}", true)],
  ["half a UTF-8 character at the end", bytes(0x61, 0xc3), text("a\u{c3}", true)],
  ["a surrogate in UTF-8", bytes(0xed, 0xa0, 0x80), text("\u{ed}\u{a0}\u{80}", true)],
  ["a true replacement character", bytes(0xef, 0xbf, 0xbd), text("\u{fffd}")],
])("%s", (_name, input, expected) => {
  expect<unknown>(decode(input)).toEqual(expected);
});

test("a NUL counts in the first 8 KiB only", () => {
  const late = new Uint8Array(BINARY_PROBE_BYTES + 1).fill(0x61);
  late[BINARY_PROBE_BYTES] = 0;
  expect(decode(late).kind).toBe("text");
  late[BINARY_PROBE_BYTES - 1] = 0;
  expect(decode(late).kind).toBe("binary");
});

test("property: what strings encode to comes back; no input makes U+FFFD", () => {
  const sane = fc
    .string({ unit: "grapheme" })
    .filter((string) => !string.includes("\0") && !string.startsWith("\u{feff}"));
  fc.assert(
    fc.property(sane, (string) => expect<unknown>(decode(new TextEncoder().encode(string))).toEqual(text(string))),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (input) => {
      const decoded = decode(input);
      const source = Buffer.from(input);
      const held =
        source.includes(Buffer.from([0xef, 0xbf, 0xbd])) ||
        source.includes(Buffer.from([0xff, 0xfd])) ||
        source.includes(Buffer.from([0xfd, 0xff]));
      expect(decoded.kind === "text" && decoded.text.includes("\u{fffd}") && !held).toBe(false);
    }),
  );
});
