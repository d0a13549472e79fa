/**
 * The patterns for names, in which `*` stands for any letters: of repositories, and of branches. Every command loads this, and nothing
 * else of a store.
 */

/** What a grant may list: the name of a repository with `*` anywhere. */
export const isGrantPattern = (pattern: string): boolean => /^[A-Za-z0-9_.+*/-]{1,200}$/.test(pattern);

/** Whether a name matches a pattern. From left to right, so that no pattern takes long. */
export function matchesPattern(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
