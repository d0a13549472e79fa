/**
 * The configuration that import resolution seeks among all files of a repository. It reads only what is there, so what it has read does not
 * tell the name of a first one.
 */
import { nameOf } from "./repo-path.ts";

const SOUGHT =
  /^(?:Cargo\.toml|composer\.json|go\.mod|go\.work|Package\.swift|pyproject\.toml|setup\.(?:py|cfg)|Gemfile|gems\.rb)$/;
const SOUGHT_BY_ENDING = /\.(?:csproj|shproj|gemspec)$/i;

export const isSoughtConfig = (path: string): boolean => SOUGHT.test(nameOf(path)) || SOUGHT_BY_ENDING.test(path);
