/**
 * What the global options say about the world to build.
 */
import { resolve } from "node:path";
import type { AppRequest } from "../../app/app-types.ts";
import { type ConfigKey, keyFacts } from "../../config/keys.ts";
import { flagLayer, type Layer, type TypedFlag } from "../../config/settings.ts";
import type { Context } from "../syntax/command.ts";

/** `repo` beats `--repo`; `more` are further layers, weaker than the flags. */
export function appRequest(
  { values, environment }: Pick<Context, "values" | "environment">,
  more: readonly Layer[] = [],
  repo?: string,
): AppRequest {
  const named = repo ?? values.text("--repo");
  return {
    environment,
    repo: named === undefined ? null : resolve(environment.cwd, named),
    flags: [flagLayer(fromFolder(environment.cwd, values.flags)), ...more],
  };
}

/** Paths that were typed are relative to the working folder. */
function fromFolder(cwd: string, flags: ReadonlyMap<ConfigKey, TypedFlag>): ReadonlyMap<ConfigKey, TypedFlag> {
  return new Map(
    [...flags].map(([key, { flag, typed }]) => {
      const isPath = keyFacts(key).isPath === true && typeof typed === "string";
      return [key, { flag, typed: isPath ? resolve(cwd, typed) : typed }];
    }),
  );
}
