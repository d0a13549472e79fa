/**
 * Places in the repository as requests name them: paths from the root, and `path:name` for what is in a file.
 */
import { posix } from "node:path";

/** The two parts of `path:name`; both are empty where that is not one. Names may hold colons. */
export function symbolParts(text: string): { readonly path: string; readonly name: string } {
  const cut = text.indexOf(":");
  return cut < 0 ? { path: "", name: "" } : { path: text.slice(0, cut), name: text.slice(cut + 1).trim() };
}

/** The one form of a path from the root, whatever its slashes; null when it leads out of the root or names nothing. */
export function repositoryPath(typed: string): string | null {
  const slashed = typed.replaceAll("\\", "/");
  if (slashed.startsWith("/") || /^[A-Za-z]:\//.test(slashed)) return null;
  const path = posix.normalize(slashed).replace(/\/$/, "");
  return path === "." || path === "" || path === ".." || path.startsWith("../") ? null : path;
}
