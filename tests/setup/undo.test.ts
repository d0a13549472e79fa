/** What is added to a file is found again, and taken out to the byte: by what was inserted, and without it. */
import { describe, expect, test } from "bun:test";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { hook } from "../../src/setup/agents/agent.ts";
import { AGENTS } from "../../src/setup/agents/agents.ts";
import { addPiece, contentOf, type Piece, removePiece } from "../../src/setup/pieces.ts";
import { undone } from "../../src/setup/plan.ts";
import { INSTRUCTIONS, SKILL } from "../../src/setup/texts.ts";
import { openTokenCounter } from "../../src/text/tokens/tokens.ts";
import { JSON_TEXTS, MARKDOWN_TEXTS, TOML_TEXTS, YAML_TEXTS } from "./configurations.ts";

const SERVER = { command: "cra", args: ["mcp"], env: { A: "b" } };
const ours = (element: unknown): readonly string[] | null => (JSON.stringify(element).includes("cra hook") ? [] : null);
const PROPERTY: Piece = { kind: "json", place: { kind: "property", path: ["mcpServers", "cra"] }, value: SERVER };
const ELEMENT: Piece = {
  kind: "json",
  place: { kind: "element", path: ["hooks", "UserPromptSubmit"], ours },
  value: { hooks: [{ type: "command", command: "cra hook" }] },
};
const DOTTED: Piece = { kind: "json", place: { kind: "property", path: ["amp.mcpServers", "cra"] }, value: SERVER };
const TOML: Piece = { kind: "toml", path: ["mcp_servers", "cra"], values: { ...SERVER, tool_timeout_sec: 300 } };
const YAML: Piece = { kind: "yaml", path: ["extensions", "cra"], value: SERVER };
const BLOCK: Piece = { kind: "block", content: INSTRUCTIONS };

const bare = (text: string): string => text.replace("\uFEFF", "");

const CASES = [
  { name: "JSON, a property", texts: JSON_TEXTS, piece: PROPERTY, read: (text: string) => parseJson(bare(text)) },
  { name: "JSON, an element", texts: JSON_TEXTS, piece: ELEMENT, read: (text: string) => parseJson(bare(text)) },
  { name: "JSON, a dotted key", texts: JSON_TEXTS, piece: DOTTED, read: (text: string) => parseJson(bare(text)) },
  { name: "TOML", texts: TOML_TEXTS, piece: TOML, read: (text: string) => parseToml(bare(text)) },
  { name: "YAML", texts: YAML_TEXTS, piece: YAML, read: (text: string) => parseYaml(bare(text), { merge: true }) },
  { name: "Markdown", texts: MARKDOWN_TEXTS, piece: BLOCK, read: (text: string) => text.includes("cra:begin") },
] as const;

describe.each(CASES)("$name", ({ texts, piece, read }) => {
  test("fifty configurations keep every byte of their own", () => {
    expect(texts.length).toBe(50);
    for (const before of texts) {
      const edit = addPiece(before, piece);
      if (edit.kind !== "changed") throw new Error(`${JSON.stringify(before)}: ${edit.kind}`);
      expect(edit.inserted.length).toBe(1);
      expect(addPiece(edit.text, piece)).toEqual({ kind: "present" });
      // Another program changed the file meanwhile: what was inserted is cut out where it is.
      const change = { before, inserted: edit.inserted, isCurrent: false };
      expect(undone(edit.text, change, [piece])).toBe(before);
      expect(undone(edit.text, { ...change, isCurrent: true }, [piece])).toBe(before);
    }
  });

  test("a line that another program adds at the end joins no line of the user's", () => {
    for (const before of texts) {
      const edit = addPiece(before, piece);
      if (edit.kind !== "changed") throw new Error(edit.kind);
      const change = { before, inserted: edit.inserted, isCurrent: false };
      const end = edit.text.endsWith("\n") ? "" : "\n";
      const rest = undone(`${edit.text}${end}# later\n`, change, [piece]) ?? "";
      const isOwn = bare(before) === "" || before.endsWith("\n");
      expect(rest.replaceAll("\r", "")).toBe(`${before}${isOwn ? "" : "\n"}# later\n`.replaceAll("\r", ""));
    }
  });

  test("without a record, what is left means the same", () => {
    for (const before of texts) {
      const edit = addPiece(before, piece);
      if (edit.kind !== "changed") throw new Error(edit.kind);
      const rest = removePiece(edit.text, piece);
      expect(rest).not.toBeNull();
      expect(addPiece(rest ?? "", piece).kind).toBe("changed");
      expect(withoutEmpty(read(rest ?? ""))).toEqual(withoutEmpty(read(before)));
      expect(removePiece(before, piece)).toBe(before);
    }
  });
});

/** An empty table that is left, or was there, means nothing. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  const entries = Object.entries(value).flatMap(([key, inner]) => {
    const rest = withoutEmpty(inner);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

describe("what others add to cra's part goes with it, and nothing of theirs is left elsewhere", () => {
  test.each([
    ["a key of a TOML table", TOML, "[features]\nhooks = true\n", "300\n", "300\nstartup_timeout_sec = 20\n"],
    [
      "a table in a TOML table",
      TOML,
      'model = "x"\n',
      "300\n",
      '300\n\n[mcp_servers.cra.tools.read]\napproval = "auto"\n',
    ],
    [
      "a key of a YAML mapping",
      YAML,
      "extensions:\n  dev:\n    enabled: true\n",
      "A: b\n",
      "A: b\n    bundled: null\n",
    ],
    ["a key of a new YAML mapping", YAML, "model: x\n", "A: b\n", "A: b\n    bundled: null\n"],
  ] as const)("%s", (_, piece, before, end, more) => {
    const edit = addPiece(before, piece);
    if (edit.kind !== "changed") throw new Error(edit.kind);
    const text = edit.text.replace(end, more);
    expect(text).not.toBe(edit.text);
    const change = { before, inserted: edit.inserted, isCurrent: false };
    const left = (of: string): unknown => withoutEmpty(contentOf(of, piece));
    expect(left(undone(text, change, [piece]) ?? "")).toEqual(left(before));
  });

  test("an entry behind one of JSON", () => {
    const before = '{\n  "mcpServers": {\n  }\n}\n';
    const edit = addPiece(before, PROPERTY);
    if (edit.kind !== "changed") throw new Error(edit.kind);
    const text = edit.text.replace("}\n  }\n}\n", '},\n    "gh": { "command": "gh" }\n  }\n}\n');
    const rest = undone(text, { before, inserted: edit.inserted, isCurrent: false }, [PROPERTY]);
    expect(rest).toBe('{\n  "mcpServers": {\n    "gh": { "command": "gh" }\n  }\n}\n');
  });
});

test("another entry of the same name stays", () => {
  const own = '{ "mcpServers": { "cra": { "command": "/opt/cra", "args": ["mcp", "--budget", "9000"] } } }';
  expect(addPiece(own, PROPERTY)).toEqual({ kind: "other" });
  expect(addPiece('[mcp_servers.cra]\ncommand = "other"\n', TOML)).toEqual({ kind: "other" });
  expect(addPiece("extensions:\n  cra: {cmd: x}\n", YAML)).toEqual({ kind: "other" });
  expect(addPiece("# My skill\n", { kind: "whole", ...SKILL })).toEqual({ kind: "other" });
});

test("another entry of the same name stays when cra is taken out", () => {
  const own = '{ "mcpServers": { "cra": { "command": "/opt/cra", "args": ["mcp", "--budget", "9000"] } } }';
  expect(undone(own, null, [PROPERTY])).toBe(own);
  const hooked = addPiece(own, ELEMENT);
  if (hooked.kind !== "changed") throw new Error(hooked.kind);
  const change = { before: own, inserted: hooked.inserted, isCurrent: false };
  const edited = hooked.text.replace("9000", "8000");
  expect(undone(edited, change, [PROPERTY, ELEMENT])).toContain("8000");
});

test.each([
  ["{", PROPERTY, "it is not JSON (line 1)"],
  ['{\n  "mcpServers": [\n', PROPERTY, "it is not JSON (line 3)"],
  ['{ "mcpServers": [] }', PROPERTY, "mcpServers is not an object"],
  ["[]", PROPERTY, "its content is not an object"],
  ['{ "hooks": { "UserPromptSubmit": {} } }', ELEMENT, "hooks.UserPromptSubmit is not an array"],
  ["a = ", TOML, "it is not TOML"],
  ["mcp_servers = { a = 1 }\n", TOML, "mcp_servers is not a table that can be added to"],
  ["a: 1\n---\nb: 2\n", YAML, "it is not YAML, or has several documents"],
  ["extensions: [a]\n", YAML, "extensions is not a mapping"],
] as const)("%p cannot be changed", (text, piece, message) => {
  expect(() => addPiece(text, piece)).toThrow(message);
});

test("an older block is replaced in its place", () => {
  const old = addPiece("# Rules\n", { kind: "block", content: "old\n" });
  if (old.kind !== "changed") throw new Error(old.kind);
  const edit = addPiece(`${old.text}\nafter\n`, BLOCK);
  if (edit.kind !== "changed") throw new Error(edit.kind);
  expect(edit.text).toStartWith("# Rules\n\n<!-- cra:begin");
  expect(edit.text).toEndWith("<!-- cra:end -->\n\nafter\n");
  expect(edit.text).not.toContain("\nold\n");
});

test("what agents read with each task is short", async () => {
  const counter = await openTokenCounter("o200k_base", { margin: 0 });
  expect(INSTRUCTIONS.split(/\s+/).length).toBeLessThan(150);
  expect(counter.count(INSTRUCTIONS)).toBeLessThan(240);
  expect(counter.count(SKILL.content)).toBeLessThan(700);
});

test("a dozen agents have names of their own", () => {
  const ids = AGENTS.map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(12);
  expect(new Set(ids).size).toBe(ids.length);
});

describe("what is not cra's stays", () => {
  test("a server of another program that is called cra", () => {
    const own = { command: "npx", args: ["create-react-app-mcp"], env: { TOKEN: "keep" } };
    const json = `${JSON.stringify({ mcpServers: { cra: own } }, null, 2)}\n`;
    expect(removePiece(json, PROPERTY)).toBe(json);
    const toml = '[mcp_servers.cra]\ncommand = "npx"\nargs = ["mcp"]\n';
    expect(removePiece(toml, TOML)).toBe(toml);
    const yaml = "extensions:\n  cra: {cmd: x}\n";
    expect(removePiece(yaml, YAML)).toBe(yaml);
    // One of cra's own that was edited is found.
    expect(removePiece('[mcp_servers.cra]\ncommand = "/opt/cra"\nargs = ["mcp", "--budget", "9"]\n', TOML)).toBe("");
  });

  test("a hook beside cra's, and one of a program with a similar name", () => {
    const piece = hook("UserPromptSubmit", { command: "cra" }, 1);
    const linter = { type: "command", command: "my-linter" };
    const textOf = (...hooks: readonly object[]): string =>
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks }] } });
    const mixed = textOf(linter, { type: "command", command: "cra hook" });
    expect(parseJson(removePiece(mixed, piece) ?? "")).toEqual({ hooks: { UserPromptSubmit: [{ hooks: [linter] }] } });
    expect(addPiece(mixed, piece)).toEqual({ kind: "other" });
    const similar = textOf({ type: "command", command: "/opt/acme/bin/micro-cra hook" });
    expect(removePiece(similar, piece)).toBe(similar);
    const quoted = textOf({ type: "command", command: '"/my tools/cra" hook', timeout: 20 });
    expect(parseJson(removePiece(quoted, piece) ?? "")).toEqual({ hooks: { UserPromptSubmit: [] } });
  });

  test("text after a block whose end is missing", () => {
    const broken = "# Rules\n\n<!-- cra:begin; x -->\nold\n\n## My notes\n";
    expect(() => addPiece(broken, BLOCK)).toThrow("<!-- cra:end --> is missing");
    expect(() => removePiece(broken, BLOCK)).toThrow("<!-- cra:end --> is missing");
    const twice = `${broken}\n<!-- cra:begin; x -->\nnew\n<!-- cra:end -->\n`;
    expect(() => addPiece(twice, BLOCK)).toThrow("<!-- cra:end --> is missing");
  });

  test("comments behind a TOML table, and beside a JSON entry", () => {
    const toml = '[mcp_servers.cra]\ncommand = "cra"\nargs = ["mcp"]\ntool_timeout_sec = 900\n\n# my notes\n# keep\n';
    expect(removePiece(`${toml}[mcp_servers.o]\ncommand = "x"\n`, TOML)).toBe(
      '\n# my notes\n# keep\n[mcp_servers.o]\ncommand = "x"\n',
    );
    expect(removePiece(toml, TOML)).toBe("\n# my notes\n# keep\n");
    const json =
      '{\n  "mcpServers": { // mine\n    "cra": {"command":"cra","args":["mcp"]}, "other": {"command":"x"}\n  }\n}\n';
    const rest = removePiece(json, PROPERTY) ?? "";
    expect(parseJson(rest)).toEqual({ mcpServers: { other: { command: "x" } } });
    expect(rest).toContain("// mine\n");
  });
});
