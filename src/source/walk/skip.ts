/**
 * Decides which files are not worth indexing, and why.
 *
 * `skipByPath` needs only path and size, so that a file with secrets is never opened; `skipByText` judges the text. The first reason
 * counts, and skipped files are counted and named. Vendored and build folders are recognized by name (`vendor/`, `dist/`), unless most of
 * the code is in such folders (`vendoredIsMain`).
 */
import { isCode, isProse, languageOf } from "../../languages/languages.ts";
import { languageIn } from "../../languages/script-language.ts";
import { lineCount } from "../../text/lines.ts";
import { nameOf } from "../../text/repo-path.ts";
import { isSavedPackage } from "./saved-package.ts";
import { isSecretPath } from "./secret-paths.ts";

type SkipReason =
  | "secret"
  | "package"
  | "lock"
  | "vendored"
  | "generated"
  | "minified"
  | "lfs-pointer"
  | "binary"
  | "too-large";

/** `bytesMax` is the largest indexed file; `vendoredIsMain` keeps vendored and build folders. */
export type SkipLimits = { readonly bytesMax: number; readonly vendoredIsMain: boolean };

/** The default size of the largest indexed file. */
export const FILE_BYTES_MAX = 1024 * 1024;

/** A longer mean line length means a generated file. Linguist uses 110 for JS and CSS; this errs on keeping. */
const LINE_CHARS_MEAN_MAX = 500;

/** Shorter data is kept even on one line: a small JSON file is configuration. */
const ONE_LINE_CHARS_MAX = 5_000;

/** The part of a file in which a header may say that it is generated. */
const HEADER_LINES = 20;
const HEADER_CHARS = 2_000;

/** The reason to skip a file by its path and size; null when it should be read. */
export function skipByPath(
  path: string,
  sizeBytes: number,
  { bytesMax, vendoredIsMain }: SkipLimits,
): SkipReason | null {
  const name = nameOf(path);
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

/** The reason to skip a file by its text; null when it should be indexed. */
export function skipByText(path: string, text: string): SkipReason | null {
  if (isSavedPackage(text)) return "package";
  return skipByShape(path, { head: text.slice(0, HEADER_CHARS), chars: text.length, lines: lineCount(text) });
}

/** The same for the bytes of an ASCII text that is no saved package. `lines` is their `lineCount`. */
export const skipByAscii = (path: string, bytes: Buffer, lines: number): SkipReason | null =>
  skipByShape(path, { head: bytes.toString("latin1", 0, HEADER_CHARS), chars: bytes.length, lines });

type TextShape = { readonly head: string; readonly chars: number; readonly lines: number };

function skipByShape(path: string, shape: TextShape): SkipReason | null {
  if (shape.chars <= HEADER_CHARS && LFS_POINTER.test(shape.head)) return "lfs-pointer";
  if (isMinified(languageIn(path, shape.head), shape)) return "minified";
  return isGenerated(shape.head) ? "generated" : null;
}

/** Whether more code files are inside vendored and build folders than outside. */
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

function isMinified(language: string, { chars, lines }: TextShape): boolean {
  const mean = chars / Math.max(1, lines);
  if (isProse(language)) return mean > ONE_LINE_CHARS_MAX;
  return mean > LINE_CHARS_MEAN_MAX && (isCode(language) || chars > ONE_LINE_CHARS_MAX);
}

function isGenerated(head: string): boolean {
  if (!MARKER_PART.test(head)) return false;
  const header = leadingComments(head.split("\n", HEADER_LINES));
  return GENERATED_MARKER.test(header) || (GENERATED_WORD.test(header) && HANDS_OFF_WORD.test(header));
}

/** The comments before the first line of code. Further down, the marker may be in a generator's own code. */
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
/** What every marker has. Most texts have none of it, so their lines need not be looked at. */
const MARKER_PART = /generated|DO NOT (?:EDIT|MODIFY)/i;
/**
 * What Git LFS leaves in the place of a file that is not downloaded (its specification, "The Pointer"): nothing but keys with values. The
 * content that the file's name tells of is elsewhere.
 */
const LFS_POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n(?:ext-\d-\S+ \S+\r?\n)*oid sha256:[0-9a-f]{64}\r?\nsize \d+\s*$/;
/** Standard markers: Go's (go.dev/s/generatedcode), `@generated` of Buck, Relay and Rust tools, and upper-case warnings. */
const GENERATED_MARKER = /\bCode generated\b.*\bDO NOT EDIT\b|(^|[\s*#/])@generated\b|\bDO NOT (EDIT|MODIFY)\b/m;
const GENERATED_WORD =
  /\bauto-?(matically )?[- ]?generated\b|\bgenerated (by|from|with|using|code|file)\b|\b(is|was) generated\b|\bgenerated: \d{4}-/i;
const HANDS_OFF_WORD =
  /\b(do|should)(n't| not) (edit|modify|change|touch)\b|\bchanges .*\b(will be|are) (lost|overwritten)\b/i;

/** The default name of a saved package, which repeats indexed code. Under another name it is known by its text. */
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

/** Folders written by package managers, never the main content. */
const INSTALLED_FOLDER =
  /(^|\/)(node_modules|bower_components|jspm_packages|site-packages|__pypackages__|\.yarn|\.venv|virtualenv|Pods|Carthage)\//;
const VENDORED_FOLDER = /(^|\/)(vendor|vendored|_vendor|third[-_]?party|extern|externals)\//i;
/** Also the folders of C++ libraries for a copy of all headers in one file. */
const BUILT_FOLDER = /(^|\/)(dist|deno_dist|single_include|single[-_]?headers?)\/|^deno\/lib\//;
const MINIFIED_NAME = /[.-]min\.[a-z]+$/i;
const GENERATED_NAME =
  /(_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h|swift|dart)|\.pb\.gw\.go|_pb\.(js|ts|d\.ts|rb)|\.(g|freezed|gr|mocks)\.dart|\.designer\.(cs|vb)|\.g\.(i\.)?cs|_generated\.(go|rs|h|hpp)|zz_generated\..*\.go|\.generated\.[a-z]+|\.bundle\.[cm]?js|\.(js|css|mjs|cjs|d\.ts|ts)\.map)$/i;
const BINARY_EXTENSION =
  /\.(png|jpe?g|gif|bmp|ico|icns|webp|avif|tiff?|psd|pxm|eps|heic|mp[34g]|m4[av]|wav|ogg|flac|webm|mov|avi|mkv|woff2?|ttf|otf|eot|pdf|docx?|xlsx?|pptx?|odt|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|class|whl|egg|py[co]|so|dylib|dll|exe|o|a|lib|wasm|bin|db|sqlite3?|parquet|feather|h5|hdf5|npy|npz|pkl|pickle|onnx|swf|dex|apk|ipa|deb|rpm|dmg|iso|lockb)$/i;
