/**
 * The draft: what the user typed or decided that no finished round holds, saved after every action that changes it.
 *
 * It is read as untrusted data, because another version or a person may have written it.
 */
import { z } from "zod";
import { coverageSchema } from "../../config/keys.ts";
import { Change, FILE_MARKS, SYMBOL_MARKS } from "./decisions.ts";
import { applyFilter } from "./lists/file-list.ts";
import { currentFile, isShipped, type ReviewState } from "./review-state.ts";
import type { State } from "./state.ts";
import { FIELD_CHARS_MAX, type Field, fieldOf } from "./text-field.ts";

const text = z.string().max(FIELD_CHARS_MAX);
const path = z.string().max(10_000);
const steps = z.array(z.array(Change).readonly()).readonly();

export const TITLE_CHARS_MAX = 200;

/** `taskId` is null for a task that never ran. */
export const Draft = z.strictObject({
  version: z.literal(1),
  taskId: z.string().nullable(),
  /** The finished round that the decisions are about; 0 before the first. */
  round: z.int().nonnegative(),
  screen: z.enum(["entry", "review"]),
  task: text,
  taskCursor: z.int().nonnegative(),
  files: z.array(z.tuple([path, z.enum(FILE_MARKS)])).readonly(),
  symbols: z.array(z.tuple([path, z.enum(SYMBOL_MARKS)])).readonly(),
  undo: steps,
  redo: steps,
  /** Absent in drafts of older versions. */
  coverage: coverageSchema().nullable().default(null),
  /** The file under the cursor. */
  current: path.nullable(),
  filter: text,
  budget: z.int().positive().nullable(),
  notes: text,
  /** The name of the session; absent when it has none, and in drafts of older versions. */
  title: z.string().max(TITLE_CHARS_MAX).optional(),
});
export type Draft = Readonly<z.infer<typeof Draft>>;

/** A stored draft; null when it is not valid. */
export const readDraft = (value: unknown): Draft | null => Draft.safeParse(value).data ?? null;

/** The draft of a state. A task text that differs from the reviewed task is a draft of its own. */
export function draftOf({ screen, entry, review, taskId, task }: State): Draft {
  const inEntry = screen === "entry" || review === null;
  const isOther = inEntry && entry.task.text !== task;
  const drafted = isOther ? null : review;
  return {
    version: 1,
    taskId: isOther ? null : taskId,
    round: drafted?.round?.number ?? 0,
    screen: inEntry ? "entry" : "review",
    task: inEntry ? entry.task.text : task,
    taskCursor: inEntry ? entry.task.cursor : task.length,
    files: [...(drafted?.decisions.files ?? [])],
    symbols: [...(drafted?.decisions.symbols ?? [])],
    undo: drafted?.decisions.undo ?? [],
    redo: drafted?.decisions.redo ?? [],
    coverage: drafted?.decisions.coverage ?? null,
    current: drafted === null ? null : (currentFile(drafted)?.path ?? null),
    filter: drafted?.filter.text ?? "",
    budget: drafted?.decisions.budget ?? null,
    notes: drafted?.notes ?? "",
  };
}

/** The draft of a session that has none. */
export const emptyDraft = (taskId: string, task: string): Draft => ({
  version: 1,
  taskId,
  round: 0,
  screen: "review",
  task,
  taskCursor: 0,
  files: [],
  symbols: [],
  undo: [],
  redo: [],
  coverage: null,
  current: null,
  filter: "",
  budget: null,
  notes: "",
});

/** The parts of a state that make up its draft: equal parts give equal drafts. */
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
  review?.notes,
];

/** Whether a draft asks for anything of the next round. */
export const decidesAnything = ({ files, symbols, coverage, budget }: Draft): boolean =>
  files.length + symbols.length > 0 || coverage !== null || budget !== null;

/** The text and cursor of a draft. */
export function restoredField({ task, taskCursor }: Draft): Field {
  const field = fieldOf(task);
  return { ...field, cursor: Math.min(taskCursor, field.text.length) };
}

/** The review with the draft's decisions, unless they are about an older round, which has already answered them. */
export function restoredReview(review: ReviewState, draft: Draft): ReviewState {
  if (draft.round !== (review.round?.number ?? 0)) return review;
  const restored = {
    ...review,
    decisions: {
      files: new Map(draft.files),
      symbols: new Map(draft.symbols),
      coverage: draft.coverage,
      budget: draft.budget,
      undo: draft.undo,
      redo: draft.redo,
    },
    filter: fieldOf(draft.filter),
    notes: draft.notes,
  };
  const isListed = restored.files.some((file) => file.path === draft.current && isShipped(file));
  return applyFilter(
    { ...restored, shows: { ...restored.shows, leftOut: draft.current !== null && !isListed } },
    draft.current,
  );
}
