/** Arbitrary command lines, settings files and environment variables. */
import fc from "fast-check";
import { z } from "zod";
import { anyCharacter } from "../../../tests/support/any-character.ts";
import { HOSTILE } from "../../../tests/support/hostile-text.ts";
import { PLANTED_KEYS } from "../../../tests/support/planted-keys.ts";
import { attackOf } from "../attack.ts";
import { run } from "../run.ts";
import { worldOf } from "../world.ts";

const Input = z.object({
  settings: z.array(z.tuple([z.string(), z.string()])),
  variables: z.array(z.tuple([z.string(), z.string()])),
  lines: z.array(z.array(z.string())),
});
type Input = z.infer<typeof Input>;

/** Those that wait for more input, or need the network, have attacks of their own. */
const COMMANDS =
  "index retrieve search explain log sessions remember forget recall premortem values status doctor clean config hook completions man schema refine escalate".split(
    " ",
  );
const OPTIONS =
  "--budget --format --coverage --tokenizer --depth --scope-size --weights --include --exclude --only --diff --since --hint-path --hint-symbol --accept --reject --missing-file --missing-symbol --body --signature --leave-out --max-lines --context-window --reserved-tokens --safety-margin --stages --limit --json -q -v --no-color --no-refresh --no-input --strict --rebuild --request --handoff --trace --budget-config --template --category --importance --domain --outcome --type --cache --all --dry-run --yes --explain --self --help --version --".split(
    " ",
  );
const value = fc.oneof(
  fc.constantFrom(
    "",
    "-",
    "0",
    "1",
    "-1",
    "1e309",
    "NaN",
    "99999999999999999999",
    ".",
    "..",
    "/",
    "/dev/null",
    "*",
    "**",
    "a.py",
    "a.py:login",
    "json",
    "auto",
  ),
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => text.replaceAll("\0", "")),
  fc.nat(99).map((at) => PLANTED_KEYS[at % PLANTED_KEYS.length]?.line ?? ""),
);
const line = fc
  .tuple(
    fc.constantFrom(...COMMANDS),
    fc.array(
      fc.oneof(
        fc.constantFrom(...OPTIONS).map((option) => [option]),
        fc.tuple(fc.constantFrom(...OPTIONS), value).map(([option, text]) => [`${option}=${text}`]),
        fc.tuple(fc.constantFrom(...OPTIONS), value),
        value.map((text) => [text]),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([command, rest]) => [command, ...rest.flat()]);
const KEYS =
  "budget context_window reserved_tokens max_lines coverage tokenizer safety_margin scope_size depth stages format weights include exclude hint_language reasons with_memory data_dir model base_url index.max_file_size index.ignore index.nested index.commits_max index.workers escalate.docs llm.total_seconds unknown".split(
    " ",
  );
const setting = fc.tuple(
  fc.constantFrom(...KEYS),
  fc.oneof(
    value.map((text) => JSON.stringify(text)),
    fc.constantFrom("1", "true", "[]", '["**"]', "{}", "nan", "1979-05-27", "'''", "-0"),
  ),
);
const variable = fc.tuple(
  fc.constantFrom(...KEYS).map((key) => `CRA_${key.toUpperCase().replaceAll(".", "_")}`),
  value,
);

export const commandLines = attackOf<Input>({
  name: "command lines",
  schema: Input,
  inputs: fc.record({
    settings: fc.array(setting, { maxLength: 3 }),
    variables: fc.array(variable, { maxLength: 2 }),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  }),
  async trial({ settings, variables, lines }, court) {
    const file = (path: string, text: string) => ({ path, pieces: [{ kind: "text" as const, text }] });
    using world = worldOf({
      files: [
        file("a.py", "def login():\n    return total()\n"),
        file("b.py", "def total():\n    return 1\n"),
        ...(settings.length === 0
          ? []
          : [file(".cra.toml", settings.map(([key, text]) => `${key} = ${text}\n`).join(""))]),
      ],
      links: [],
      ignore: [],
      messages: ["Start"],
    });
    const { home, environment } = world;
    const env = { ...environment, CRA_DATA_DIR: world.data("data") };
    await run(court, ["index", "-q"], { cwd: world.repo.path, home, env });
    for (const words of lines) {
      const { stdout, stderr } = await run(court, words, {
        cwd: world.repo.path,
        home,
        env: { ...env, ...Object.fromEntries(variables.filter(([name]) => name !== "CRA_DATA_DIR")) },
        stdin: "fix login",
      });
      for (const text of [stdout, stderr]) world.checkText(court, JSON.stringify(words), text);
    }
    world.checkTraces(court);
  },
});
