/** A grammar of files as strangers write them: names, contents in pieces, links that lead elsewhere, ignore rules. */
import fc from "fast-check";
import { z } from "zod";
import { HOSTILE } from "../../tests/support/hostile-text.ts";
import { PLANTED_KEYS } from "../../tests/support/planted-keys.ts";
import { WRAPPINGS } from "../../tests/support/wrappings.ts";

const Piece = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("repeat"), text: z.string(), times: z.int() }),
  z.object({ kind: z.literal("bytes"), hex: z.string() }),
  z.object({ kind: z.literal("key"), at: z.int(), wrapping: z.int() }),
]);
type Piece = z.infer<typeof Piece>;

export const HostileFile = z.object({ path: z.string(), pieces: z.array(Piece) });
export type HostileFile = z.infer<typeof HostileFile>;

/** The bytes of a file. */
export const bytesOf = ({ pieces }: HostileFile): Uint8Array => Buffer.concat(pieces.map(pieceBytes));

function pieceBytes(piece: Piece): Buffer {
  switch (piece.kind) {
    case "text":
      return Buffer.from(piece.text);
    case "repeat":
      return Buffer.from(piece.text.repeat(piece.times));
    case "bytes":
      return Buffer.from(piece.hex, "hex");
    case "key":
      return Buffer.from(`\n${keyLine(piece.at, piece.wrapping)}\n`);
  }
}

/** A line with a key, as it is or in a notation in which it stays usable. */
function keyLine(at: number, wrapping: number): string {
  const { line, secret } = PLANTED_KEYS[at % PLANTED_KEYS.length] ?? { line: "", secret: "" };
  return WRAPPINGS[wrapping]?.wrap(line, secret) ?? line;
}
const key = fc.record({ at: fc.nat(PLANTED_KEYS.length - 1), wrapping: fc.nat(2 * WRAPPINGS.length) });

const WORDS = [
  "login",
  "total",
  "parse_url",
  "Cart",
  "shadowMap",
  "__proto__",
  "constructor",
  "toString",
  "index",
] as const;
const ENDINGS =
  "py ts tsx js go rs java rb c cpp cs php kt swift lua sh sql toml yaml json md txt html css vue svelte".split(" ");

const plainSegment = fc.constantFrom(
  "src",
  "tests",
  "docs",
  "a",
  "b",
  "vendor",
  "node_modules",
  "Src",
  "SRC",
  ".hidden",
);
const oddSegment = fc.constantFrom(
  ...HOSTILE,
  " ",
  "-rf",
  "--help",
  "~",
  "$HOME",
  "`id`",
  "a\nb",
  "con",
  "{task}",
  "<|endoftext|>",
  "caf\u00e9",
  "cafe\u0301",
  "x".repeat(200),
  '"; drop table files; --',
  "a:b",
  "*",
  "[a-z]",
);
const segment = fc.oneof({ weight: 5, arbitrary: plainSegment }, { weight: 1, arbitrary: oddSegment });
const stem = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...WORDS) }, { weight: 1, arbitrary: oddSegment });

export const hostilePath: fc.Arbitrary<string> = fc
  .tuple(fc.array(segment, { maxLength: 3 }), stem, fc.constantFrom(...ENDINGS))
  .map(([folders, name, ending]) => [...folders, `${name}.${ending}`].join("/").replaceAll("\0", ""));

/** Files that tools read, at the paths where they look. */
const SPECIAL: readonly (readonly [path: string, texts: readonly string[]])[] = [
  [
    "tsconfig.json",
    ['{"extends":"./tsconfig.json"}', '{"compilerOptions":{"paths":{"*":["../../*"],"@/*":["/etc/*"]}}}', "{"],
  ],
  ["package.json", ['{"name":"a","exports":{"./*":"../../*"},"workspaces":["../*","**"]}', "[]", '{"name":1}']],
  ["go.mod", ["module ../../x\nreplace a => /etc\n", "module a\n"]],
  ["Cargo.toml", ['[workspace]\nmembers = ["../*", "/"]\n', "[[[["]],
  ["pyproject.toml", ['[tool.setuptools]\npackage-dir = {"" = "../.."}\n', "a = "]],
  [".gitmodules", ['[submodule "x"]\n\tpath = ../../x\n\turl = ext::sh -c touch% executed\n']],
  [".gitattributes", ["* filter=evil diff=evil merge=evil\n"]],
  [
    ".cra.toml",
    [
      "budget = 999999999\n",
      "[index]\nmax_file_size = '1GiB'\nignore = ['**/*a*a*a*a*b']\n",
      "data_dir = '/x'\n",
      "[[[",
    ],
  ],
  ["bunfig.toml", ['preload = ["./evil.ts"]\n']],
  [".env", ["CRA_ALLOW_SECRETS=1\nBUN_OPTIONS=--preload ./evil.ts\n"]],
  ["evil.ts", ['require("node:fs").writeFileSync("executed", "");\n']],
];
const special: fc.Arbitrary<HostileFile> = fc
  .constantFrom(...SPECIAL.flatMap(([path, texts]) => texts.map((text) => [path, text] as const)))
  .map(([path, text]) => ({ path, pieces: [{ kind: "text", text }] }));

const name = fc.constantFrom(...WORDS);
const code: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(name, name).map(([a, b]) => `def ${a}(items):\n    """Adds ${b}."""\n    return ${b}(items)\n`),
  fc
    .tuple(name, name)
    .map(([a, b]) => `import { ${b} } from "./${b}";\nexport class ${a} { run() { return ${b}(); } }\n`),
  fc.tuple(name, name).map(([a, b]) => `package a\n\nfunc ${a}(x int) int {\n\treturn ${b}(x)\n}\n`),
  fc.tuple(name, name).map(([a, b]) => `pub fn ${a}(x: u32) -> u32 { ${b}(x) }\n`),
  fc.tuple(name, name).map(([a, b]) => `class ${a} extends ${b} { int ${b}() { return 1; } }\n`),
  fc.tuple(name, name).map(([a, b]) => `# ${a}\n\nSee \`${b}\` and [${a}](../../${b}).\n`),
);
const opener = fc.constantFrom(
  "(",
  "[",
  "{",
  "<",
  "/*",
  '"',
  "`",
  "#",
  "\\",
  "a<b<c<",
  "if(",
  "\n",
  " ",
  "\t",
  "🙂",
  "́",
  "\r",
);
const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 8, arbitrary: code.map((text): Piece => ({ kind: "text", text })) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE).map((text): Piece => ({ kind: "text", text })) },
  { weight: 2, arbitrary: key.map((given): Piece => ({ kind: "key", ...given })) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("repeat" as const),
      text: opener,
      times: fc.integer({ min: 1, max: 30_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 40 })
      .map((bytes): Piece => ({ kind: "bytes", hex: Buffer.from(bytes).toString("hex") })),
  },
);
const ordinary: fc.Arbitrary<HostileFile> = fc.record({
  path: hostilePath,
  pieces: fc.array(piece, { maxLength: 6 }),
});

export const hostileFiles: fc.Arbitrary<HostileFile[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: ordinary }, { weight: 1, arbitrary: special }),
  { minLength: 1, maxLength: 12 },
);

/** Ignore rules, the costly ones too. */
export const ignoreRules: fc.Arbitrary<string[]> = fc.array(
  fc.oneof(
    fc.constantFrom(
      "*.md",
      "!*.md",
      "/src/",
      "**/a/**",
      "[",
      "\\",
      "!",
      "a[b-",
      "**/*a*a*a*a*a*a*[b-a]",
      "*".repeat(200),
      ".git",
      "/",
    ),
    hostilePath,
  ),
  { maxLength: 8 },
);

/** Where a link leads. */
export const LINKS = ["outside", "itself", "above", "file", "device", "git"] as const;
export const Link = z.object({ path: z.string(), to: z.enum(LINKS) });
export const links: fc.Arbitrary<z.infer<typeof Link>[]> = fc.array(
  fc.record({ path: hostilePath, to: fc.constantFrom(...LINKS) }),
  { maxLength: 3 },
);

/** A word of a task about such files. */
export const taskWord: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(...WORDS, "fix", "bug", "when", "empty", "tests", "write tests for", "explain"),
  },
  { weight: 2, arbitrary: hostilePath },
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: key.map(({ at, wrapping }) => keyLine(at, wrapping)) },
);
export const hostileTask: fc.Arbitrary<string> = fc
  .array(taskWord, { minLength: 1, maxLength: 8 })
  .map((words) => words.join(" ").replaceAll("\0", ""));
