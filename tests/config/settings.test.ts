/** Merging of settings, as data: layers in, values with their origins or one error out. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editDistance, nearestName } from "../../src/config/did-you-mean.ts";
import {
  CONFIG_KEYS,
  type ConfigKey,
  DEFAULT_SETTINGS,
  isConfigKey,
  keyFacts,
  keySchema,
  variableOf,
} from "../../src/config/keys.ts";
import { readNotation } from "../../src/config/parse-value.ts";
import {
  budgetSource,
  budgetTokens,
  environmentLayer,
  fileLayer,
  flagLayer,
  type Layer,
  mergeLayers,
} from "../../src/config/settings.ts";
import { Failed } from "../../src/failure.ts";
import { FORMAT_NAMES } from "../../src/retrieval/render/formats.ts";
import { anyCharacter } from "../support/any-character.ts";

type Written = {
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly repository?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
};

function layersOf({ flags = {}, variables = {}, repository, user }: Written): readonly Layer[] {
  const typed = Object.entries(flags).flatMap(([key, text]) =>
    isConfigKey(key) ? [[key, { flag: `--${key.replaceAll("_", "-")}`, typed: text }] as const] : [],
  );
  return [
    flagLayer(new Map(typed)),
    environmentLayer(variables),
    ...(repository ? [fileLayer("repository", "/r/.cra.toml", repository)] : []),
    ...(user ? [fileLayer("user", "/u/config.toml", user)] : []),
  ];
}

/** One line: the value, its origin and what it overrides, or the failure. */
function resolved(written: Written, key: ConfigKey): string {
  try {
    const row = mergeLayers(layersOf(written)).explained.find((candidate) => candidate.key === key);
    const hidden = row?.hidden.map(({ value, where }) => ` > ${JSON.stringify(value)} ${where}`).join("") ?? "";
    return `${JSON.stringify(row?.value)} ${row?.where}${hidden}`;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return `${error.failure.code}: ${error.message}`;
  }
}

describe("precedence of layers", () => {
  const cases: readonly (readonly [string, Written, ConfigKey, string])[] = [
    ["nothing set", {}, "scope_size", "75 default"],
    ["user file", { user: { scope_size: 10 } }, "scope_size", "10 /u/config.toml"],
    [
      "repository beats user",
      { repository: { scope_size: 20 }, user: { scope_size: 10 } },
      "scope_size",
      "20 /r/.cra.toml > 10 /u/config.toml",
    ],
    [
      "variable beats both",
      { variables: { CRA_SCOPE_SIZE: "30" }, repository: { scope_size: 20 }, user: { scope_size: 10 } },
      "scope_size",
      "30 CRA_SCOPE_SIZE > 20 /r/.cra.toml > 10 /u/config.toml",
    ],
    [
      "flag beats all",
      { flags: { scope_size: "40" }, variables: { CRA_SCOPE_SIZE: "30" } },
      "scope_size",
      "40 --scope-size > 30 CRA_SCOPE_SIZE",
    ],
    ["an empty variable is unset", { variables: { CRA_SCOPE_SIZE: "" } }, "scope_size", "75 default"],
    ["dotted keys are tables", { repository: { index: { commits_max: 7 } } }, "index.commits_max", "7 /r/.cra.toml"],
    [
      "sizes have units",
      { variables: { CRA_INDEX_MAX_FILE_SIZE: "2MiB" } },
      "index.max_file_size",
      "2097152 CRA_INDEX_MAX_FILE_SIZE",
    ],
    [
      "sizes have units in TOML too",
      { user: { index: { max_file_size: "8 KiB" } } },
      "index.max_file_size",
      "8192 /u/config.toml",
    ],
    [
      "a list in a variable",
      { variables: { CRA_INCLUDE: "src/**, *.{ts,tsx}" } },
      "include",
      '["src/**","*.{ts,tsx}"] CRA_INCLUDE',
    ],
    ["a switch in a variable", { variables: { CRA_INDEX_NESTED: "true" } }, "index.nested", "true CRA_INDEX_NESTED"],
    [
      "no model, for once",
      { flags: { model: "none" }, user: { model: "m" } },
      "model",
      'null --model > "m" /u/config.toml',
    ],
    ["a model's long name", { flags: { model: "hf.co/a/B_c:Q4" } }, "model", '"hf.co/a/B_c:Q4" --model'],
    ["seconds", { variables: { CRA_LLM_IDLE_SECONDS: "0.5" } }, "llm.idle_seconds", "0.5 CRA_LLM_IDLE_SECONDS"],
    ["a repeated flag", { flags: { include: ["a,b", "c"] } }, "include", '["a,b","c"] --include'],
    ["stages as text", { flags: { stages: "scope" } }, "stages", '["scope"] --stages'],
    [
      "languages by the endings of their files",
      { flags: { hint_language: ["ts", ".PY", "jsx", ".yml", "sh"] } },
      "hint_language",
      '["typescript","python","javascript","yaml","bash"] --hint-language',
    ],
    [
      "languages by other names",
      { variables: { CRA_HINT_LANGUAGE: "c++,C#,golang,shell" } },
      "hint_language",
      '["cpp","csharp","go","bash"] CRA_HINT_LANGUAGE',
    ],
    [
      "languages in any case",
      { flags: { hint_language: ["Python", "TSX"] } },
      "hint_language",
      '["python","tsx"] --hint-language',
    ],
    [
      "weights as text",
      { flags: { weights: "mention=0.5,recency=0" } },
      "weights",
      '{"mention":0.5,"recency":0} --weights',
    ],
    ["weights as a table", { repository: { weights: { mention: 2 } } }, "weights", '{"mention":2} /r/.cra.toml'],
    ["weights by name", { variables: { CRA_WEIGHTS: "classic" } }, "weights", '"classic" CRA_WEIGHTS'],
    [
      "a budget silences a weaker window",
      { flags: { budget: "5" }, user: { context_window: 9, reserved_tokens: 1 } },
      "context_window",
      "null default > 9 /u/config.toml",
    ],
    [
      "a window silences a weaker budget",
      { flags: { context_window: "9", reserved_tokens: "1" }, variables: { CRA_BUDGET: "5" } },
      "budget",
      "32768 default > 5 CRA_BUDGET",
    ],
    [
      "half a window is completed by a weaker layer",
      { flags: { context_window: "9" }, user: { reserved_tokens: 2 } },
      "reserved_tokens",
      "2 /u/config.toml",
    ],
  ];
  test.each(cases)("%s", (_, written, key, expected) => expect(resolved(written, key)).toBe(expected));
});

test("a table that keys are in may be empty", () => {
  expect(resolved({ repository: { index: {}, workspace: {} }, user: { llm: {}, escalate: {} } }, "budget")).toBe(
    "32768 default",
  );
});

describe("values that are refused, with the message", () => {
  const cases: readonly (readonly [string, Written, string])[] = [
    [
      "a misspelt key",
      { repository: { bugdet: 5 } },
      'config: /r/.cra.toml: unknown key "bugdet"; did you mean "budget"?',
    ],
    [
      "a misspelt key in a table",
      { user: { index: { worker: 2 } } },
      'config: /u/config.toml: unknown key "index.worker"; did you mean "index.workers"?',
    ],
    [
      "an unheard-of key",
      { user: { colour_of_the_sky: "blue" } },
      'config: /u/config.toml: unknown key "colour_of_the_sky"; to list all keys: cra config',
    ],
    ["an unheard-of table", { repository: { serve: {} } }, 'config: /r/.cra.toml: unknown key "serve"'],
    ["a table in a table", { user: { index: { nested: {} } } }, 'config: /u/config.toml: "index.nested": {} is not'],
    ["a prototype's name", { user: { constructor: 1 } }, 'config: /u/config.toml: unknown key "constructor"'],
    [
      "a wrong type",
      { repository: { budget: "many" } },
      'config: /r/.cra.toml: "budget": "many" is not a whole number of tokens',
    ],
    [
      "a float",
      { repository: { depth: 1.5 } },
      'config: /r/.cra.toml: "depth": 1.5 is not a whole number of steps from 1 to 3',
    ],
    [
      "a window that no question fits",
      { variables: { CRA_LLM_CONTEXT_WINDOW: "2047" } },
      'config: CRA_LLM_CONTEXT_WINDOW: "2047" is not a whole number of tokens from 2048 to 10000000',
    ],
    [
      "a variable",
      { variables: { CRA_DEPTH: "4" } },
      'config: CRA_DEPTH: "4" is not a whole number of steps from 1 to 3',
    ],
    [
      "a number that TOML has and JSON has not",
      { repository: { budget: Number.NEGATIVE_INFINITY } },
      'config: /r/.cra.toml: "budget": -Infinity is not a whole number of tokens',
    ],
    ["a flag", { flags: { depth: "deep" } }, 'usage: --depth: "deep" is not a whole number of steps from 1 to 3'],
    [
      "a misspelt word",
      { flags: { format: "markdwon" } },
      `usage: --format: "markdwon" is not one of ${FORMAT_NAMES.join(", ")}; did you mean "markdown"?`,
    ],
    ["the start of a word", { flags: { tokenizer: "cl100k" } }, 'did you mean "cl100k_base"?'],
    ["a misspelt signal", { flags: { weights: "mentoin=1" } }, 'did you mean "mention"?'],
    ["weights that are none", { flags: { weights: "mention=" } }, 'usage: --weights: "mention=" is not default'],
    [
      "weights of a flag in a file",
      { user: { weights: "mention=1,recency=0" } },
      "from 0 to 10; a file has a table instead, such as weights = { mention = 2 }",
    ],
    ["a weight twice", { flags: { weights: "mention=1,mention=2" } }, "usage: --weights: "],
    [
      "an empty stage list",
      { flags: { stages: "" } },
      `usage: --stages: "" is not a list of stages (known: ${DEFAULT_SETTINGS.stages.join(", ")})`,
    ],
    ["an unknown stage", { flags: { stages: "scope,prescision" } }, 'did you mean "precision"?'],
    [
      "reserved without a window",
      { variables: { CRA_RESERVED_TOKENS: "5" } },
      "config: CRA_RESERVED_TOKENS: reserved_tokens needs context_window too",
    ],
    [
      "a window without reserve",
      { user: { context_window: 5 } },
      "config: /u/config.toml: context_window needs reserved_tokens too",
    ],
    [
      "all of the window reserved",
      { user: { context_window: 5, reserved_tokens: 5 } },
      "reserved_tokens (5) must be less than context_window (5)",
    ],
    [
      "two forms in one layer",
      { user: { context_window: 5, reserved_tokens: 1, budget: 3 } },
      "config: /u/config.toml: budget and context_window exclude each other",
    ],
    [
      "an unheard-of language",
      { variables: { CRA_HINT_LANGUAGE: "klingon" } },
      'config: CRA_HINT_LANGUAGE: "klingon" is not a list of languages that cra knows',
    ],
    [
      "the misspelt one of several languages",
      { flags: { hint_language: ["Python", "typescipt"] } },
      'did you mean "typescript"?',
    ],
    ["a model's name that steers", { flags: { model: "m\u001b[2J" } }, "is not the name of a model"],
    ["a limit of no time", { variables: { CRA_LLM_TOTAL_SECONDS: "0" } }, "is not a number of seconds from 0.1"],
    ["a value of a megabyte", { user: { format: "x".repeat(1e6) } }, "…"],
  ];
  test.each(cases)("%s", (_, written, expected) => {
    const said = resolved(written, "budget");
    expect(said).toMatch(/^(config|usage): /);
    expect(said).toContain(expected);
    expect(said).not.toContain("\n");
    expect(said.length).toBeLessThan(600);
  });
});

describe("a repository's file is untrusted", () => {
  test.each([
    "template",
    "data_dir",
    "output",
    "model",
    "base_url",
    "allow_remote_llm",
    "llm_assist",
    "llm.total_seconds",
    "command",
  ])("it cannot set %s", (key) => {
    const said = resolved({ repository: { [key]: "/tmp/x" } }, "budget");
    expect(said).toStartWith("config: /r/.cra.toml: ");
    expect(said).toContain(`"${key}"`);
  });
  test("the user's own file may set paths", () => {
    expect(resolved({ user: { template: "/t.md" } }, "template")).toBe('"/t.md" /u/config.toml');
  });
  test("only the user can set a key that is a path", () => {
    for (const key of CONFIG_KEYS) if (keyFacts(key).isPath) expect(keyFacts(key).fromRepository).toBe(false);
  });
  test("it may set what matters in the repository, but not its reader's choices", () => {
    expect(CONFIG_KEYS.filter((key) => keyFacts(key).fromRepository)).toEqual([
      "budget",
      "context_window",
      "reserved_tokens",
      "max_lines",
      "coverage",
      "scope_size",
      "depth",
      "weights",
      "include",
      "exclude",
      "index.max_file_size",
      "index.ignore",
      "index.nested",
      "index.commits_max",
      "index.commit_files_max",
      "workspace.repos",
      "escalate.docs",
    ]);
  });
});

test("tokens of a budget in both of its forms", () => {
  expect(budgetTokens({ budget: 7, context_window: null, reserved_tokens: null })).toBe(7);
  expect(budgetTokens({ budget: 7, context_window: 100, reserved_tokens: 30 })).toBe(70);
});

test("the origin of a budget, unless it was typed or is the default", () => {
  const source = (written: Written, unit: "tokens" | "lines") => budgetSource(mergeLayers(layersOf(written)), unit);
  expect(source({}, "tokens")).toBeNull();
  expect(source({ flags: { budget: "5" }, repository: { budget: 6 } }, "tokens")).toBeNull();
  expect(source({ repository: { budget: 5 } }, "tokens")).toBe("/r/.cra.toml");
  expect(source({ variables: { CRA_CONTEXT_WINDOW: "9", CRA_RESERVED_TOKENS: "1" } }, "tokens")).toBe(
    "CRA_CONTEXT_WINDOW",
  );
  expect(source({ user: { max_lines: 5 } }, "lines")).toBe("/u/config.toml");
  expect(source({ user: { max_lines: 5 } }, "tokens")).toBeNull();
});

test("every key has a valid default and its own variable", () => {
  for (const key of CONFIG_KEYS) expect(keyFacts(key).summary).not.toBe("");
  expect(mergeLayers([]).settings).toEqual(DEFAULT_SETTINGS);
  for (const key of CONFIG_KEYS) {
    expect<unknown>(keySchema(key).parse(DEFAULT_SETTINGS[key])).toEqual(DEFAULT_SETTINGS[key]);
    expect<unknown>(keySchema(key).parse(undefined)).toEqual(DEFAULT_SETTINGS[key]);
  }
  expect(new Set(CONFIG_KEYS.map(variableOf)).size).toBe(CONFIG_KEYS.length);
});

test("law: any text after any flag gives a value or a one-line usage failure", () => {
  fc.assert(
    fc.property(fc.constantFrom(...CONFIG_KEYS), fc.string({ unit: anyCharacter, maxLength: 40 }), (key, text) => {
      try {
        mergeLayers([flagLayer(new Map([[key, { flag: "--x", typed: text }]]))]);
      } catch (error) {
        expect(error).toBeInstanceOf(Failed);
      }
    }),
  );
});

test("law: any document gives a layer or a config failure", () => {
  const document = fc.dictionary(
    fc.oneof(fc.constantFrom("budget", "weights", "index", "include", "__proto__"), fc.string()),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(document, fc.constantFrom("repository", "user"), (value, kind) => {
      try {
        mergeLayers([fileLayer(kind, "/f", value)]);
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        expect(error.failure.code).toBe("config");
      }
    }),
  );
});

test("edit distance: one edit of each kind, and its laws", () => {
  expect(["budget", "bugdet", "bdget", "budgets", "budfet"].map((word) => editDistance(word, "budget"))).toEqual([
    0, 1, 1, 1, 1,
  ]);
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (a, b) => editDistance(a, b) === editDistance(b, a) && (editDistance(a, b) === 0) === (a === b),
    ),
  );
  expect(nearestName("zzz", ["budget", "depth"])).toBeNull();
});

test("numbers are plain decimals", () => {
  for (const text of ["1e3", "0x10", " 5", "5 ", "-5", "+5", "1_000", "٣", "", "1.5"])
    expect(readNotation("whole", text)).toBe(text);
  expect(readNotation("whole", "0042")).toBe(42);
  const tokens = ["8000", "8k", "1.5M", "0.5K", "32.768k", "1.5", "k", "8kb", "-8k", "8 k"];
  expect(tokens.map((text) => readNotation("tokens", text))).toEqual([
    8_000,
    8_000,
    1_500_000,
    500,
    32_768,
    "1.5",
    "k",
    "8kb",
    "-8k",
    "8 k",
  ]);
});
