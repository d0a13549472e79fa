/** Arguments in, a command with checked values or one error out. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SCHEMA_NAMES } from "../../../src/cli/commands/schema.ts";
import { COMMAND_TABLE } from "../../../src/cli/commands/table.ts";
import { parseArguments } from "../../../src/cli/syntax/argv.ts";
import { optionsOf } from "../../../src/cli/syntax/command.ts";
import { keyFacts, keySchema } from "../../../src/config/keys.ts";
import { Failed } from "../../../src/failure.ts";
import { FORMAT_NAMES } from "../../../src/retrieval/render/formats.ts";
import { anyCharacter } from "../../support/any-character.ts";

/** The command with its arguments and given options, or the failure. */
function parsed(...words: readonly string[]): string {
  try {
    const result = parseArguments(words, COMMAND_TABLE);
    if (result.kind !== "run")
      return result.kind === "help"
        ? `help${result.requested ? "" : " unrequested"}: ${result.text(100).split("\n")[0]}`
        : `version${result.verbose ? " verbose" : ""}`;
    const { command, values } = result;
    const given = [
      ...command.arguments.flatMap(({ name }) => {
        const value = values.argument(name);
        return value === undefined ? [] : [`${name}=${value}`];
      }),
      ...optionsOf(command, COMMAND_TABLE).flatMap(({ flag, key, value, repeatable, whole }) => {
        if (key !== undefined)
          return values.flags.has(key) ? [`${flag}=${JSON.stringify(values.flags.get(key)?.typed)}`] : [];
        if (value === undefined) return values.switch(flag) ? [flag] : [];
        if (repeatable) return values.list(flag).length > 0 ? [`${flag}=${JSON.stringify(values.list(flag))}`] : [];
        const one = whole ? values.whole(flag) : values.text(flag);
        return one === undefined ? [] : [`${flag}=${JSON.stringify(one)}`];
      }),
    ];
    return [command.name, ...given].join(" ");
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return `${error.failure.code}: ${error.message}`;
  }
}

describe("arguments that are understood", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["index"], "index"],
    [["index", "/r", "--fail-fast", "-v"], "index repo=/r --fail-fast --verbose"],
    [["-v", "index"], "index --verbose"],
    [["--repo", "/r", "status", "--json"], 'status --repo="/r" --json'],
    [["--repo", "/a", "status", "--repo", "/b"], 'status --repo="/b"'],
    [["retrieve", "fix it"], "retrieve task=fix it"],
    [["retrieve", "fix", "the", "login bug", "-v"], "retrieve task=fix the login bug --verbose"],
    [["retrieve", "-v", "fix", "--budget", "8k", "it"], 'retrieve task=fix it --budget="8k" --verbose'],
    [["retrieve", "fix", "--", "--budget", "8k"], "retrieve task=fix --budget 8k"],
    [["search", "parse", "header"], "search query=parse header"],
    [["recall", "the", "cart"], "recall query=the cart"],
    [["retrieve", "-"], "retrieve task=-"],
    [["retrieve", "fix", "login", "bug"], "retrieve task=fix login bug"],
    [["retrieve", "fix", "--budget", "8k", "the", "bug"], 'retrieve task=fix the bug --budget="8k"'],
    [["search", "parse", "url"], "search query=parse url"],
    [["refine", "1f3a", "--budget", "1.5M"], "refine task-id=1f3a --budget=1500000"],
    [["retrieve", ""], "retrieve task="],
    [["retrieve", "--", "--budget is ignored"], "retrieve task=--budget is ignored"],
    [
      ["retrieve", "x", "--budget=8000", "-o", "f.md", "--force"],
      'retrieve task=x --budget="8000" --output="f.md" --force',
    ],
    [["retrieve", "x", "-vo", "f.md"], 'retrieve task=x --output="f.md" --verbose'],
    [["retrieve", "x", "--hint-path", "a", "--hint-path", "b"], 'retrieve task=x --hint-path=["a","b"]'],
    [["retrieve", "--include", "a,b", "x"], 'retrieve task=x --include=["a,b"]'],
    [
      ["retrieve", "x", "--no-refresh", "--no-color", "--no-input"],
      "retrieve task=x --no-refresh --no-color --no-input",
    ],
    [["retrieve", "x", "--events", "jsonl"], 'retrieve task=x --events="jsonl"'],
    [["search", "a b", "--limit", "5"], "search query=a b --limit=5"],
    [["explain", "abc", "src/a.ts"], "explain task-id=abc what=src/a.ts"],
    [["completions", "zsh"], "completions shell=zsh"],
    [["schema"], "schema"],
    [["--version"], "version"],
    [["-V", "-v"], "version verbose"],
    [["-v", "--version"], "version verbose"],
    [
      ["--help"],
      "help: cra finds the smallest set of code that is enough to do a task, and says why each piece is there.",
    ],
    [["retrieve", "-h"], "help: cra retrieve: find the code that a task needs, within a token budget"],
    [["help", "search"], "help: cra search: search paths, symbols and content for words"],
    [
      ["help"],
      "help: cra finds the smallest set of code that is enough to do a task, and says why each piece is there.",
    ],
    [
      [],
      "help unrequested: cra finds the smallest set of code that is enough to do a task, and says why each piece is there.",
    ],
    [
      ["-v"],
      "help unrequested: cra finds the smallest set of code that is enough to do a task, and says why each piece is there.",
    ],
  ];
  test.each(cases)("%p", (words, expected) => expect(parsed(...words)).toBe(expected));
});

describe("arguments that are refused, with a suggestion", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["retreive", "x"], "usage: unknown command 'retreive'; did you mean retrieve?"],
    [["fly"], "usage: unknown command 'fly'; see: cra --help"],
    [["fix total"], "usage: unknown command 'fix total'; for a task, run: cra retrieve 'fix total'"],
    [["it's empty", "--json"], `usage: unknown command 'it's empty'; for a task, run: cra retrieve 'it'\\''s empty'`],
    [["fix", "total"], "usage: unknown command 'fix'; see: cra --help"],
    [["version"], "usage: unknown command 'version'; see: cra --version"],
    [["--versoin"], "usage: unknown option '--versoin'; did you mean --version?"],
    [["index", "--version"], "usage: unknown option '--version'; see: cra --version"],
    [["index", "--hepl"], "usage: unknown option '--hepl'; did you mean --help?"],
    [["search", "the", "index", "--lmit", "3"], "usage: unknown option '--lmit'; did you mean --limit?"],
    [["search", "the", "index", "-z"], "usage: unknown option '-z'; see: cra search --help"],
    [["--repo", "work", "status", "-z"], "usage: unknown option '-z'; see: cra status --help"],
    [["help", "retreive"], "usage: unknown command 'retreive'; did you mean retrieve?"],
    [["retrieve"], "usage: missing required argument 'task'; see: cra retrieve --help"],
    [["status", "x"], "usage: too many arguments: expected 0, got 1; see: cra status --help"],
    [["retrieve", "x", "--bugdet", "5"], "usage: unknown option '--bugdet'; did you mean --budget?"],
    [["retrieve", "x", "--bugdet=5"], "usage: unknown option '--bugdet'; did you mean --budget?"],
    [["retrieve", "x", "-z"], "usage: unknown option '-z'; see: cra retrieve --help"],
    [["--budget", "5", "retrieve", "x"], "usage: unknown option '--budget'; options of a command go after its name"],
    [["retrieve", "x", "--budget"], "usage: option '--budget <tokens>' argument missing; see: cra retrieve --help"],
    [["retrieve", "x", "--budget", "abc"], 'usage: --budget: "abc" is not a whole number of tokens from 1 to 10000000'],
    [["retrieve", "x", "--budget", "0"], 'usage: --budget: "0" is not a whole number of tokens from 1 to 10000000'],
    [["retrieve", "x", "--budget", "-5"], 'usage: --budget: "-5" is not a whole number of tokens from 1 to 10000000'],
    [
      ["retrieve", "x", "--format", "jsno"],
      `usage: --format: "jsno" is not one of ${FORMAT_NAMES.join(", ")}; did you mean "json"?`,
    ],
    [["retrieve", "x", "--output", ""], "usage: --output: the value is empty"],
    [["retrieve", "x", "--force"], "usage: --force needs --output too"],
    [["index", "--bucket", "s3://b/f"], "usage: --bucket needs --from too"],
    [["index", "--name", "a/b"], "usage: --name needs --from too"],
    [["retrieve", "x", "--bucket", "s3://b/f"], "usage: --bucket needs --from too"],
    [["retrieve", "x", "--context-window", "5"], "usage: --context-window needs --reserved-tokens too"],
    [
      ["retrieve", "x", "--budget", "5", "--budget-config", "f"],
      "usage: --budget and --budget-config exclude each other; give one of them",
    ],
    [
      ["retrieve", "x", "--budget", "5", "--context-window", "9", "--reserved-tokens", "1"],
      "usage: --budget and --context-window exclude each other; give one of them",
    ],
    [
      ["retrieve", "x", "--index", "--no-refresh"],
      "usage: --index and --no-refresh exclude each other; give one of them",
    ],
    [["status", "-q", "-v"], "usage: --quiet and --verbose exclude each other; give one of them"],
    [["retrieve", "x", "--events", "json"], 'usage: --events: "json" is not one of jsonl; did you mean "jsonl"?'],
    [["search", "x", "--limit", "1001"], 'usage: --limit: "1001" is not a whole number from 1 to 1000'],
    [
      ["retrieve", "--weird task"],
      'usage: unknown option \'--weird task\'; a text that starts with a dash goes after "--": cra retrieve -- "…"',
    ],
    [["search", "- a=b c"], 'goes after "--": cra search -- "…"'],
    [["retrieve", "x", "--weird"], "usage: unknown option '--weird'; see: cra retrieve --help"],
    [["index", "--max-file-size", "4KiB"], "usage: unknown option '--max-file-size'; see: cra index --help"],
    [
      ["retrieve", "x", "--hint-language", "Python", "--hint-language", "klingon"],
      'usage: --hint-language: ["Python","klingon"] is not a list of languages that cra knows',
    ],
    [["retrieve", "x", "--hint-language", "Pythn"], 'did you mean "python"?'],
    [["completions", "fihs"], 'usage: shell: "fihs" is not one of bash, zsh, fish; did you mean "fish"?'],
    [["schema", "pakage"], `is not one of ${SCHEMA_NAMES.join(", ")}; did you mean "package"?`],
  ];
  test.each(cases)("%p", (words, expected) => {
    const said = parsed(...words);
    expect(said).toStartWith("usage: ");
    expect(said).toContain(expected);
    expect(said).not.toContain("\n");
  });
});

test("law: any arguments are understood or refused in one line", () => {
  const word = fc.oneof(
    fc.constantFrom(
      ...COMMAND_TABLE.commands.map(({ name }) => name),
      ...COMMAND_TABLE.commands.flatMap((command) => optionsOf(command, COMMAND_TABLE)).map(({ flag }) => flag),
      "--",
      "-",
      "help",
    ),
    fc.string({ unit: anyCharacter, maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      expect(typeof parsed(...words)).toBe("string");
    }),
    { numRuns: 100 },
  );
});

describe("the table of commands is consistent", () => {
  test("no command has a flag twice, and every flag it names exists", () => {
    for (const command of COMMAND_TABLE.commands) {
      const options = optionsOf(command, COMMAND_TABLE);
      const names = options.flatMap(({ flag, short }) => (short ? [flag, short] : [flag]));
      expect(new Set(names).size).toBe(names.length);
      for (const { conflicts = [], needs = [] } of options)
        for (const other of [...conflicts, ...needs]) expect(names).toContain(other);
    }
  });
  test("an option of a setting has a value unless it is a switch, and repeats exactly when the setting is a list that may be empty", () => {
    for (const { key, value, repeatable, flag } of COMMAND_TABLE.commands.flatMap((command) =>
      optionsOf(command, COMMAND_TABLE),
    )) {
      if (key === undefined) continue;
      expect([flag, value === undefined]).toEqual([flag, keyFacts(key).notation === "switch"]);
      const isList = keySchema(key).safeParse([]).success;
      expect([flag, repeatable === true]).toEqual([flag, isList]);
    }
  });
  test("reading a value that the row does not have is a bug", () => {
    const result = parseArguments(["status"], COMMAND_TABLE);
    if (result.kind !== "run") throw new Error("not a run");
    expect(() => result.values.text("--nothing")).toThrow("--nothing");
  });
  test("examples parse", () => {
    for (const { examples } of COMMAND_TABLE.commands) {
      for (const { line } of examples) {
        const words =
          line
            .replace(/^eval "\$\((.*)\)"$/, "$1")
            .replace(/ [<>|] .*$/, "")
            .match(/"[^"]*"|\S+/g) ?? [];
        expect(parsed(...words.slice(1).map((word) => word.replaceAll('"', "")))).not.toStartWith("usage: ");
      }
    }
  });
  test("global options come last in every command", () => {
    for (const command of COMMAND_TABLE.commands)
      expect(optionsOf(command, COMMAND_TABLE).slice(-COMMAND_TABLE.globalOptions.length)).toEqual([
        ...COMMAND_TABLE.globalOptions,
      ]);
  });
});
