/** Paths that no file has, and what became of them: history is read only if there are any. */
import type { FileRow } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import { placeTyped } from "../../retrieval/anchors/typed-names.ts";
import { unplacedPaths } from "../../retrieval/anchors/unplaced-paths.ts";
import { asDefined, symbolParts } from "../../retrieval/requests/request-names.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { splitSections } from "../../task/sections/sections.ts";
import { findFrames } from "../../task/traces/traces.ts";
import { display } from "../../text/display.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** Of these paths, what became of those that no file has; nothing is looked up in several repositories. */
export async function formerPathsAmong(
  workspace: Workspace,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly NamedFormerly[]> {
  const { config, index } = workspace;
  if (config.settings["workspace.repos"].length > 0) return [];
  return await formerPathsNamed(workspace, unplacedAmong(paths, "", index.open().files()), signal);
}

/** Those that no file has of these paths, and of the frames of a trace. */
export const unplacedAmong = (paths: readonly string[], trace: string, files: readonly FileRow[]): readonly string[] =>
  unplacedPaths(
    {
      sections: [],
      frames: trace === "" ? [] : findFrames(splitSections(trace).sections),
      fileHints: [],
      given: { paths, symbols: [], languages: [] },
    },
    files,
  );

/** What became of these paths, which no file has. */
export const formerPathsNamed: typeof import("./path-history.ts")["formerPathsNamed"] = async (
  workspace,
  names,
  signal,
) => (names.length === 0 ? [] : (await import("./path-history.ts")).formerPathsNamed(workspace, names, signal));

/** A text that may begin with a path: a path, `path:name`, or `path:10-20`. */
type TypedPaths = {
  readonly paths: readonly string[];
  /** The same text with the path of today. */
  withPath(former: NamedFormerly, now: string): string;
};

/** The paths that a text may begin with. */
export function pathsTyped(what: string): TypedPaths {
  const place = placeTyped(what);
  const part = symbolParts(asDefined(what));
  const lines = place.from === null ? "" : `:${place.from}${place.to === null ? "" : `-${place.to}`}`;
  return {
    paths: [place.path, part.path].filter((path) => path !== ""),
    withPath: ({ named }, now) => `${now}${named === place.path ? lines : `:${part.name}`}`,
  };
}

/** That a file was called otherwise, or is deleted. */
export const formerNotice = ({ was, commit, now }: NamedFormerly): Notice =>
  now === null
    ? { code: "path-deleted", path: display(was), commit }
    : { code: "path-renamed", path: display(was), now: display(now), commit };
