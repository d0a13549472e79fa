/**
 * A real project to review in a terminal: the sources of Ink as the lock file pins it, as a git repository.
 *
 * Of a size at which lists scroll and budgets bind, and equal on every machine.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TempRepo, tempRepo } from "./repo.ts";

const INK = join(import.meta.dir, "../../node_modules/ink");

/** A task about it, as a user of Ink would put it. */
export const INK_TASK = "Making the terminal narrower leaves rows of the old frame on the screen";

export function inkRepo(): TempRepo {
  const sources = [...new Bun.Glob("**/*.js").scanSync(join(INK, "build"))].sort();
  return tempRepo(
    {
      "readme.md": readFileSync(join(INK, "readme.md")),
      ...Object.fromEntries(
        sources.map((path) => [
          `source/${path}`,
          readFileSync(join(INK, "build", path), "utf8").replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n"),
        ]),
      ),
    },
    { git: true },
  );
}
