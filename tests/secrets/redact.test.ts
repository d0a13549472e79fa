/** Secrets are redacted in any context, and nothing else is. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { REDACTOR } from "../../src/secrets/redact.ts";
import { markedKinds, NO_REDACTION } from "../../src/secrets/redactor.ts";
import { PLANTED_KEYS, PLANTED_SECRETS, PRIVATE_KEYS } from "../support/planted-keys.ts";

const { text: shown, value } = REDACTOR;

test("there are more than twenty kinds, and none is planted twice", () => {
  expect(new Set(PLANTED_KEYS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
  expect(new Set(PLANTED_SECRETS).size).toBe(PLANTED_SECRETS.length);
});

describe.each(PLANTED_KEYS.map((key, at) => ({ ...key, at })))("$kind ($at)", ({ kind, line, secret }) => {
  const instead = line.replace(secret, `[redacted: ${kind}]`);
  test.each([
    ["alone", line, instead],
    ["in code", `a = 1\n  ${line}\nb = 2\n`, `a = 1\n  ${instead}\nb = 2\n`],
    ["in a comment", `// see ${line} and more`, `// see ${instead} and more`],
    ["at a sentence's end", `It is ${line}. It works.`, `It is ${instead}. It works.`],
    ["in prose, in brackets", `It was (${line}).`, `It was (${instead}).`],
    ["twice", `${line}\n${line}`, `${instead}\n${instead}`],
    ["with Windows' ends of lines", `${line}\r\nx`, `${instead}\r\nx`],
  ])("%s", (_, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(shown(expected)).toBe(expected);
  });
  test("in JSON", () => {
    const json = { a: [{ text: `x\n${line}\ny` }], b: line };
    expect(value(json)).toEqual({ a: [{ text: `x\n${instead}\ny` }], b: instead });
    const printed = shown(JSON.stringify({ a: ` ${line}`, b: "kept" }));
    expect(JSON.parse(printed)).toMatchObject({ b: "kept" });
    expect(printed).not.toContain(secret);
  });
  test("a disabling comment is ignored", () => {
    expect(shown(`/* secretlint-disable */\n${line} // secretlint-disable-line\n`)).not.toContain(secret);
  });
});

describe("private keys", () => {
  test.each(["plain", "commented", "escaped", "cutOff"] as const)("%s", (form) => {
    const text = `before\n${PRIVATE_KEYS[form]}\nafter(it)\n`;
    const redacted = shown(text);
    for (const line of PRIVATE_KEYS.lines) expect(redacted).not.toContain(line);
    expect(redacted).toContain("PRIVATE KEY-----");
    expect(redacted.split("\n")).toHaveLength(text.split("\n").length);
    expect(redacted).toStartWith("before\n");
    expect(redacted).toEndWith("\nafter(it)\n");
    expect(markedKinds(redacted)).toEqual(["private key"]);
    expect(shown(redacted)).toBe(redacted);
  });
  test("code that searches for the key lines stays, within and across files", () => {
    const [begin, end] = [`-----BEGIN PRIV${"ATE"} KEY-----`, `-----END PRIV${"ATE"} KEY-----`];
    const code = `if not text.startswith("${begin}"):\n    raise ValueError("this is not the format that keys come in")\nreturn text.endswith("${end}")\n`;
    expect(shown(code)).toBe(code);
    const long = "a_table/of/paths/that/is/longer/than/any/line/of/a/key/is";
    for (const between of [
      `\`\`\`\n\n### b.py\n\n\`\`\`py\n${long}\n`,
      `</document_content>\n</document>\n<source>${long}</source>\n`,
    ]) {
      const text = `use("${begin}")\n${between}use("${end}")\n`;
      expect(shown(text)).toBe(text);
      const json = JSON.stringify({ text });
      expect(shown(json)).toBe(json);
    }
  });
  const [first = "", second = ""] = PRIVATE_KEYS.lines;
  test("a key may have headers, or short lines", () => {
    const begin = `-----BEGIN RSA PRIV${"ATE"} KEY-----`;
    const end = `-----END RSA PRIV${"ATE"} KEY-----`;
    const headers = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n";
    expect(shown(`${begin}\n${headers}\n${first}\n${end}`)).not.toContain(first);
    const short = first.match(/.{1,16}/g) ?? [];
    const folded = shown(`${begin}\n${short.join("\n")}\n${end}`);
    for (const part of short) expect(folded).not.toContain(part);
  });
  test("of a key that was cut off, the last line is hidden, and what follows it stays", () => {
    const begin = `-----BEGIN RSA PRIV${"ATE"} KEY-----`;
    const start = second.slice(0, 20);
    expect(shown(`${begin}\n${first}\n${start}`)).not.toContain(start);
    const name = "sendsTheLetterOfTheDayToEveryReaderOfIt";
    for (const code of [`";\nreturn ${name}(key);\n`, `"}\n@${name}\n`])
      expect(shown(`key = "${begin}\n${first}\n${second}${code}`)).toEndWith(code);
    expect(shown(`${"-----END PRIV"}${"ATE"} KEY-----\n${name}\n${name}`)).toEndWith(`${name}\n${name}`);
  });
  test("a short key is documentation", () => {
    for (const text of [
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
      "-----BEGIN PRIVATE KEY-----\nyour key\n-----END PRIVATE KEY-----",
      'if (text.startsWith("-----BEGIN PRIVATE KEY-----")) return read(text);\nconst other = 1;',
    ])
      expect(shown(text)).toBe(text);
  });
});

test("ordinary text that resembles secrets stays as it is", () => {
  const texts = [
    'password = "correct horse battery staple"',
    "http://user:pass@host.com/path",
    "https://user:password@example.com",
    "http://user:pass%20pass@complex.url.com/path",
    "postgres://user:${PASSWORD}@db/x",
    "postgresql://postgres:%(password)s@db/x",
    `key = "AKI${"A"}IOSFODNN7EXAMPLE"`,
    `//registry.npmjs.org/:_auth${"Token"}=\${NPM_TOKEN}`,
    "task-list disk-usage sk-learn hf_hub npm_config_registry npm_package_version",
    "integrity sha512-q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6j7k8l9z0x1c2v3b4n5m6==",
    "commit 0123456789abcdef0123456789abcdef01234567",
    "a long line that was cut off…",
    "the prefixes ghp_ and sk_live_ in a long line that was cut off…",
    "SG.x SG.y.z gh_token ghp_short xoxb-",
    "[redacted: GitHub token]",
  ];
  for (const text of texts) expect(shown(text)).toBe(text);
});

/** Kinds that only the end of the key tells from any other letters. */
const ENDS_IN_LITERAL = new Set(["Azure key", "Mailchimp key", "MaxMind key", "DeepL key"]);

test("a line truncated inside a secret shows nothing of it", () => {
  for (const { line, secret } of PLANTED_KEYS.filter(({ kind }) => !ENDS_IN_LITERAL.has(kind))) {
    const part = secret.slice(0, Math.floor(secret.length * 0.75));
    const cut = `${line.slice(0, line.indexOf(secret))}${part}…`;
    expect(shown(`x\n${cut}\ny`)).not.toContain(part.slice(-5));
  }
  const pem = `KEY = "${PRIVATE_KEYS.plain.replaceAll("\n", " ").slice(0, 190)}…`;
  for (const line of PRIVATE_KEYS.lines) expect(shown(pem)).not.toContain(line.slice(0, 16));
});

test("nor of one that is escaped, in a string or in a query", () => {
  const write = (text: string, prefix: string): string =>
    Array.from(text, (letter) => `${prefix}${letter.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
  for (const { line, secret } of PLANTED_KEYS.filter(({ kind }) => !ENDS_IN_LITERAL.has(kind)))
    for (const prefix of ["\\x", "%"]) {
      const part = write(secret.slice(0, Math.floor(secret.length * 0.75)), prefix);
      const cut = `${line.slice(0, line.indexOf(secret))}${part}…`;
      expect(shown(`x\n${cut}\ny`)).not.toContain(part.slice(-5 * (prefix.length + 2)));
    }
});

test("law: text around a secret and its lines stay", () => {
  const around = fc.stringMatching(/^[a-z (){};=\n]{0,40}$/);
  fc.assert(
    fc.property(around, fc.constantFrom(...PLANTED_KEYS), around, (before, { kind, line, secret }, after) => {
      const text = `${before}\n${line}\n${after}`;
      expect(shown(text)).toBe(`${before}\n${line.replace(secret, `[redacted: ${kind}]`)}\n${after}`);
    }),
    { numRuns: 80 },
  );
});

test("law: text and values without secrets are returned unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const found = value(json);
      expect(found).toBe(json);
    }),
  );
});

test("values that are not plain are left alone", () => {
  const { line } = PLANTED_KEYS[0] ?? { line: "" };
  const date = new Date(0);
  const list = new Map([["a", line]]);
  const act = (): string => line;
  expect(value({ date, list, act, none: null })).toEqual({ date, list, act, none: null });
  const hostile: unknown = JSON.parse(`{"__proto__":{"a":1},"b":${JSON.stringify(line)}}`);
  expect(Object.keys(Object(value(hostile)))).toEqual(["__proto__", "b"]);
});

test("groups by name are values like any other", () => {
  const { line, secret } = PLANTED_KEYS[0] ?? { line: "", secret: "" };
  expect(JSON.stringify(value({ groups: Object.groupBy([line], () => "a") }))).not.toContain(secret);
});

test("secrets are shown when allowed", () => {
  const { line } = PLANTED_KEYS[0] ?? { line: "" };
  expect([NO_REDACTION.text(line), NO_REDACTION.value({ line })]).toEqual([line, { line }]);
});

test("hostile texts do not take long", () => {
  const begin = `-----BEGIN RSA PRIV${"ATE"} KEY-----`;
  const [first = ""] = PRIVATE_KEYS.lines;
  expect(shown(begin.repeat(10_000))).toBe(begin.repeat(10_000));
  expect(shown(`${begin}\n${first}\n`.repeat(5_000))).not.toContain(first);
  expect(shown(`a ${"np" + "m_"}${"x".repeat(500_000)}…`).length).toBeGreaterThan(0);
  for (const part of [
    ..."\\%&\u001b=\n",
    "%25",
    "&amp;",
    "\\u005c",
    "Private-Lines: 9\nAAAA\n",
    "pwd=",
    "eyJ.",
    "2Q~",
    "QUtJQ",
  ])
    expect(shown(part.repeat(100_000))).toBe(part.repeat(100_000));
});
