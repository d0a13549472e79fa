/**
 * What is to change in which file, for some agents.
 *
 * Agents share files: a file is planned once, with all of its pieces. A file that cannot be changed safely says why, and does not keep
 * the others from changing.
 */
import { Failed } from "../failure.ts";
import type { Agent, AgentFile, Situation } from "./agents/agent.ts";
import { isCleanCut } from "./clean-cut.ts";
import { addPiece, type Piece, removePiece } from "./pieces.ts";

/** What was found in a file. "other": something else is where cra's part belongs. "refused": it cannot be changed safely. */
type State = "added" | "present" | "other" | "refused";

export type FilePlan = {
  readonly path: string;
  readonly whats: readonly AgentFile["what"][];
  readonly agents: readonly string[];
  readonly state: State;
  readonly why: string | null;
  /** Null: there is no file. */
  readonly before: string | null;
  readonly after: string;
  readonly inserted: readonly string[];
  readonly pieces: readonly Piece[];
};

/** What is known of a file before it is planned. Throws an `io` failure for what must not be read or written. */
export type Reader = (path: string) => { readonly realPath: string; readonly text: string | null };

/** The files that belong to the agents, each with all of its pieces. */
export function planned(agents: readonly Agent[], situation: Situation, reader: Reader): readonly FilePlan[] {
  const files = new Map<
    string,
    { path: string; whats: Set<AgentFile["what"]>; agents: Set<string>; pieces: Piece[] }
  >();
  for (const agent of agents)
    for (const { path, what, pieces } of agent.files(situation)) {
      const file = files.getOrInsertComputed(realPathOf(path, reader), () => ({
        path,
        whats: new Set(),
        agents: new Set(),
        pieces: [],
      }));
      file.whats.add(what);
      file.agents.add(agent.id);
      const known = new Set(file.pieces.map(identity));
      file.pieces.push(...pieces.filter((piece) => !known.has(identity(piece))));
    }
  return [...files.values()].map(({ path, whats, agents: ids, pieces }) => ({
    ...planOf(path, pieces, reader),
    whats: [...whats],
    agents: [...ids],
  }));
}

/** Two pieces of one place are the same piece. */
const identity = (piece: Piece): string =>
  JSON.stringify(piece.kind === "json" ? [piece.kind, piece.place.path] : [piece.kind, "path" in piece && piece.path]);

function realPathOf(path: string, reader: Reader): string {
  try {
    return reader(path).realPath;
  } catch (error) {
    if (error instanceof Failed) return path;
    throw error;
  }
}

function planOf(path: string, pieces: readonly Piece[], reader: Reader): Omit<FilePlan, "whats" | "agents"> {
  let before: string | null = null;
  const result = (state: State, after: string, inserted: readonly string[], why: string | null = null) => ({
    ...{ path, pieces, before, after, inserted, state, why },
  });
  try {
    before = reader(path).text;
    let text = before ?? "";
    const inserted: string[] = [];
    let isOther = false;
    for (const piece of pieces) {
      const edit = addPiece(text, piece);
      if (edit.kind === "changed") {
        text = edit.text;
        inserted.push(...edit.inserted);
      } else if (edit.kind === "other") isOther = true;
    }
    return result(inserted.length > 0 ? "added" : isOther ? "other" : "present", text, inserted);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { failure } = error;
    return result("refused", before ?? "", [], failure.code === "io" ? failure.message : error.message);
  }
}

/** What is remembered of a file that was changed. `before` null: there was none. `isCurrent`: it is still as it was left. */
export type Change = {
  readonly before: string | null;
  readonly inserted: readonly string[];
  readonly isCurrent: boolean;
};

/**
 * The text of a file without what was added; null for no file, and the same text if nothing of it is there.
 *
 * Without changes since, it is the text before. Otherwise what was inserted is cut out where it is, and at last the pieces are taken
 * out of what the file has become. Something else that was in the place of a piece stays, as it did when cra was set up.
 */
export function undone(text: string, change: Change | null, pieces: readonly Piece[]): string | null {
  if (change?.isCurrent === true) return change.before;
  const cut = change === null ? null : withoutInserted(text, change.inserted, pieces);
  if (cut !== null) return cut;
  let rest: string | null = text;
  const first = (change === null ? text : change.before) ?? "";
  for (const piece of pieces)
    if (rest !== null && addPiece(first, piece).kind !== "other") rest = removePiece(rest, piece);
  return rest;
}

/** The text without each of the texts that were inserted into it; null if one of them is not there exactly once, or others added to it. */
export function withoutInserted(text: string, inserted: readonly string[], pieces: readonly Piece[]): string | null {
  let rest = text;
  for (const part of inserted.toReversed()) {
    const at = rest.indexOf(part);
    if (at === -1 || rest.indexOf(part, at + 1) !== -1) return null;
    const [before, after] = [rest.slice(0, at), rest.slice(at + part.length)];
    rest = before + (isLastLine(before, after) ? (/^\r?\n/.exec(part)?.[0] ?? "") : "") + after;
  }
  return isCleanCut(text, rest, pieces) ? rest : null;
}

/** Whether a line without a line end got one from what was inserted behind it, and needs it now for what follows. JSON is opened before it. */
const isLastLine = (before: string, after: string): boolean => /[^\n{[]$/.test(before) && /^[^\r\n]/.test(after);
