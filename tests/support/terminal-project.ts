/**
 * A real project to review in a terminal: the sources of the pinned Ink package as a git repository, large enough that
 * lists scroll and budgets bind.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TempRepo, tempRepo } from "./repo.ts";

const INK = join(import.meta.dir, "../../node_modules/ink");

/** A task that a user of Ink could have. */
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
