/**
 * Configuration files that import resolution looks for in every folder of a repository.
 *
 * The index records the names of the configuration files that resolution has read. The first `go.mod` of a repository is not among
 * them, although it changes what imports mean, so its name has to be known here.
 */
import { nameOf } from "../../text/repo-path.ts";

const SOUGHT =
  /^(?:build\.zig|Cargo\.toml|composer\.json|foundry\.toml|go\.mod|go\.work|Package\.swift|pubspec\.yaml|pyproject\.toml|setup\.(?:py|cfg)|Gemfile|gems\.rb|remappings\.txt)$/;
const SOUGHT_BY_ENDING = /\.(?:csproj|shproj|gemspec)$/i;

export const isSoughtConfig = (path: string): boolean => SOUGHT.test(nameOf(path)) || SOUGHT_BY_ENDING.test(path);
