/**
 * Anchors of the stack frames in the repository, the deepest first.
 *
 * Python prints the deepest frame last, others print it first. A frame of a library or of the user's own script matches no
 * path and does not count.
 */
import type { SymbolQueries, SymbolRow } from "../../db/curated/knowledge-base.ts";
import type { StackFrame, TaskQuery } from "../../task/query.ts";
import type { Anchor } from "../model/anchor.ts";
import { formerFile } from "./former-files.ts";
import { isPlaced, type PathIndex } from "./path-index.ts";

/** A frame whose path matches more files is ignored. */
const FRAME_FILES_MAX = 3;

/** One anchor for each frame; the k-th frame in the repository has the value 1 / (1 + k). */
export function frameAnchors(
  { frames, given }: Pick<TaskQuery, "frames"> & { readonly given?: Pick<TaskQuery["given"], "former"> },
  kb: Pick<SymbolQueries, "symbolsIn">,
  paths: PathIndex,
): readonly Anchor[] {
  const placed = inDepthOrder(frames).flatMap((frame) => {
    const match = paths.endingLike(frame.path);
    const before = formerFile(frame.path, given, paths);
    const files = before?.files ?? match.files;
    const isOwn =
      files.length > 0 && files.length <= FRAME_FILES_MAX && (before !== null || isPlaced(frame.path, match));
    return isOwn ? [{ frame, files, former: before?.former }] : [];
  });
  if (placed.length === 0) return [];
  const symbols = Map.groupBy(kb.symbolsIn([...new Set(placed.flatMap(({ files }) => files))]), ({ fileId }) => fileId);
  return placed.map(({ frame, files, former }, depth) => {
    const found = files.flatMap((file) => symbolAt(symbols.get(file) ?? [], frame));
    return {
      kind: "trace",
      text: `${frame.path}:${frame.line}`,
      section: "trace",
      codeLike: true,
      files,
      symbols: found.map(({ id }) => id),
      value: 1 / (1 + depth),
      // The lines of a file that was renamed have moved.
      ...(former !== undefined ? { former } : files.length === 1 ? tracedIn(found[0], frame.line, depth) : {}),
    };
  });
}

/** A line outside the function that the frame names is that of another version. */
const tracedIn = (symbol: SymbolRow | undefined, line: number, depth: number): Pick<Anchor, "traced"> =>
  symbol === undefined || holds(symbol, line) ? { traced: { line, depth, symbolId: symbol?.id ?? null } } : {};

function inDepthOrder(frames: readonly StackFrame[]): readonly StackFrame[] {
  const distinct = [...new Map(frames.map((frame) => [JSON.stringify(frame), frame])).values()];
  const python = distinct.filter(({ language }) => language === "python").reverse();
  return [...python, ...distinct.filter(({ language }) => language !== "python")];
}

/** The innermost symbol at this line (1-based) of each file that has one. A comment belongs to the symbol below it. */
export const symbolsAt = (
  kb: Pick<SymbolQueries, "symbolsIn">,
  files: readonly number[],
  line: number,
): readonly number[] => {
  const symbols = Map.groupBy(kb.symbolsIn(files), ({ fileId }) => fileId);
  return files.flatMap((file) => symbols.get(file)?.findLast((symbol) => holds(symbol, line))?.id ?? []);
};

/** The frame's function: by name, and if several have that name, by line; by line if none has it, as one that a compiler made. */
function symbolAt(symbols: readonly SymbolRow[], { function: called, line }: StackFrame): readonly SymbolRow[] {
  const name = called?.split(/\.|::|#/).at(-1);
  const named = symbols.filter((row) => row.name === name);
  const candidates = named.length > 0 ? named : symbols.filter((symbol) => holds(symbol, line));
  // Members come after their container, so the last one is the innermost.
  const found = candidates.findLast((symbol) => holds(symbol, line)) ?? candidates.at(-1);
  return found === undefined ? [] : [found];
}

const holds = ({ startLine, docLine, endLine }: SymbolRow, line: number): boolean =>
  Math.min(startLine, docLine) <= line && line <= endLine;
