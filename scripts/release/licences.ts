/**
 * Collects the licences of all code inside the binary on one page, which goes into every archive.
 *
 * Texts come from the packages themselves. A package without one, or code bundled inside another package, has its text
 * in `licences/` under its name. A missing text stops the release.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GRAMMAR_PACKAGES } from "../../src/languages/grammar-packages.ts";
import { type LockedPackage, lockedPackages } from "./lock.ts";

const OWN_TEXTS = join(import.meta.dir, "licences");
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|unlicense)/i;

/** Code in the binary that is not an npm package. */
const OTHERS = ["bun", "sqlite", "grammars"] as const;

/** Packages bundled inside others: the MCP SDK contains copies of these versions. */
const COPIED: readonly (readonly [name: string, version: string, licence: string])[] = [
  ["ajv", "8.18.0", "MIT"],
  ["ajv-formats", "3.0.1", "MIT"],
  ["content-type", "1.0.5", "MIT"],
  ["fast-deep-equal", "3.1.3", "MIT"],
  ["fast-uri", "3.1.8", "BSD-3-Clause"],
  ["json-schema-traverse", "1.0.0", "MIT"],
];

export type Licensed = Pick<LockedPackage, "name" | "version" | "licence"> & { readonly text: string };

/** The packages in the binary, sorted by name. Throws with the names of all that have no licence. */
export function licensedPackages(root: string, ownTexts: string = OWN_TEXTS): readonly Licensed[] {
  const inside = lockedPackages(root).filter(({ name, ships }) => ships || GRAMMAR_PACKAGES.includes(name));
  const found = inside
    // Packages for other systems are not installed, so they are not in the binary.
    .filter(({ folder }) => existsSync(join(root, folder)))
    .map(({ name, folder, version, licence }) => ({
      name,
      version,
      licence,
      text: textOf(name, join(root, folder), ownTexts),
    }));
  const without = found.filter(({ text }) => text === "");
  if (without.length > 0)
    throw new Error(`no licence text for ${without.map(({ name }) => name).join(", ")}; add one to ${ownTexts}`);
  const known = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Packages that are bundled inside others. */
export const copiedPackages = (): readonly Licensed[] =>
  COPIED.map(([name, version, licence]) => ({ name, version, licence, text: ownText(name, OWN_TEXTS) ?? "" }));

/** What has a licence text: packages by name, copies by name and version, as in `bundledPackages`. */
export const licensedNames = (root: string): ReadonlySet<string> =>
  new Set([
    ...licensedPackages(root).map(({ name }) => name),
    ...copiedPackages().map(({ name, version }) => `${name}@${version}`),
  ]);

function ownText(name: string, ownTexts: string): string | null {
  const path = join(ownTexts, `${name.replace("/", "+")}.txt`);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}

function textOf(name: string, folder: string, ownTexts: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name),
  );
  const texts = files.map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
  return texts.length > 0 ? texts.sort().join("\n\n") : (ownText(name, ownTexts) ?? "");
}

/** Renders the page. A text that several packages share appears once. */
export function noticesPage(root: string): string {
  const byText = new Map<string, string[]>();
  for (const { name, version, licence, text } of [...licensedPackages(root), ...copiedPackages()]) {
    const title = `${name} ${version} (${licence})`;
    byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  const others = OTHERS.map((name) => readFileSync(join(OWN_TEXTS, `${name}.txt`), "utf8").trim());
  const rule = "=".repeat(80);
  return [
    "What this program is made of, and under which licences.",
    ...others,
    ...[...byText].map(([text, titles]) => `${titles.join("\n")}\n\n${text}`),
  ]
    .join(`\n\n${rule}\n\n`)
    .concat("\n");
}

/** The packages that a build contains code of, read from its source maps; bundled copies with their version. */
export function bundledPackages(maps: readonly string[]): readonly string[] {
  const names = maps.flatMap((map) =>
    [...map.matchAll(INSTALLED)].map(([, version = "", name = ""]) => (version === "" ? name : `${name}@${version}`)),
  );
  return [...new Set(names)].sort();
}

/** The folder of a package as npm or pnpm lays it out; packages built with pnpm have its paths in their source maps. */
const INSTALLED =
  /node_modules\/(?:\.pnpm\/(?:@[^/"]+\+)?[^@/"]+@([^_(/"]+)[^/"]*\/node_modules\/)?(@[^/"]+\/[^/"]+|[^@./"][^/"]*)\//g;
