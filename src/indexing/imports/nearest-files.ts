/**
 * Which of several files of one repository an importer means: those of its own project, else of the nearest one, and
 * sources before tests.
 */
import { isTestPath } from "../../languages/file-role.ts";
import { foldersUp, isWithin } from "./repo-path.ts";

/** The files of the one project that is nearest to a file, in their order. `projectOf` gives the folder of a project. */
export function nearestOf(
  from: string,
  files: readonly string[],
  projectOf: (path: string) => string,
): readonly string[] {
  if (files.length < 2) return files;
  const byProject = Map.groupBy(files, projectOf);
  const own = projectOf(from);
  const around = foldersUp(own);
  const distance = (project: string): number =>
    project === own ? -1 : around.findIndex((folder) => isWithin(project, folder));
  const [nearest = own] = [...byProject.keys()].sort((a, b) => distance(a) - distance(b) || (a < b ? -1 : 1));
  return byProject.get(nearest) ?? files;
}

/** Tests define for themselves, unless nothing else does. */
export function withoutTests(files: readonly string[]): readonly string[] {
  const sources = files.filter((file) => !isTestPath(file));
  return sources.length > 0 ? sources : files;
}
