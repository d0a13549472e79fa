/**
 * Reads the path of a Ruby `require` that starts from the file's own folder: `File.expand_path("../a", __FILE__)`,
 * `File.join(File.dirname(__FILE__), "..", "a")`, `"#{__dir__}/a"`.
 */
import type { ImportClause } from "../syntax.ts";

const WHOLE_PATH = /\bFile\.(?:expand_path|realpath)\(\s*__FILE__\s*\)/g;
const FILES_FOLDER = /\bFile\.dirname\(\s*__FILE__\s*\)/g;
const WHOLE_FOLDER = /\bFile\.(?:expand_path|realpath)\(\s*__dir__\s*\)/g;
const EMBEDDED = /"#\{\s*(__dir__|__FILE__)\s*\}/g;
const PART = /"([^"#]*)"|'([^']*)'|__dir__|__FILE__/g;
/** All that may be between the parts. */
const BETWEEN = /^(?:File\.(?:expand_path|join)|[\s,+()])*$/;

/** The import of a statement, its path relative to the file's folder; empty if the path cannot be read. */
export function readRequiredPath(statement: string): readonly ImportClause[] {
  const written = statement
    .replace(/^\w+/, "")
    .replace(WHOLE_PATH, "__FILE__")
    .replace(FILES_FOLDER, "__dir__")
    .replace(WHOLE_FOLDER, "__dir__")
    .replace(EMBEDDED, '$1, "');
  if (!BETWEEN.test(written.replace(PART, ""))) return [];
  const parts = [...written.matchAll(PART)];
  const starts = parts.flatMap(([part]) => (part === "__dir__" || part === "__FILE__" ? part : []));
  if (starts.length !== 1) return [];
  const path = parts.flatMap(([, double, single]) => (double ?? single ?? "").replace(/^\/+/, "") || []).join("/");
  // As a folder, the file itself is one level below its own.
  const specifier = starts[0] === "__FILE__" ? (/^\.\.\/(.+)/.exec(path)?.[1] ?? "") : path;
  return specifier === "" ? [] : [{ specifier, names: [], star: false }];
}
