/**
 * What a Go import path lets expect of the package that it leads to. Not here: which folder that is (`indexing`).
 */

/**
 * What the package of an import path most likely calls itself: the last part without a major version, and without
 * what the name of a repository adds (`gopkg.in/yaml.v3`, `go-yaml/v2`, `kafka-go`).
 */
export function goPackageName(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? path;
  const named = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
  return named.replace(/\.v\d+$/, "").replace(/^go-|[-.]go$/g, "");
}
