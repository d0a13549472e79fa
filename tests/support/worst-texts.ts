/**
 * Texts that make slow code slow: one piece again and again, by itself or with numbers that make each one another name, so that whatever
 * looks back, looks ahead, or compares all with all has the most to do.
 */
type Piece = (at: number) => string;

const same =
  (text: string): Piece =>
  () =>
    text;

const PIECES: Readonly<Record<string, Piece>> = {
  ...Object.fromEntries(
    [
      " ",
      "\n",
      " \t\n",
      "a",
      "aB",
      "1",
      "_",
      ".",
      "a.",
      "a::",
      "a/",
      "a\\",
      "`",
      "`a ",
      "```\n",
      '"a ',
      "'a",
      "*a ",
      "**",
      "[a](",
      "(",
      "[[{<(",
    ]
      .concat([
        "<a ",
        "<details>",
        "<!-- ",
        "/* ",
        "// ",
        "a@b:",
        "a=b;",
        "a-",
        "> ",
        "- ",
        "| a ",
        "{a,",
        "%41",
        '{"a":',
        "\u001b[31m",
        "a\r",
      ])
      .concat(["a\u0301", "\u0301", "👩‍", "😀", "\ud800", "\0", "at ", "at a (", "#if a\n", "a<b<", "a, "])
      .map((text) => [JSON.stringify(text), same(text)]),
  ),
  fences: (at) => `${"`".repeat(3 + (at % 300))}\nx\n`,
  headings: (at) => `# Heading ${at}\n`,
  paths: (at) => `src/folder${at}/file${at}.py `,
  globs: (at) => `src/**/*a*b${at}*.{py,ts} `,
  members: (at) => `ClassName${at}.method${at}() `,
  names: (at) => `someLongName${at} `,
  words: (at) => `word${at.toString(36)} `,
  letters: (at) => String.fromCharCode(0x4e00 + ((at * 7) % 20_000)),
  python: (at) => `  File "src/app${at}.py", line ${at}, in name${at}\n    call${at}()\n`,
  javascript: (at) => `    at name${at} (src/app${at}.js:${at}:5)\n`,
  java: (at) => `\tat org.example.A${at}.run(A${at}.java:${at})\n`,
  rust: (at) => `  ${at}: a::b${at}\n     at src/x${at}.rs:${at}:1\n`,
  go: (at) => `main.f${at}(0x0)\n\t/src/x${at}.go:${at} +0x1\n`,
  errors: (at) => `ValueError: message number ${at} is wrong\n`,
  urls: (at) => `https://example.com/a${at}?b=c `,
  sentences: (at) => `Fix the thing number ${at}. `,
  versions: (at) => `name${at}: 1.${at}.0\n`,
  definitions: (at) => `def f${at}(): return f${at + 1}()\n`,
  overloads: same("def same(): return same()\n"),
  classes: (at) => `class A${at} extends A${at + 1} { m() { this.m(); } }\n`,
  imports: (at) => `import { a${at} } from "./a${at % 9}";\n`,
};

const text = (piece: Piece, length: number): string => {
  const parts: string[] = [];
  for (let [size, at] = [0, 0]; size < length; at++) {
    const part = piece(at);
    parts.push(part);
    size += part.length;
  }
  return parts.join("").slice(0, length);
};

/** Each by its name. */
export const worstTexts = (length: number): ReadonlyMap<string, string> =>
  new Map(Object.entries(PIECES).map(([name, piece]) => [name, text(piece, length)]));
