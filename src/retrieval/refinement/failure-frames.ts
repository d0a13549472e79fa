/**
 * Adds the files and symbols of a failure's stack frames to a request for a further round.
 *
 * Only the deepest frames count that lie in exactly one file of the repository. What the user rejected or left out stays so.
 */
import type { KnowledgeBase } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../failure.ts";
import { splitSections } from "../../task/sections.ts";
import { findFrames } from "../../task/traces.ts";
import { indexPaths, isAbsolute } from "../anchors/path-index.ts";
import { frameAnchors } from "../anchors/stack-frames.ts";
import { asksNothing, type Constraints, joinRequests, RefinementRequest } from "../model/refinement.ts";
import { repositoryPath } from "../model/request-names.ts";
import { withinTest } from "../scope/candidates.ts";

/** All that is missed is in the package whatever the budget, so it is little. */
const FILES_MAX = 5;
const SYMBOLS_MAX = 8;

/** Installed packages of Python: what follows is the path of a module, perhaps of this repository's own. */
const INSTALLED = /^.*\/(?:site|dist)-packages\//;
/** Where languages keep what is never a repository's own. */
const OF_RUNTIMES =
  /(?:^|\/)(?:node_modules|rustc|\.cargo|pkg\/mod|usr\/lib|local\/go\/src|lib\/python\d[\d.]*)\/|^<|^(?:java|javax|jdk|sun|kotlin|scala)\//;

/**
 * The request with what the text's frames name; `standing` is what the task has been asked for before, `only` where its
 * candidates lie (everywhere when it is left out).
 */
export function withFrames(
  request: RefinementRequest,
  text: string,
  kb: Pick<KnowledgeBase, "files" | "symbolsIn" | "symbolsById">,
  standing: Pick<Constraints, "rejected_files" | "left_out">,
  only?: readonly string[],
): { readonly request: RefinementRequest; readonly notices: readonly Notice[] } {
  const frames = findFrames(splitSections(text).sections);
  if (frames.length === 0) return { request, notices: [] };
  const indexed = kb.files();
  const paths = new Map(indexed.map(({ id, path }) => [id, path]));
  const placed = frameAnchors({ frames }, kb, indexPaths(indexed)).flatMap(({ text: place, files, symbols }) => {
    const [file, ...others] = files;
    const path = file === undefined || others.length > 0 ? undefined : paths.get(file);
    return path === undefined || !isFrameOf(path, place.slice(0, place.lastIndexOf(":")))
      ? []
      : [{ place, path, symbols }];
  });
  const named = new Set(placed.map(({ place }) => place));
  const strange = [
    ...new Set(frames.filter((frame) => !named.has(`${frame.path}:${frame.line}`)).map(({ path }) => path)),
  ];
  // Frames of libraries are in every trace, and only news where there are no others.
  const unplaced = placed.length === 0 ? strange : strange.filter((path) => !isLibrary(path));
  const isWithin = withinTest(only);
  const found = missedBy(
    placed.filter(({ path }) => isWithin(path)),
    kb,
    {
      rejected: new Set([...standing.rejected_files, ...(request.rejected_files ?? [])]),
      leftOut: new Set([...standing.left_out, ...(request.left_out ?? [])]),
    },
  );
  return {
    request: asksNothing(found) ? request : joinRequests(found, request),
    notices: unplaced.length === 0 ? [] : [{ code: "trace-unplaced", paths: unplaced }],
  };
}

type Placed = { readonly place: string; readonly path: string; readonly symbols: readonly number[] };

const isLibrary = (path: string): boolean => INSTALLED.test(path) || OF_RUNTIMES.test(path);

/**
 * Whether a file is what a frame's path names, so surely that it must be in: a name alone is not enough for a path from
 * the root of some machine, where the standard library has files called like anybody's.
 */
function isFrameOf(path: string, framePath: string): boolean {
  if (INSTALLED.test(framePath)) return `/${path}`.endsWith(`/${framePath.replace(INSTALLED, "")}`);
  if (OF_RUNTIMES.test(framePath)) return false;
  if (!isAbsolute(framePath)) return true;
  return framePath.endsWith(`/${path.split("/").slice(-2).join("/")}`);
}

function missedBy(
  placed: readonly Placed[],
  kb: Pick<KnowledgeBase, "symbolsById">,
  { rejected, leftOut }: { readonly rejected: ReadonlySet<string>; readonly leftOut: ReadonlySet<string> },
): RefinementRequest {
  const files = new Set<string>();
  const symbols = new Set<string>();
  for (const { path, symbols: definitions } of placed) {
    if (rejected.has(path) || !isSaid(path) || repositoryPath(path) !== path) continue;
    if (files.size < FILES_MAX) files.add(path);
    if (!files.has(path)) continue;
    for (const { qualifiedName } of kb.symbolsById(definitions)) {
      const name = `${path}:${qualifiedName}`;
      if (symbols.size < SYMBOLS_MAX && !leftOut.has(name) && isSaid(name)) symbols.add(name);
    }
  }
  return { missing_files: [...files], missing_symbols: [...symbols] };
}

/** Whether a request can say it: a name in the index may be too long, or hold what no line holds. */
const isSaid = (name: string): boolean => RefinementRequest.safeParse({ missing_symbols: [name] }).success;
