/**
 * All layers of one run's settings, read and merged. The weakest parts come last: flags, variables, the
 * repository's file, the user's file, defaults. Not here: what keys mean and which layer wins.
 */

import { readConfigFile, repositoryConfigPath, userConfigPath } from "./read-files.ts";
import { type Config, environmentLayer, type Layer, mergeLayers } from "./settings.ts";

type ConfigSources = {
  /** What was typed, strongest first. */
  readonly flags: readonly Layer[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The repository's root, or null outside of one. */
  readonly root: string | null;
};

/** Throws a config failure that names the file, variable or flag. */
export function loadConfig({ flags, variables, root }: ConfigSources): Config {
  const user = userConfigPath(variables);
  const files = [
    root === null ? null : readConfigFile("repository", repositoryConfigPath(root)),
    user === null ? null : readConfigFile("user", user),
  ];
  return mergeLayers([...flags, environmentLayer(variables), ...files.filter((layer) => layer !== null)]);
}
