/**
 * What of the interface outlives the process: all that a user typed or decided and no finished round holds.
 *
 * Written after every action that changes it, read on resuming. Read as untrusted: another version may have written it,
 * or a hand. Invariants: a draft is plain JSON; `draftOf` and `restored` are inverse on what it holds. Not here: where
 * it is kept (`draft-store.ts`).
 */
import { z } from "zod";
import { Change, FILE_MARKS, SYMBOL_MARKS } from "./decisions.ts";
import { applyFilter } from "./file-list.ts";
import { currentFile, type ReviewState, type State } from "./state.ts";
import { FIELD_CHARS_MAX, type Field, fieldOf } from "./text-field.ts";

const text = z.string().max(FIELD_CHARS_MAX);
const path = z.string().max(10_000);
const steps = z.array(z.array(Change).readonly()).readonly();

/** The draft of one task, or of a task that was never run (`taskId` is null). */
export const Draft = z.strictObject({
  version: z.literal(1),
  taskId: z.string().nullable(),
  /** The last finished round that the decisions are about; 0 before the first. */
  round: z.int().nonnegative(),
  screen: z.enum(["entry", "review"]),
  task: text,
  /** The cursor in it. */
  taskCursor: z.int().nonnegative(),
  files: z.array(z.tuple([path, z.enum(FILE_MARKS)])).readonly(),
  symbols: z.array(z.tuple([path, z.enum(SYMBOL_MARKS)])).readonly(),
  undo: steps,
  redo: steps,
  /** The file under the cursor. */
  current: path.nullable(),
  filter: text,
  budget: z.int().positive().nullable(),
  notes: text,
});
export type Draft = Readonly<z.infer<typeof Draft>>;

/** A draft from storage; null when it is none, of whatever version. */
export const readDraft = (value: unknown): Draft | null => Draft.safeParse(value).data ?? null;

/** What is to be kept of a state. The text of another task than the review's is a draft of its own. */
export function draftOf({ screen, entry, review, taskId, task }: State): Draft {
  const inEntry = screen === "entry" || review === null;
  const isOther = inEntry && entry.task.text !== task;
  const of = isOther ? null : review;
  return {
    version: 1,
    taskId: isOther ? null : taskId,
    round: of?.round?.number ?? 0,
    screen: inEntry ? "entry" : "review",
    task: inEntry ? entry.task.text : task,
    taskCursor: inEntry ? entry.task.cursor : task.length,
    files: [...(of?.decisions.files ?? [])],
    symbols: [...(of?.decisions.symbols ?? [])],
    undo: of?.decisions.undo ?? [],
    redo: of?.decisions.redo ?? [],
    current: of === null ? null : (currentFile(of)?.path ?? null),
    filter: of?.filter.text ?? "",
    budget: of?.budget ?? null,
    notes: of?.notes ?? "",
  };
}

/** What a draft is made of, to see whether it has changed: equal parts, equal drafts. */
export const draftParts = ({ screen, entry, review, taskId, task }: State): readonly unknown[] => [
  screen,
  entry.task,
  task,
  taskId,
  review?.round,
  review?.decisions,
  review?.cursor,
  review?.visible,
  review?.files,
  review?.filter.text,
  review?.budget,
  review?.notes,
];

/** The text and cursor of a draft. */
export function restoredField({ task, taskCursor }: Draft): Field {
  const field = fieldOf(task);
  return { ...field, cursor: Math.min(taskCursor, field.text.length) };
}

/**
 * A review as the draft left it. Decisions about an older round than the review's are left out: a round has answered
 * them.
 */
export function restored(review: ReviewState, draft: Draft): ReviewState {
  if (draft.round !== (review.round?.number ?? 0)) return review;
  const decided = {
    ...review,
    decisions: {
      files: new Map(draft.files),
      symbols: new Map(draft.symbols),
      undo: draft.undo,
      redo: draft.redo,
    },
    filter: fieldOf(draft.filter),
    budget: draft.budget,
    notes: draft.notes,
  };
  return applyFilter(decided, draft.current);
}
