/**
 * The licences of everything that is inside of the binary, as one page that goes into every archive.
 *
 * Packages that ship, and those that grammars are taken from, are asked for their own texts; a package that brings none
 * has one in `licences/`, by its name. One that has none at all stops the release.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GRAMMAR_PACKAGES } from "../grammars.ts";
import { type LockedPackage, lockedPackages } from "./lock.ts";

const OWN_TEXTS = join(import.meta.dir, "licences");
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|unlicense)/i;

/** What is inside besides packages of npm. */
const OTHERS = ["bun", "sqlite", "grammars"] as const;

export type Licensed = Pick<LockedPackage, "name" | "version" | "licence"> & { readonly text: string };

/** The packages whose code is inside, in the order of their names. Throws with all that have no licence. */
export function licensedPackages(root: string, ownTexts: string = OWN_TEXTS): readonly Licensed[] {
  const inside = lockedPackages(root).filter(({ name, ships }) => ships || GRAMMAR_PACKAGES.includes(name));
  const found = inside
    // What is for another system is not installed, and not inside.
    .filter(({ folder }) => existsSync(join(root, folder)))
    .map(({ name, folder, version, licence }) => ({
      name,
      version,
      licence,
      text: textOf(name, join(root, folder), ownTexts),
    }));
  const without = found.filter(({ text }) => text === "");
  if (without.length > 0)
    throw new Error(`no licence is there for ${without.map(({ name }) => name).join(", ")}; put one into ${ownTexts}`);
  const known = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...known.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function textOf(name: string, folder: string, ownTexts: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name),
  );
  const texts = files.map((entry) => readFileSync(join(folder, entry.name), "utf8").trim());
  const own = join(ownTexts, `${name.replace("/", "+")}.txt`);
  return texts.length > 0 || !existsSync(own) ? texts.sort().join("\n\n") : readFileSync(own, "utf8").trim();
}

/** The page. A text that several packages share stands once. */
export function noticesPage(root: string): string {
  const byText = new Map<string, string[]>();
  for (const { name, version, licence, text } of licensedPackages(root)) {
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

/** The packages that a build took code from, by the maps of its sources. */
export function bundledPackages(maps: readonly string[]): readonly string[] {
  const names = maps.flatMap((map) =>
    [...map.matchAll(/node_modules\/(@[^/"]+\/[^/"]+|[^@/"][^/"]*)\//g)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].sort();
}
