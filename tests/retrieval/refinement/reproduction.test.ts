/** The command that reproduces a refined package. */
import { expect, test } from "bun:test";
import { DEFAULT_SETTINGS } from "../../../src/config/keys.ts";
import { type ReproducedSettings, reproductionOf } from "../../../src/retrieval/refinement/reproduction.ts";
import { DEFAULT_TEMPLATE, parseTemplate, templateText } from "../../../src/retrieval/render/prompt.ts";
import {
  mergeConstraints,
  NO_CONSTRAINTS,
  type RefinementRequest,
} from "../../../src/retrieval/requests/refinement.ts";

const words = (
  changed: Partial<ReproducedSettings>,
  request: RefinementRequest = {},
  {
    task = "x y",
    hintPaths = [] as readonly string[],
    found = {} as Partial<ReproducedSettings>,
    typed = [] as readonly string[],
    sameTemplate = true,
  } = {},
) =>
  reproductionOf(
    task,
    { settings: { ...DEFAULT_SETTINGS, ...changed }, hintPaths, hintSymbols: [] },
    mergeConstraints(NO_CONSTRAINTS, request),
    { settings: { ...DEFAULT_SETTINGS, ...found }, typed: new Set(typed) },
    sameTemplate,
  );

test("settings that the command would find are omitted", () => {
  expect(words({})).toEqual({ words: ["x y"], unsupported: [] });
  expect(words({ budget: 900, depth: 2 }, {}, { found: { budget: 900, depth: 2 } }).words).toEqual(["x y"]);
});

test("a package without reasons is reproduced without them", () => {
  expect(words({ reasons: false }).words).toEqual(["--no-reasons", "x y"]);
  expect(words({ reasons: false }, {}, { found: { reasons: false } }).words).toEqual(["x y"]);
  expect(words({}, {}, { found: { reasons: false } }).unsupported).toEqual(["reasons"]);
});

test("a format and shown secrets are given again", () => {
  expect(words({ format: "xml", allow_secrets: true }).words).toEqual(["--format", "xml", "--allow-secrets", "x y"]);
  expect(words({ format: "xml" }, {}, { found: { format: "xml" } }).words).toEqual(["x y"]);
});

test("every selecting setting has an option", () => {
  const { words: options, unsupported } = words({
    budget: 900,
    max_lines: 50,
    tokenizer: "approximate",
    safety_margin: 0.2,
    scope_size: 9,
    depth: 3,
    stages: ["scope"],
    weights: { mention: 2, recency: 0.5 },
    include: ["a/**", "b"],
    exclude: ["-c"],
    hint_language: ["python"],
    model: "qwen3:8b",
    llm_assist: true,
  });
  expect(options.join(" ")).toBe(
    "--budget 900 --max-lines 50 --tokenizer approximate --safety-margin 0.2 --scope-size 9 --depth 3 --stages scope " +
      "--weights mention=2,recency=0.5 --include a/** --include b --exclude=-c --hint-language python " +
      "--model qwen3:8b --llm-assist x y",
  );
  expect(unsupported).toEqual([]);
});

test("settings that no option can express are listed", () => {
  expect(
    words({}, {}, { found: { max_lines: 9, include: ["a"], model: "m", safety_margin: 0.1 }, sameTemplate: false })
      .unsupported,
  ).toEqual(["template", "max_lines", "include"]);
});

test("a setting given as an option is given again, although it is in force", () => {
  const found = { budget: 900, model: "m", base_url: "http://127.0.0.1:9" };
  expect(words(found, {}, { found, typed: ["budget", "model", "base_url"] }).words).toEqual([
    ...["--budget", "900", "--model", "m", "--base-url", "http://127.0.0.1:9", "x y"],
  ]);
  expect(words({ budget: 900 }, {}, { found, typed: ["context_window"] }).words.slice(0, 2)).toEqual([
    "--budget",
    "900",
  ]);
  expect(words({}, {}, { typed: ["max_lines", "llm_assist"] })).toEqual({ words: ["x y"], unsupported: [] });
});

test("a model comes with its address and the permission to use it; its window has no option", () => {
  const far = { model: "m", base_url: "http://far:9", allow_remote_llm: true, "llm.context_window": 4_096 };
  expect(words(far)).toEqual({
    words: ["--model", "m", "--base-url", "http://far:9", "--allow-remote-llm", "x y"],
    unsupported: ["llm.context_window"],
  });
  expect(words(far, {}, { found: { ...far, model: null } })).toEqual({
    words: ["--model", "m", "x y"],
    unsupported: [],
  });
  expect(words({}, {}, { found: far })).toEqual({ words: ["--model", "none", "x y"], unsupported: [] });
});

test("constraints follow, each with its option", () => {
  const request = {
    accepted_files: ["b", "a"],
    rejected_files: ["-r"],
    missing_files: ["f"],
    missing_symbols: ["S.t"],
    missing_tests: ["test_x"],
    error_signatures: ["boom: it's"],
    as_body: ["a:B.c"],
    as_signature: ["a:B"],
    left_out: ["a:D", "-r:x"],
  };
  expect(words({}, request, { hintPaths: ["h"] }).words).toEqual([
    ...["--hint-path", "h", "--accept", "a", "--accept", "b", "--reject=-r", "--missing-file", "f"],
    ...["--missing-symbol", "S.t", "--missing-test", "test_x", "--error", "boom: it's"],
    ...["--body", "a:B.c", "--signature", "a:B", "--leave-out=-r:x", "--leave-out", "a:D", "x y"],
  ]);
});

test("a long task is piped in, and one that looks like an option follows --", () => {
  for (const task of ["-", "a\nb", "x".repeat(201), "a\u202eb"]) expect(words({}, {}, { task }).words).toEqual(["-"]);
  expect(words({}, {}, { task: "--fix it" }).words).toEqual(["--", "--fix it"]);
});

test("a stored template reads back the same", () => {
  for (const text of [DEFAULT_TEMPLATE, "{{a}} {task}{{{context}}}", "", "}}{{"]) {
    const template = parseTemplate(text, "t");
    expect(
      parseTemplate(templateText(template), "t").flatMap((part) => ("text" in part ? [...part.text] : [part.place])),
    ).toEqual(template.flatMap((part) => ("text" in part ? [...part.text] : [part.place])));
  }
});
