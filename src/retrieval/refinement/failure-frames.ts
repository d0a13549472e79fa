/**
 * Adds the files and symbols of a failure's stack frames to a request for a further round.
 *
 * Only the deepest frames count, and only those that match exactly one file of the repository. Files that the user rejected
 * and symbols that the user left out are not added.
 */
import type { FileQueries, SymbolQueries } from "../../db/curated/knowledge-base.ts";
import type { Notice } from "../../notice.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { splitSections } from "../../task/sections/sections.ts";
import { findFrames } from "../../task/traces/traces.ts";
import { indexPaths, isAbsolute } from "../anchors/path-index.ts";
import { frameAnchors } from "../anchors/stack-frames.ts";
import { asksNothing, type Constraints, joinRequests, type RefinementRequest } from "../requests/refinement.ts";
import { isEntry, repositoryPath } from "../requests/request-names.ts";
import { withinTest } from "../scope/candidates.ts";

/** The package shows missing files and symbols at any budget, so there are few. */
const FILES_MAX = 5;
const SYMBOLS_MAX = 8;

/** Installed packages of Python. What follows is the path of a module, possibly of this repository. */
const INSTALLED = /^.*\/(?:site|dist)-packages\//;
/** Paths of runtimes and dependencies, which are never files of the repository. */
const EXTERNAL =
  /(?:^|\/)(?:node_modules|rustc|\.cargo|pkg\/mod|usr\/lib|local\/go\/src|lib\/python\d[\d.]*)\/|^<|^(?:java|javax|jdk|sun|kotlin|scala)\//;

/**
 * The request with the files and symbols of the frames in `text`, of whose paths `former` tells what history says. `standing` are the constraints of earlier rounds; `only`
 * lists the folders of candidates (everywhere when omitted).
 */
export function withFrames(
  request: RefinementRequest,
  { text, former = [] }: { readonly text: string; readonly former?: readonly NamedFormerly[] },
  kb: FileQueries & SymbolQueries,
  standing: Pick<Constraints, "rejected_files" | "left_out">,
  only?: readonly string[],
): { readonly request: RefinementRequest; readonly notices: readonly Notice[] } {
  const frames = findFrames(splitSections(text).sections);
  if (frames.length === 0) return { request, notices: [] };
  const indexed = kb.files();
  const paths = new Map(indexed.map(({ id, path }) => [id, path]));
  const resolved = frameAnchors({ frames, given: { former } }, kb, indexPaths(indexed)).flatMap((anchor) => {
    const { text: frame, files, symbols } = anchor;
    const [file, ...others] = files;
    const path = file === undefined || others.length > 0 ? undefined : paths.get(file);
    if (path === undefined) return [];
    const isOwn = anchor.former !== undefined || isFrameOf(path, frame.slice(0, frame.lastIndexOf(":")));
    return isOwn ? [{ frame, path, symbols }] : [];
  });
  const matched = new Set(resolved.map(({ frame }) => frame));
  const unmatched = [
    ...new Set(frames.filter((frame) => !matched.has(`${frame.path}:${frame.line}`)).map(({ path }) => path)),
  ];
  // Every trace has frames of libraries: they are reported only when no other frame matches.
  const reported = resolved.length === 0 ? unmatched : unmatched.filter((path) => !isLibrary(path));
  const isWithin = withinTest(only);
  const found = missingIn(
    resolved.filter(({ path }) => isWithin(path)),
    kb,
    {
      rejected: new Set([...standing.rejected_files, ...(request.rejected_files ?? [])]),
      leftOut: new Set([...standing.left_out, ...(request.left_out ?? [])]),
    },
  );
  return {
    request: asksNothing(found) ? request : joinRequests(found, request),
    notices: reported.length === 0 ? [] : [{ code: "trace-unplaced", paths: reported }],
  };
}

type ResolvedFrame = { readonly path: string; readonly symbols: readonly number[] };

const isLibrary = (path: string): boolean => INSTALLED.test(path) || EXTERNAL.test(path);

/**
 * Whether the path of a frame certainly means this file. For an absolute path from another machine the file name alone is
 * not enough, since standard libraries have files with common names.
 */
function isFrameOf(path: string, framePath: string): boolean {
  if (INSTALLED.test(framePath)) return `/${path}`.endsWith(`/${framePath.replace(INSTALLED, "")}`);
  if (EXTERNAL.test(framePath)) return false;
  if (!isAbsolute(framePath)) return true;
  return framePath.endsWith(`/${path.split("/").slice(-2).join("/")}`);
}

function missingIn(
  frames: readonly ResolvedFrame[],
  kb: SymbolQueries,
  { rejected, leftOut }: { readonly rejected: ReadonlySet<string>; readonly leftOut: ReadonlySet<string> },
): RefinementRequest {
  const files = new Set<string>();
  const symbols = new Set<string>();
  for (const { path, symbols: definitions } of frames) {
    if (rejected.has(path) || !isEntry(path) || repositoryPath(path) !== path) continue;
    if (files.size < FILES_MAX) files.add(path);
    if (!files.has(path)) continue;
    for (const { qualifiedName } of kb.symbolsById(definitions)) {
      const name = `${path}:${qualifiedName}`;
      if (symbols.size < SYMBOLS_MAX && !leftOut.has(name) && isEntry(name)) symbols.add(name);
    }
  }
  return { missing_files: [...files], missing_symbols: [...symbols] };
}
