/**
 * The projects of C#: each folder with a project file, and everything under it that is in no deeper one.
 *
 * A project file can name namespaces that all files of the project use (`<Using Include="A.B" />`).
 */
import type { ImportFact } from "../../../syntax/facts/facts.ts";
import type { ReadConfig } from "../model.ts";
import { folderOf, foldersUp } from "../repo-path.ts";

export type Projects = {
  /** The folder of a file's project; "" for a file in none. */
  folderOf(path: string): string;
  /** The usings in the file of a project. */
  usings(project: string): readonly ImportFact[];
};

const PROJECT_FILE = /\.(?:csproj|shproj)$/i;

/** How much of a project file is read, in characters. */
const PROJECT_MAX = 200_000;

export function projectsOf(paths: ReadonlySet<string>, readConfig: ReadConfig): Projects {
  const files = Map.groupBy([...paths].filter((path) => PROJECT_FILE.test(path)).sort(), folderOf);
  const kept = new Map<string, readonly ImportFact[]>();
  return {
    folderOf: (path) => foldersUp(folderOf(path)).find((folder) => files.has(folder)) ?? "",
    usings: (project) => {
      const known = kept.get(project);
      if (known !== undefined) return known;
      const found = (files.get(project) ?? []).flatMap((file) => usingsIn(readConfig(file) ?? ""));
      kept.set(project, found);
      return found;
    },
  };
}

const usingsIn = (text: string): readonly ImportFact[] =>
  [...text.slice(0, PROJECT_MAX).matchAll(/<Using\s+Include="([\w.]{1,200})"([^<>]{0,200})>/g)].flatMap(
    ([, specifier = "", rest = ""]) =>
      /\bAlias=/.test(rest) ? [] : [{ specifier, line: 1, kind: "import" as const, names: [], star: true }],
  );
