/**
 * Which symbols are parts of outlines (headings, keys, selectors), as a condition on the file `f` that they are in.
 *
 * They are found by search and by hints; ranking knows definitions only. Not here: which languages have outlines
 * (`text/language.ts`).
 */
import { isOutline, LANGUAGE_NAMES } from "../../languages/languages.ts";

export const OUTLINED = `f.language in (${LANGUAGE_NAMES.filter(isOutline)
  .map((language) => `'${language}'`)
  .join(", ")})`;
