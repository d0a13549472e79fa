/**
 * The likely name of the package at a Go import path: the last part without a major version, and without common additions
 * to repository names (`gopkg.in/yaml.v3`, `go-yaml/v2`, `kafka-go`).
 */
export function goPackageName(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-1) ?? path;
  const named = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
  return named.replace(/\.v\d+$/, "").replace(/^go-|[-.]go$/g, "");
}
