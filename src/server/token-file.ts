/**
 * Reads grants as text: a line each, the SHA-256 of the token, a name for the log, and the repositories it may read.
 *
 * `3f…9c ada api,web`; empty lines and lines that begin with `#` are left out. `;` ends a line too, for a variable.
 */
import { z } from "zod";
import { Failed } from "../failure.ts";
import type { Grant } from "./access.ts";

const GRANTS_MAX = 100_000;
const Line = z.tuple([
  z.string().regex(/^[0-9a-f]{64}$/),
  z.string().regex(/^[\w.@+-]{1,100}$/),
  z.string().regex(/^[^,\s]{1,500}(?:,[^,\s]{1,500})*$/),
]);

/** `where` is the file or variable. Throws a config failure that names the line, and nothing of its text. */
export function readGrants(text: string, where: string): readonly Grant[] {
  const lines = text.split(/\r?\n|;/);
  if (lines.length > GRANTS_MAX)
    throw new Failed({ code: "config", where, message: `it has more than ${GRANTS_MAX} lines` });
  return lines.flatMap((line, at) => {
    const plain = line.trim();
    if (plain === "" || plain.startsWith("#")) return [];
    const read = Line.safeParse(plain.split(/\s+/));
    if (read.success) {
      const [tokenHash, name, repositories] = read.data;
      return [{ tokenHash, name, repositories: repositories.split(",") }];
    }
    throw new Failed({
      code: "config",
      where: `${where}, line ${at + 1}`,
      message: "it is no grant",
      next: 'write the SHA-256 of the token, a name, and repositories with commas between: printf %s "$TOKEN" | sha256sum',
    });
  });
}
