/**
 * Which files are not worth indexing, and why.
 *
 * Two questions: `skipByPath` needs the path and the size only, so that such a file is never opened (a
 * secret must not be); `skipByText` looks at what was read. Both are pure, and the first reason that
 * holds is the answer. A skipped file is counted and named, never silently gone.
 *
 * Vendored and build-output folders are told by name (`vendor/`, `dist/`). When most code of a repository
 * lies in such folders they are its main content, and their names say nothing: see `vendoredIsMain`.
 * Not here: what may hold secrets (`secret-paths.ts`), what is ignored (`ignore.ts`) and binary content (`text/decode.ts`).
 */
import { isCode, isProse, languageOf } from "../../languages/languages.ts";
import { isSecretPath } from "./secret-paths.ts";

export type SkipReason = "secret" | "package" | "lock" | "vendored" | "generated" | "minified" | "binary" | "too-large";

/** `bytesMax`: the largest file that is indexed; `vendoredIsMain`: keep vendored and build-output folders. */
export type SkipLimits = { readonly bytesMax: number; readonly vendoredIsMain: boolean };

/** The largest indexed file unless configured: 1 MiB. */
export const FILE_BYTES_MAX = 1024 * 1024;

/** A mean line longer than this is not written by people (the rule of linguist is 110 for JS and CSS; this errs on keeping). */
const LINE_CHARS_MEAN_MAX = 500;

/** Data below this length is kept even on one line: a small JSON file is settings. */
const ONE_LINE_CHARS_MAX = 5_000;

/** Only a header says that a file is generated: this many lines and characters of it. */
const HEADER_LINES = 20;
const HEADER_CHARS = 2_000;

/** A reason that needs no content; null when the file should be read. */
export function skipByPath(
  path: string,
  sizeBytes: number,
  { bytesMax, vendoredIsMain }: SkipLimits,
): SkipReason | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (isSecretPath(path)) return "secret";
  if (PACKAGE_NAME.test(name)) return "package";
  if (LOCK_NAMES.has(name) || /\.lock(b|file)?$/i.test(name)) return "lock";
  if (INSTALLED_FOLDER.test(path)) return "vendored";
  if (!vendoredIsMain && VENDORED_FOLDER.test(path)) return "vendored";
  if (!vendoredIsMain && BUILT_FOLDER.test(path)) return "generated";
  if (MINIFIED_NAME.test(name)) return "minified";
  if (GENERATED_NAME.test(name)) return "generated";
  if (BINARY_EXTENSION.test(name)) return "binary";
  return sizeBytes > bytesMax ? "too-large" : null;
}

/** A reason that the text gives; null when the file should be indexed. */
export function skipByText(path: string, text: string): SkipReason | null {
  const language = languageOf(path);
  if (isMinified(language, text)) return "minified";
  return isGenerated(text) ? "generated" : null;
}

/** Both questions at once, for a file whose text is at hand (null: not text). */
export function skipReason(
  path: string,
  sizeBytes: number,
  text: string | null,
  limits: SkipLimits,
): SkipReason | null {
  return skipByPath(path, sizeBytes, limits) ?? (text === null ? "binary" : skipByText(path, text));
}

/** Whether more code lies in vendored and build-output folders than outside of them. Order does not matter. */
export function vendoredIsMain(paths: Iterable<string>): boolean {
  let inside = 0;
  let outside = 0;
  for (const path of paths) {
    if (INSTALLED_FOLDER.test(path) || !isCode(languageOf(path))) continue;
    if (VENDORED_FOLDER.test(path) || BUILT_FOLDER.test(path)) inside++;
    else outside++;
  }
  return inside > outside;
}

function isMinified(language: string, text: string): boolean {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  const mean = text.length / Math.max(1, lines);
  if (isProse(language)) return mean > ONE_LINE_CHARS_MAX;
  return mean > LINE_CHARS_MEAN_MAX && (isCode(language) || text.length > ONE_LINE_CHARS_MAX);
}

function isGenerated(text: string): boolean {
  const header = leadingComments(text.slice(0, HEADER_CHARS).split("\n", HEADER_LINES));
  return GENERATED_MARK.test(header) || (GENERATED_WORD.test(header) && HANDS_OFF_WORD.test(header));
}

/** The comments before the first line of code: a generator holds the mark too, but further down. */
function leadingComments(lines: readonly string[]): string {
  let closing: string | null = null;
  const comments: string[] = [];
  for (const line of lines) {
    const opening = BLOCKS.find(([open]) => line.trimStart().startsWith(open));
    if (closing === null && opening === undefined && !COMMENT_LINE.test(line)) {
      if (PREAMBLE_LINE.test(line)) continue;
      break;
    }
    comments.push(line);
    const close: string | undefined = closing ?? opening?.[1];
    const from: number = closing !== null || opening === undefined ? 0 : line.indexOf(opening[0]) + opening[0].length;
    closing = close !== undefined && !line.includes(close, from) ? close : null;
  }
  return comments.join("\n");
}

const BLOCKS: readonly (readonly [string, string])[] = [
  ["/*", "*/"],
  ["<!--", "-->"],
  ["{-", "-}"],
  ["(*", "*)"],
  ['"""', '"""'],
  ["'''", "'''"],
];
const COMMENT_LINE = /^\s*(\/\/|#|--|;|%|\.\. )/;
const PREAMBLE_LINE = /^\s*$|^\s*(['"]use [a-z]+['"];?|<\?(php|xml).*|<!doctype.*)\s*$/i;
/** Marks with a fixed form: Go's (go.dev/s/generatedcode), the `@generated` of Buck, Relay and Rust tools, and shouting. */
const GENERATED_MARK = /\bCode generated\b.*\bDO NOT EDIT\b|(^|[\s*#/])@generated\b|\bDO NOT (EDIT|MODIFY)\b/m;
const GENERATED_WORD =
  /\bauto-?(matically )?[- ]?generated\b|\bgenerated (by|from|with|using|code|file)\b|\b(is|was) generated\b/i;
const HANDS_OFF_WORD = /\bdo(n't| not) (edit|modify|change|touch)\b|\bchanges .*\b(will be|are) (lost|overwritten)\b/i;

/** What the interface calls a saved package: it repeats code that is indexed where it stands. */
const PACKAGE_NAME = /^cra-[0-9a-f]{12}\.(md|txt|json)$/;

const LOCK_NAMES: ReadonlySet<string> = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "go.sum",
  "go.work.sum",
  "packages.lock.json",
  "project.assets.json",
  "Package.resolved",
  "Cartfile.resolved",
  "gradle.lockfile",
  ".terraform.lock.hcl",
  "MODULE.bazel.lock",
  "cabal.project.freeze",
  ".pnp.cjs",
  ".pnp.loader.mjs",
]);

/** What a package manager wrote: never the main content. */
const INSTALLED_FOLDER =
  /(^|\/)(node_modules|bower_components|jspm_packages|site-packages|__pypackages__|\.yarn|\.venv|virtualenv|Pods|Carthage)\//;
const VENDORED_FOLDER = /(^|\/)(vendor|vendored|_vendor|third[-_]?party|extern|externals)\//i;
const BUILT_FOLDER = /(^|\/)(dist|deno_dist)\/|^deno\/lib\//;
const MINIFIED_NAME = /[.-]min\.[a-z]+$/i;
const GENERATED_NAME =
  /(_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h|swift|dart)|\.pb\.gw\.go|_pb\.(js|ts|d\.ts|rb)|\.(g|freezed|gr|mocks)\.dart|\.designer\.(cs|vb)|\.g\.(i\.)?cs|_generated\.(go|rs|h|hpp)|zz_generated\..*\.go|\.generated\.[a-z]+|\.bundle\.[cm]?js|\.(js|css|mjs|cjs|d\.ts|ts)\.map)$/i;
const BINARY_EXTENSION =
  /\.(png|jpe?g|gif|bmp|ico|icns|webp|avif|tiff?|psd|pxm|eps|heic|mp[34g]|m4[av]|wav|ogg|flac|webm|mov|avi|mkv|woff2?|ttf|otf|eot|pdf|docx?|xlsx?|pptx?|odt|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|class|whl|egg|py[co]|so|dylib|dll|exe|o|a|lib|wasm|bin|db|sqlite3?|parquet|feather|h5|hdf5|npy|npz|pkl|pickle|onnx|swf|dex|apk|ipa|deb|rpm|dmg|iso|lockb)$/i;
