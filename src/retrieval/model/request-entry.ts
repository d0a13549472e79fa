/**
 * What one text of a request may be: a name, a path, a line of an error.
 *
 * Pure. Not here: lists of them, and what lists mean (`refinement.ts`).
 */
import { z } from "zod";
import { repositoryPath } from "./named-place.ts";

export const ENTRY_CHARS_MAX = 1_000;

/** The classes are spelled out, since the pattern is published as JSON Schema. */
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const SOMETHING = /\S/;

/** One line with something in it. */
export const entry = z
  .string()
  .min(1)
  .max(ENTRY_CHARS_MAX)
  .regex(ONE_LINE, "holds control characters")
  .regex(SOMETHING, "is blank");

/** Whether a request may accept or reject this file: what reading one says (`readRefinement`), at a fifth of its time. */
export const isRequestPath = (path: string): boolean =>
  path.length <= ENTRY_CHARS_MAX && ONE_LINE.test(path) && SOMETHING.test(path) && repositoryPath(path) !== null;
