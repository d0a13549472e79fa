/** Notations in which a key stays usable: escapes around it, escapes of its letters, encodings, and names glued to it. */

/** `wrap` writes a line; `unwrap` reads a text as the program would that the notation is for. */
export type Wrapping = {
  readonly name: string;
  readonly wrap: (line: string, secret: string) => string;
  readonly unwrap: (text: string) => string;
};

/** What is glued to something else: the key itself if the line says no more about it. */
const bare = (line: string, secret: string): string => (line === `key = "${secret}"` ? secret : line);
const around =
  (before: string, after: string): Wrapping["wrap"] =>
  (line, secret) =>
    before + bare(line, secret) + after;
/** The characters of the secret in another notation; the rest of the line as it is. */
const within =
  (written: (letter: string, at: number) => string): Wrapping["wrap"] =>
  (line, secret) =>
    line.replace(secret, () => Array.from(secret, written).join(""));

const code = (letter: string, radix: number, digits = 1): string =>
  letter.charCodeAt(0).toString(radix).padStart(digits, "0");
const decoded =
  (pattern: RegExp, radix: number): Wrapping["unwrap"] =>
  (text) =>
    text.replaceAll(pattern, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, radix)));
const asIs = (text: string): string => text;
/** The same, which reads the text before once: several notations begin with another one. */
const once = (read: Wrapping["unwrap"]): Wrapping["unwrap"] => {
  let last: { readonly text: string; readonly found: string } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, found: read(text) };
    return last.found;
  };
};
const fromPercent = once(decoded(/%([0-9A-Fa-f]{2})/g, 16));
const fromHtml = (text: string): string =>
  decoded(
    /&#(\d+);/g,
    10,
  )(decoded(/&#x([0-9a-f]+);/g, 16)(text))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
/** Undoes the escapes of JSON in any text, so that it also reads a document that was cut. */
const fromJson = once((text) =>
  decoded(
    /\\u([0-9a-f]{4})/g,
    16,
  )(text)
    .replaceAll(/\\[nrtbf]/g, "\n")
    .replaceAll(/\\(.)/g, "$1"),
);

const base64 = (text: string): string => Buffer.from(text).toString("base64");
/** Whatever is base64, at any of four offsets. No planted key has less than 12 bytes, which are 16 letters. */
const fromBase64 = once((text) => {
  const runs = text.replaceAll(/\r?\n[ \t]*/g, "").match(/[A-Za-z0-9+/_-]{16,}/g) ?? [];
  // Filled up to whole groups of letters, all runs are read at once.
  const readAt = (offset: number): string =>
    Buffer.from(
      runs.map((run) => run.slice(offset).padEnd(4 * Math.ceil((run.length - offset) / 4), "A")).join(""),
      "base64",
    ).toString("latin1");
  return [0, 1, 2, 3].map(readAt).join("\n");
});

/** A text as it is, and as each notation is read where that differs. */
export const readings = (text: string): readonly string[] => [
  text,
  ...UNWRAPPINGS.map((unwrap) => unwrap(text)).filter((read) => read !== text),
];

export const WRAPPINGS: readonly Wrapping[] = [
  { name: "line ends", wrap: around('print("a\\n', '\\nb")'), unwrap: fromJson },
  { name: "tabs and returns", wrap: around('"\\t', '\\r\\n"'), unwrap: fromJson },
  { name: "escaped spaces", wrap: around("x=\\x20", "\\x20y"), unwrap: asIs },
  { name: "escaped quotes", wrap: around("\\u0022", "\\u0022"), unwrap: asIs },
  { name: "written colours", wrap: around("\\u001b[31m", "\\u001b[0m"), unwrap: asIs },
  { name: "colours", wrap: around("\u001b[1;31m", "\u001b[0m"), unwrap: asIs },
  { name: "a name before", wrap: around("KEY_", ""), unwrap: asIs },
  { name: "a name after", wrap: around("", "_old"), unwrap: asIs },
  {
    name: "a query",
    wrap: (line, secret) => `?q%3D${encodeURIComponent(bare(line, secret))}%26r=1`,
    unwrap: fromPercent,
  },
  {
    name: "a query in a query",
    wrap: (line) => `?next=${encodeURIComponent(`/a?b=${encodeURIComponent(line)}`)}`,
    unwrap: (text) => fromPercent(fromPercent(text)),
  },
  {
    name: "HTML",
    wrap: (line) =>
      `<p title=&quot;${line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")}&quot;>`,
    unwrap: fromHtml,
  },
  { name: "a notebook", wrap: (line) => JSON.stringify({ source: ["x = 1\n", `${line}\n`] }), unwrap: fromJson },
  {
    name: "a log line in JSON in JSON",
    wrap: (line) => JSON.stringify({ log: `${JSON.stringify({ message: `a\n${line}\nb` })}\n` }),
    unwrap: (text) => fromJson(fromJson(text)),
  },
  {
    name: "letters as \\u",
    wrap: within((letter) => `\\u${code(letter, 16, 4)}`),
    unwrap: decoded(/\\u([0-9a-f]{4})/g, 16),
  },
  {
    name: "letters as \\u{}",
    wrap: within((letter) => `\\u{${code(letter, 16)}}`),
    unwrap: decoded(/\\u\{([0-9a-f]+)\}/g, 16),
  },
  {
    name: "letters as \\x",
    wrap: within((letter) => `\\x${code(letter, 16, 2)}`),
    unwrap: decoded(/\\x([0-9a-f]{2})/g, 16),
  },
  { name: "octal letters", wrap: within((letter) => `\\${code(letter, 8, 3)}`), unwrap: decoded(/\\([0-7]{3})/g, 8) },
  {
    name: "every fifth letter in percent",
    wrap: within((letter, at) => (at % 5 === 0 || letter === "%" ? `%${code(letter, 16, 2)}` : letter)),
    unwrap: fromPercent,
  },
  {
    name: "letters in percent",
    wrap: within((letter) => `%${code(letter, 16, 2).toUpperCase()}`),
    unwrap: fromPercent,
  },
  { name: "letters as HTML numbers", wrap: within((letter) => `&#${code(letter, 10)};`), unwrap: fromHtml },
  { name: "letters as HTML hex", wrap: within((letter) => `&#x${code(letter, 16)};`), unwrap: fromHtml },
  {
    name: "a backslash before every sign",
    wrap: within((letter) => (/[A-Za-z0-9]/.test(letter) ? letter : `\\${letter}`)),
    unwrap: (text) => text.replaceAll(/\\(.)/g, "$1"),
  },
  {
    name: "a string over two lines",
    wrap: within((letter, at) => (at === 9 ? `\\\n    ${letter}` : letter)),
    unwrap: (text) => text.replaceAll(/\\\n[ \t]*/g, ""),
  },
  { name: "base64", wrap: (line) => `token: ${base64(line)}`, unwrap: fromBase64 },
  { name: "base64 after one byte", wrap: (line) => `data: "${base64(`#${line}\n`)}"`, unwrap: fromBase64 },
  { name: "base64 after two bytes", wrap: (line) => `\\n${base64(`# ${line}`)}\\n`, unwrap: fromBase64 },
  {
    name: "base64 for URLs",
    wrap: (line) => `data:text/plain;base64,${Buffer.from(line).toString("base64url")}`,
    unwrap: fromBase64,
  },
  {
    name: "base64 in lines",
    wrap: (line) =>
      `data: |\n  ${base64(`a file\nof some lines, as settings are\n${line}\n`).replaceAll(/.{64}/g, "$&\n  ")}\n`,
    unwrap: fromBase64,
  },
  {
    name: "JSON in base64",
    wrap: (line) => base64(JSON.stringify({ a: `b\n${line}` })),
    unwrap: (text) => fromJson(fromBase64(text)),
  },
];

const UNWRAPPINGS: readonly Wrapping["unwrap"][] = [...new Set(WRAPPINGS.map(({ unwrap }) => unwrap))];
