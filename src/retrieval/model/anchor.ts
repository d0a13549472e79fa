/** An anchor: a name in the task, with every file and definition that it can mean. */
import type { NamedFormerly, SectionKind } from "../../task/query.ts";

/** A name that can mean more files than this names none of them. */
export const FILES_PER_NAME_MAX = 5;
/** The same for a pattern (`tests/*.py`), which means all of its files. */
const FILES_PER_PATTERN_MAX = 20;

/** Whether the path of a task is a pattern. */
export const isPattern = (path: string): boolean => /[*?{]/.test(path);

/** Whether a name can mean too many files to name any. */
export const namesTooMany = ({ kind, text, files }: Pick<Anchor, "kind" | "text" | "files">): boolean =>
  files.length > (kind === "path" && isPattern(text) ? FILES_PER_PATTERN_MAX : FILES_PER_NAME_MAX);

/**
 * - `hint`: given by the user; listed even when it matches nothing
 * - `accepted`, `missing`, `changed`: from a refinement
 * - `path`: a file path
 * - `module`: `a.b` or `a::b` that is a file
 * - `url`: a forge's link to a file
 * - `trace`: a stack frame
 * - `stem`: a word in inline code that is a file's name without its extension
 * - `definition`: the exact name of a definition
 * - `qualified`: `A.b` with b inside A
 */
export type AnchorKind =
  | "hint"
  | "accepted"
  | "missing"
  | "changed"
  | "path"
  | "module"
  | "url"
  | "trace"
  | "stem"
  | "definition"
  | "qualified";

/**
 * A name keeps all its meanings, so that seeds can require a clear one and scores can share a mention among them.
 * `files` are ids in order of path, `symbols` the ids of the definitions named in them. `value` is the weight of the
 * mention before it is shared among `files`: 1 for a full match, less for a partial one, more for a definition that is
 * named repeatedly.
 */
export type Anchor = {
  readonly kind: AnchorKind;
  readonly text: string;
  readonly section: SectionKind;
  readonly codeLike: boolean;
  readonly files: readonly number[];
  readonly symbols: readonly number[];
  readonly value: number;
  /** Of a frame: the line that it names, if that is certain. */
  readonly traced?: TracedLine;
  /** Of a path that no file has: what its file was. */
  readonly former?: NamedFormerly;
};

/**
 * A line that a stack frame names, and the definition around it; null if there is none. `depth` counts the frames in the
 * repository, from 0 for the deepest.
 */
export type TracedLine = { readonly line: number; readonly depth: number; readonly symbolId: number | null };
