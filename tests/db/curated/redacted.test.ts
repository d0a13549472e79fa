/** The redacted index: every answer with text, on a real index. */
import { expect, test } from "bun:test";
import { redactedIndex } from "../../../src/db/curated/redacted.ts";
import { REDACTOR } from "../../../src/secrets/redact.ts";
import { NO_REDACTION } from "../../../src/secrets/redactor.ts";
import { indexed } from "../../support/indexed.ts";
import { PLANTED_KEYS, PLANTED_SECRETS, PRIVATE_KEYS } from "../../support/planted-keys.ts";
import { shared } from "../../support/shared.ts";

const functions = PLANTED_KEYS.map(
  ({ line }, at) =>
    `def handler_${at}(key='${line}'):\n    """Says ${line}."""\n    # because ${line}\n    return '${line}'\n`,
);
const FILES = {
  "keys.py": `${functions.join("\n")}\nPEM = """${PRIVATE_KEYS.plain}"""\n`,
  "long.js": `const list = [${"1, ".repeat(60)}"${PLANTED_KEYS[3]?.secret ?? ""}", ${"2, ".repeat(60)}];\n`,
  "NOTES.md": `# Keys\n\nUse ${PLANTED_KEYS[4]?.line ?? ""}\n`,
  "plain.py": "def plain(a):\n    return a\n",
};

const here = shared(
  await indexed(FILES, {
    git: true,
    grow: (repo) => {
      repo.write({ "plain.py": "def plain(a, b):\n    return a\n" });
      repo.commit(`Rotate handler keys, was ${PLANTED_KEYS[3]?.secret ?? ""}`);
    },
  }),
);

const held = (value: unknown): readonly string[] => {
  const text = JSON.stringify(value instanceof Map ? [...value] : value);
  return PLANTED_SECRETS.filter((secret) => text.includes(secret));
};

test("no answer contains the secrets of the index", () => {
  const shown = redactedIndex(here.kb, REDACTOR);
  const ids = here.kb.files().map(({ id }) => id);
  const symbols = here.kb.symbolsIn(ids);
  const asked = (kb: typeof shown): readonly unknown[] => [
    kb.texts(ids),
    kb.symbolsIn(ids),
    kb.symbolsById(symbols.map(({ id }) => id)),
    kb.symbolsNamed(symbols.map(({ name }) => name)),
    kb.docstringsIn(ids),
    kb.commentsIn(ids),
    kb.rationalesIn(ids),
    kb.search("handler", 50),
    kb.search("keys", 50),
    kb.search("list", 50),
    kb.search(PLANTED_KEYS[3]?.secret ?? "", 50),
    kb.search(PRIVATE_KEYS.lines[4] ?? "", 50),
    kb.findDefinitions("handler because", 50),
    kb.findCommits("rotate handler", 50),
  ];
  expect(
    held(asked(redactedIndex(here.kb, NO_REDACTION)).map((answer) => (answer instanceof Map ? [...answer] : answer))),
  ).toEqual(PLANTED_SECRETS);
  for (const answer of asked(shown)) expect(held(answer)).toEqual([]);
});

test("headings and keys, commits by id, and what a model says of files hold no secret either", async () => {
  const { line, secret } = PLANTED_KEYS[3] ?? { line: "", secret: "" };
  await using own = await indexed({
    "keys.json": JSON.stringify({ [secret]: 1 }),
    "NOTES.md": `# ${secret}\n\nText.\n`,
  });
  const [id = 0] = here.kb.files().map((file) => file.id);
  const commits = here.kb.findCommits("rotate handler", 5).map((commit) => commit.id);
  const kb = {
    ...here.kb,
    outlineNamed: own.kb.outlineNamed,
    fileMetadata: () => [{ fileId: id, purpose: `Sends ${line}.`, module: null, domain: null, concepts: [line] }],
  };
  const shown = redactedIndex(kb, REDACTOR);
  const asked = (index: typeof shown) => [
    index.outlineNamed([secret]),
    index.fileMetadata(),
    index.commitsById(commits),
  ];
  for (const rows of asked(kb)) expect(JSON.stringify(rows)).toContain(secret);
  for (const rows of asked(shown)) {
    expect(rows.length).toBeGreaterThan(0);
    expect(held(rows)).toEqual([]);
  }
});

test("no line of a private key is shown apart from its beginning", async () => {
  const { lines } = PRIVATE_KEYS;
  const header = [
    "-----BEGIN RSA PRIVATE KEY-----",
    "Proc-Type: 4,ENCRYPTED",
    "DEK-Info: AES-128-CBC,0123456789ABCDEF",
  ];
  const end = "-----END RSA PRIVATE KEY-----";
  const commented = (all: readonly string[]): string => all.map((line) => `// ${line}\n`).join("");
  const members = [...header, ...lines, end].map((line, at) => `  L${at} = "${line}",\n`).join("");
  using made = await indexed({
    // The blank line ends the first comment, so the second one documents the function.
    "enc.go": `package x\n\n${commented(header)}\n${commented([...lines, end])}func ZebraGo() {}\n`,
    "enum.ts": `export enum Z {\n${members}}\n`,
  });
  const shown = redactedIndex(made.kb, REDACTOR);
  const ids = made.kb.files().map(({ id }) => id);
  const asked = [
    shown.docstringsIn(ids),
    shown.commentsIn(ids),
    shown.rationalesIn(ids),
    shown.symbolsIn(ids),
    shown.findDefinitions("zebra", 50),
    shown.definitionsById(shown.symbolsIn(ids).map(({ id }) => id)),
    ...lines.map((_, at) => shown.search(`L${at + header.length}`, 50)),
    shown.search("zebra", 50),
  ];
  const text = JSON.stringify(asked);
  expect(text).toContain("ZebraGo");
  for (const line of lines) for (const part of line.match(/.{16}/g) ?? []) expect(text).not.toContain(part);
});

test("nothing of a file that holds no secret by the same rules is searched", () => {
  const looked: string[] = [];
  const text = (searched: string): string => {
    looked.push(searched);
    return REDACTOR.text(searched);
  };
  const shown = redactedIndex(here.kb, { ...REDACTOR, text });
  const idsOf = (wanted: boolean): readonly number[] =>
    here.kb.files().flatMap(({ id, path }) => ((path === "plain.py") === wanted ? [id] : []));
  const ask = (ids: readonly number[]): void => {
    shown.texts(ids);
    shown.symbolsIn(ids);
    shown.definitionsIn(ids);
    shown.docstringsIn(ids);
    shown.commentsIn(ids);
  };
  ask(idsOf(true));
  expect(looked).toEqual([]);
  // By other rules a file without secrets may hold one. A text is searched once.
  const others = redactedIndex(here.kb, { ...REDACTOR, rules: "others", text });
  for (const _ of ["first", "again"]) others.texts(idsOf(true));
  expect(looked).toHaveLength(1);
  ask(idsOf(false));
  expect(looked.length).toBeGreaterThan(4);
});

test("lines keep their numbers, and text without secrets is unchanged", () => {
  const shown = redactedIndex(here.kb, REDACTOR);
  for (const { id, path } of here.kb.files()) {
    const [before, after] = [here.kb.texts([id]).get(id) ?? "", shown.texts([id]).get(id) ?? ""];
    expect(after.split("\n")).toHaveLength(before.split("\n").length);
    if (path === "plain.py") expect(after).toBe(before);
    else expect(after).not.toBe(before);
  }
  expect(shown.search("plain", 5)).toEqual(here.kb.search("plain", 5));
});

test("redacts a single line of a key and a long line", () => {
  const shown = redactedIndex(here.kb, REDACTOR);
  const [hit] = shown.search(PRIVATE_KEYS.lines[0] ?? "", 1);
  expect(hit).toMatchObject({ path: "keys.py", snippet: expect.stringContaining("[redacted: private key]") });
  const [inside] = shown.search(PRIVATE_KEYS.lines[4] ?? "", 1);
  expect(inside).toMatchObject({ path: "keys.py", line: expect.any(Number), snippet: "" });
});

test("a key that a parser took for a name is hidden, though only the text before it tells", async () => {
  const login = Buffer.from(`deploy:${"tQ8pGL7l"}${"yx95HAIj4"}`).toString("base64").replace(/=+$/, "");
  await using own = await indexed({
    "notes.py": `x = 1\nBasic ${login}= {\n  1: 2\n}\n`,
    "plain.py": "class Base64EncoderForUtf16Text:\n    pass\n",
  });
  const shown = redactedIndex(own.kb, REDACTOR);
  const ids = own.kb.files().map(({ id }) => id);
  expect(own.kb.symbolsIn(ids).map(({ name }) => name)).toEqual(["x", login, "Base64EncoderForUtf16Text"]);
  expect(shown.symbolsIn(ids).map(({ name }) => name)).toEqual(["x", "[redacted: key]", "Base64EncoderForUtf16Text"]);
  const asked = [
    shown.definitionsIn(ids),
    shown.definitionRows(own.kb.symbolsIn(ids).map(({ id }) => id)),
    shown.definitionsNamed([login]),
    shown.symbolsNamed([login]),
    shown.search(login, 5),
    shown.findDefinitions(login, 5),
  ];
  for (const rows of asked) {
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(login);
  }
});

test("lines with a secret are not named as further lines of a file", async () => {
  const { line } = PLANTED_KEYS[3] ?? { line: "" };
  using made = await indexed({ "notes.txt": `the zebra\n${line} zebra\nplain\nzebra again\n` });
  const more = (kb: typeof made.kb) => kb.search("zebra", 9).map((hit) => hit.more);
  expect(more(made.kb)).toEqual([[2, 4]]);
  expect(more(redactedIndex(made.kb, REDACTOR))).toEqual([[4]]);
});
