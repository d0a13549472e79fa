/**
 * Generates the tables of docs/reference.md from the command, key and configuration tables.
 *
 * Each table is written between `<!-- name:begin -->` and `<!-- name:end -->`. `--check` writes nothing and exits with
 * 1 when a table is stale.
 */
import { join } from "node:path";
import { COMMAND_TABLE } from "../src/cli/commands/table.ts";
import { flagsOf, usage } from "../src/cli/syntax/help.ts";
import { CONFIG_KEYS, DEFAULT_SETTINGS, keyFacts, variableOf } from "../src/config/keys.ts";
import {
  BINDINGS,
  CATEGORIES,
  COMMAND_NAMES,
  type CommandName,
  type Context,
  keysOf,
} from "../src/tui/keys/bindings.ts";
import { keyName } from "../src/tui/keys/key-names.ts";

export const REFERENCE = join(import.meta.dir, "../docs/reference.md");

/** Generates each table, by the name in its markers. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  commands: () =>
    markdownTable(
      ["command", "what it does"],
      COMMAND_TABLE.commands.map((command) => [`\`${usage(command)}\``, command.summary]),
    ),
  options: () =>
    markdownTable(
      ["option", "of", "what it does"],
      [
        ...COMMAND_TABLE.globalOptions.map((option) => [`\`${flagsOf(option)}\``, "all", option.summary]),
        ...COMMAND_TABLE.commands.flatMap((command) =>
          command.options.map((option) => [`\`${flagsOf(option)}\``, `\`${command.name}\``, option.summary]),
        ),
      ],
    ),
  keys: () => markdownTable(["key", "what it does", "where"], keyRows()),
  configuration: () =>
    markdownTable(
      ["key", "default", "variable", "what it is"],
      CONFIG_KEYS.map((key) => [
        `\`${key}\`${keyFacts(key).fromRepository ? "" : " (not in a repository's file)"}`,
        defaultText(DEFAULT_SETTINGS[key]),
        `\`${variableOf(key)}\``,
        keyFacts(key).summary,
      ]),
    ),
};

/** Where the program shows its keys. Dialogs show theirs in the footer. */
const PLACES = {
  entry: "task",
  sessions: "sessions",
  run: "run",
  review: "list",
  preview: "preview",
  symbols: "symbols",
} as const satisfies Partial<Record<Context, string>>;

/** One row for each action and its keys in a place, by category. Text editing uses the usual keys of a shell and is left out. */
function keyRows(): readonly (readonly string[])[] {
  return CATEGORIES.filter((category) => category !== "text").flatMap((category) =>
    COMMAND_NAMES.filter((name) => BINDINGS[name].category === category).flatMap((name) =>
      [...placesByKeys(name)].map(([keys, places]) => [keys, BINDINGS[name].label, placesText(places)]),
    ),
  );
}

const isPlace = (context: string): context is keyof typeof PLACES => context in PLACES;
const ALL_PLACES = Object.keys(PLACES).filter(isPlace);
const placesText = (places: readonly (keyof typeof PLACES)[]): string =>
  places.length === ALL_PLACES.length ? "everywhere" : places.map((context) => PLACES[context]).join(", ");

/** The keys of an action as text, with the places where they are its keys. */
function placesByKeys(name: CommandName): ReadonlyMap<string, readonly (keyof typeof PLACES)[]> {
  const places = new Map<string, readonly (keyof typeof PLACES)[]>();
  for (const place of ALL_PLACES) {
    const keys = keysOf(name, place).map((key) => `\`${keyName(key, false)}\``);
    if (keys.length > 0) places.set(keys.join(" "), [...(places.get(keys.join(" ")) ?? []), place]);
  }
  return places;
}

/** Replaces every table that the page has markers for. */
export function withSections(page: string): string {
  return Object.entries(SECTIONS).reduce((text, [name, make]) => {
    const place = new RegExp(`(<!-- ${name}:begin[^>]*-->\n)[\\s\\S]*?(<!-- ${name}:end -->)`);
    return text.replace(place, (_, begin: string, end: string) => `${begin}\n${make()}\n${end}`);
  }, page);
}

function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("");
}

function defaultText(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return "";
  return `\`${Array.isArray(value) ? value.join(",") : String(value)}\``;
}

async function main(): Promise<void> {
  const page = await Bun.file(REFERENCE).text();
  const fresh = withSections(page);
  if (fresh === page) return;
  if (process.argv.includes("--check")) {
    process.stderr.write("docs/reference.md is stale; run: npm run docs\n");
    process.exitCode = 1;
  } else await Bun.write(REFERENCE, fresh);
}

if (import.meta.main) void main();
