/**
 * What the manifests of a repository say of packages: which ones it publishes, and whether it names another one.
 *
 * Only as much of each format is read as that takes. A name counts only in a manifest of the same kind.
 */
import type { ImportFamily } from "../../languages/language.ts";
import { nameOf } from "../../text/repo-path.ts";
import { parseJsonc } from "./ecmascript/jsonc.ts";

/** A manifest, by its path and text. */
export type Manifest = { readonly path: string; readonly text: string };

type Kind = {
  readonly family: ImportFamily;
  readonly file: RegExp;
  /** The packages that the manifest publishes. */
  published(text: string): readonly string[];
};

const KINDS: readonly Kind[] = [
  { family: "ecmascript", file: /^package\.json$/, published: npmName },
  { family: "go", file: /^go\.mod$/, published: (text) => found(text, /^module\s+"?([^\s"]+)/m) },
  {
    family: "python",
    file: /^(?:pyproject\.toml|setup\.cfg|setup\.py|requirements[\w.-]*\.txt)$/,
    published: (text) => found(text, /^[ \t]*name[ \t]*=[ \t]*["']?([\w.-]+)/m),
  },
  {
    family: "rust",
    file: /^Cargo\.toml$/,
    published: (text) => found(text, /^\[package\][^[]*?^[ \t]*name[ \t]*=[ \t]*["']([\w-]+)["']/m),
  },
  { family: "jvm", file: /^(?:pom\.xml|(?:settings|build)\.gradle(?:\.kts)?)$/, published: jvmNames },
];

/** Whether a file is a manifest. Those deep inside are of examples and fixtures. */
export function isManifest(path: string): boolean {
  const parts = path.split("/");
  return parts.length <= PARTS_MAX && kindOf(path) !== undefined;
}

const PARTS_MAX = 3;

const kindOf = (path: string): Kind | undefined => {
  const name = nameOf(path);
  return KINDS.find(({ file }) => file.test(name));
};

/** The families by whose rules the files of `importer` import those of `imported`, because a manifest names a package of it. */
export function familiesBetween(
  importer: readonly Manifest[],
  imported: readonly Manifest[],
): ReadonlySet<ImportFamily> {
  const families = KINDS.filter((kind) => {
    const ofKind = (manifests: readonly Manifest[]) => manifests.filter(({ path }) => kindOf(path) === kind);
    const names = new Set(ofKind(imported).flatMap(({ text }) => kind.published(text)));
    const texts = ofKind(importer).map(({ text }) => text);
    return [...names].some((name) => texts.some((text) => mentions(text, name)));
  });
  return new Set(families.map(({ family }) => family));
}

/** Whether a text names a package as a whole word. Letter case and the kind of dash do not matter, as on package registries. */
function mentions(text: string, name: string): boolean {
  const [whole, wanted] = [normal(text), normal(name)];
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const [before, after] = [whole[at - 1] ?? " ", whole[at + wanted.length] ?? " "];
    if (!BEFORE.test(before) && !AFTER.test(after)) return true;
  }
  return false;
}

const normal = (text: string): string => text.toLowerCase().replaceAll("_", "-");
/** What makes a name the end, or the beginning, of a longer one. A longer path is a package in the same repository. */
const BEFORE = /[a-z0-9@./-]/;
const AFTER = /[a-z0-9-]/;

const found = (text: string, pattern: RegExp): readonly string[] => {
  const name = pattern.exec(text)?.[1];
  return name === undefined ? [] : [name];
};

function npmName(text: string): readonly string[] {
  const manifest = parseJsonc(text);
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest)) return [];
  return typeof manifest.name === "string" && manifest.name !== "" ? [manifest.name] : [];
}

/** The artifact of a pom, which is not that of its parent or of what it depends on; or the name of a Gradle project. */
function jvmNames(text: string): readonly string[] {
  const own = ["parent", "dependencies", "dependencyManagement", "build", "profiles"].reduce(withoutElements, text);
  return [
    ...found(own, /<artifactId>\s*([\w.-]+)\s*<\/artifactId>/),
    ...found(text, /^[ \t]*rootProject\.name[ \t]*=[ \t]*["']([\w.-]+)["']/m),
  ];
}

/** A text without the elements of a name and what is in them. A pattern would look for the end of each one that has none. */
function withoutElements(text: string, name: string): string {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const parts: string[] = [];
  let at = 0;
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, at)) {
    const end = text.indexOf(closing, start);
    if (end < 0) break;
    parts.push(text.slice(at, start));
    at = end + closing.length;
  }
  return parts.join("") + text.slice(at);
}
