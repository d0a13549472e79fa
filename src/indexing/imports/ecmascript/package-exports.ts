/**
 * Reads the `exports` and `imports` fields of package.json: from a subpath to all paths that it can resolve to.
 *
 * Follows all conditions, because the sources serve every one of them: `source` first, then conditions that always apply, in
 * the order of the file, then those of some platforms or bundlers, `types` last. Patterns (`./*`), null targets and arrays
 * have the meaning of Node's documentation of packages.
 */
import { isRecord } from "../../../text/parse-json.ts";

const DEPTH_MAX = 10;

/** `import` and `require` of the same subpath may lead to different files. */
export type Way = "import" | "require";

/** Conditions that apply on every platform. */
const COMMON: ReadonlySet<string> = new Set(["node", "development", "default"]);

/**
 * The paths of a key (`.`, `./sub`, `#name`), best first; null if the field does not contain the key, an empty list if it
 * forbids the key.
 */
export function exportTargets(field: unknown, key: string, way: Way): readonly string[] | null {
  const map = asMap(field);
  if (map === null) return key === "." ? leaves(field, way, 0) : null;
  const exact = map.get(key);
  if (exact !== undefined) return leaves(exact, way, 0);

  const patterns = [...map.keys()]
    .filter((pattern) => pattern.includes("*"))
    .sort((a, b) => b.indexOf("*") - a.indexOf("*") || b.length - a.length);
  for (const pattern of patterns) {
    const star = pattern.indexOf("*");
    const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (key.length < pattern.length || !key.startsWith(head) || !key.endsWith(tail)) continue;
    const middle = key.slice(head.length, key.length - tail.length);
    return leaves(map.get(pattern), way, 0).map((target) => target.replaceAll("*", () => middle));
  }
  // The deprecated form of a folder: "./lib/": "./lib/".
  for (const [prefix, target] of map) {
    if (!prefix.endsWith("/") || !key.startsWith(prefix)) continue;
    return leaves(target, way, 0).map((path) => path + key.slice(prefix.length));
  }
  return null;
}

/** The field as a map from subpath to target; null when the field is a target (a string or conditions). */
function asMap(field: unknown): ReadonlyMap<string, unknown> | null {
  if (!isRecord(field)) return null;
  const entries = Object.entries(field);
  return entries.some(([key]) => key.startsWith(".") || key.startsWith("#")) ? new Map(entries) : null;
}

/** Every path below a target, best first. */
function leaves(target: unknown, way: Way, depth: number): readonly string[] {
  if (typeof target === "string") return [target];
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(target)) return target.flatMap((entry) => leaves(entry, way, depth + 1));
  if (!isRecord(target)) return [];
  const rank = (condition: string): number => {
    if (condition.includes("source")) return 0;
    if (condition === way || COMMON.has(condition)) return 1;
    return condition.startsWith("types") ? 3 : 2;
  };
  return Object.entries(target)
    .sort(([a], [b]) => rank(a) - rank(b))
    .flatMap(([, entry]) => leaves(entry, way, depth + 1));
}
