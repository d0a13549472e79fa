/**
 * Bash and Bats: `source`, `.` and `load` name a file, often below a folder that only the running script knows (`$ROOT/lib/a.sh`). So does
 * a command that runs a script by its path.
 *
 * Such a folder, and that in which a script runs, is taken for the nearest folder around the script that has the file.
 */
import { folderOf, foldersUp, joinPath } from "../../text/repo-path.ts";
import { type Family, type RepoPaths, type Resolver, type SourceFile, UNBOUND } from "./model.ts";

export const SHELL: Family = {
  open: shellResolver,
  opensWithoutFacts: true,
  scoping: { selfNames: [], superNames: [], implicitSelf: false, exportsAll: true },
};

function shellResolver(_: readonly SourceFile[], paths: RepoPaths): Resolver {
  const find = (from: string, specifier: string): string | null => {
    const inside = pathInside(specifier);
    if (inside === null) return null;
    for (const folder of foldersUp(folderOf(from))) {
      const path = joinPath(folder, inside);
      if (path === null) continue;
      // Bats adds the extension.
      const file = [path, `${path}.bash`].find((each) => paths.has(each));
      if (file !== undefined) return file;
    }
    return null;
  };
  return {
    resolve: (from, { specifier, kind }) => {
      const target = find(from, specifier);
      if (target === null) return { targets: [], bindings: [] };
      // What is read in gives all that it defines; what is run gives nothing.
      return {
        targets: [target],
        bindings: kind === "dynamic" ? [] : [{ ...UNBOUND, module: target, star: true }],
      };
    },
    groupOf: () => null,
  };
}

/** The part of a path behind its last expansion (`$`); null if it is not a path in the repository. */
function pathInside(specifier: string): string | null {
  const end = specifier.lastIndexOf("$");
  if (end < 0) return /^[/~]/.test(specifier) ? null : specifier;
  const rest = specifier.slice(end + 1);
  return rest.startsWith("/") ? rest.slice(1) : null;
}
