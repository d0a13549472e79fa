/**
 * Files that stress the indexer: every encoding, binaries, and texts that exhaust parsers.
 *
 * Each has its expected skip reason, null if it is indexed. Long ones have occasional line ends, because a file of one
 * long line is not parsed at all.
 */

/** `reason` is what `cra index -v` prints for a skipped file. */
export type OddFile = { readonly name: string; readonly content: string | Uint8Array; readonly reason: string | null };

const CODE = "def total(items):\n    return sum(items)\n";
const encoded = (text: string, swap: boolean): Buffer => {
  const bytes = Buffer.from(text, "utf16le");
  return swap ? bytes.swap16() : bytes;
};
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));
/** Repeats the text, with a line end about every hundred characters. */
const lines = (text: string, times: number): string =>
  `${text.repeat(Math.ceil(100 / text.length))}\n`.repeat(Math.ceil((times * text.length) / 100));

const indexed = (name: string, content: string | Uint8Array): OddFile => ({ name, content, reason: null });
const skipped = (reason: string, name: string, content: string | Uint8Array): OddFile => ({ name, content, reason });

/** Many times as much work for its parser as is allowed. */
export const TOO_SLOW = "open-brackets-in-lines.py";

export const ODD_FILES: readonly OddFile[] = [
  indexed("utf8-mark.py", bytes([0xef, 0xbb, 0xbf], CODE)),
  indexed("utf16le-mark.py", bytes([0xff, 0xfe], [...encoded(CODE, false)])),
  indexed("utf16be-mark.py", bytes([0xfe, 0xff], [...encoded(CODE, true)])),
  skipped("binary", "utf16le.py", encoded(CODE, false)),
  skipped("binary", "utf16be.py", encoded(CODE, true)),
  indexed("latin1.py", bytes("# caf", [0xe9], `\n${CODE}`)),
  indexed("shift-jis.py", bytes("# ", [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea], `\n${CODE}`)),
  indexed("gbk.py", bytes("# ", [0xd6, 0xd0, 0xce, 0xc4], `\n${CODE}`)),
  indexed("surrogate.py", bytes("x = '", [0xed, 0xa0, 0x80], `'\n${CODE}`)),
  indexed("invalid.py", bytes("x = '", [0xc3, 0x28, 0xff, 0xfe, 0xf8], `'\n${CODE}`)),
  skipped("binary", "nul.py", `x = 1\0\n${CODE}`),
  indexed("late-nul.py", `${"x = 1\n".repeat(2_000)}# \0\n${CODE}`),
  skipped("binary", "picture", bytes([0x89], "PNG\r\n", [0x1a, 0x0a, 0, 0, 0, 0x0d])),
  skipped("binary", "program", bytes([0x7f], "ELF", [2, 1, 1, 0, 0, 0, 0, 0])),
  skipped("binary", "archive", bytes("PK", [3, 4, 0x14, 0, 0, 0])),
  skipped("binary", "packed", Bun.gzipSync(Buffer.from(CODE.repeat(50)))),
  skipped("minified", "bundle.js", "function a(b){return b+1};".repeat(4_000)),
  skipped("too-large", "one-line.js", "a=1;".repeat(1_310_720)),
  indexed("crlf.py", CODE.replaceAll("\n", "\r\n")),
  indexed("cr.py", CODE.replaceAll("\n", "\r")),
  indexed("no-last-line-end.py", CODE.trimEnd()),
  indexed("empty.py", ""),
  indexed("only-mark.py", bytes([0xef, 0xbb, 0xbf])),
  skipped("minified", "open-brackets.ts", "(".repeat(200_000)),
  skipped("minified", "less-than.ts", "a<b<c<".repeat(60_000)),
  indexed("open-brackets-in-lines.ts", lines("(", 10_000)),
  indexed(TOO_SLOW, lines("(", 200_000)),
  indexed("less-than-in-lines.ts", lines("a<b<c<", 5_000)),
  indexed("deep.json", lines("[", 50_000) + lines("]", 50_000)),
  indexed("backslashes.py", `x = '${lines("\\", 50_000)}'\n${CODE}`),
  indexed("comment.c", `/* ${lines("x ", 100_000)} */\nint total;\n`),
  indexed("open-comments.js", lines("/*", 15_000)),
  indexed(
    "long-names.py",
    `${Array.from({ length: 20 }, (_, n) => `def ${"x".repeat(400)}${n}():\n    pass\n`).join("")}${CODE}`,
  ),
  indexed("signs.py", `x = '\u{1f469}\u{200d}\u{1f4bb}\u{202e}\u{2066}\u{200b}\u{301}'\n${CODE}`),
  indexed("tokens.py", `# <|endoftext|> <|fim_prefix|>\n${CODE}`),
  indexed("template.md", "{task} {context} {{task}} ${x} $& %s\n"),
];

/** Files that contain `CODE`, whose function must be found. */
export const HOLD_TOTAL: readonly string[] = ODD_FILES.filter(({ name, content, reason }) => {
  const isUtf16 = name.startsWith("utf16");
  return reason === null && (isUtf16 || Buffer.from(content).includes("def total"));
}).map(({ name }) => name);
