/**
 * The words of a failure by which documentation and source are ranked.
 *
 * A keyword is a word of the error message or the root cause, or else of the trace's error, of more than four characters, in small letters, as white
 * space divides them; signs around it are no part of it, so that "config.yaml," finds config.yaml.
 */
import { failureInLog } from "./failure-log.ts";
import type { HandoffBundle } from "./handoff-bundle.ts";

/** Longer words are wanted only. */
const SHORT_CHARS = 4;
/** A message of any length gives its first words: each one is looked for in every document. */
const KEYWORDS_MAX = 64;
/** Nobody writes a word twice that is longer. */
const KEYWORD_CHARS_MAX = 200;

/** What stands before or after a word and is none of it. */
const SIGNS_AROUND = /^[^\p{L}\p{N}_]+|[^\p{L}\p{N}_]+$/gu;

/** The keywords in the order in which they are said, each once. */
export function keywordsOf(handoff: HandoffBundle): readonly string[] {
  const keywords = new Set<string>();
  for (const text of textsOf(handoff))
    for (const word of text.toLowerCase().split(/\s+/)) {
      const keyword = word.replace(SIGNS_AROUND, "");
      if ([...keyword].length > SHORT_CHARS && keyword.length <= KEYWORD_CHARS_MAX) keywords.add(keyword);
      if (keywords.size === KEYWORDS_MAX) return [...keywords];
    }
  return [...keywords];
}

/** What was handed on in words; where that is a trace alone, the error that it ends in. */
function textsOf({ error_message, root_cause, stack_trace }: HandoffBundle): readonly string[] {
  const said = [error_message, root_cause].filter((text) => text.trim() !== "");
  return said.length > 0 ? said : [failureInLog(stack_trace)?.error_message ?? ""];
}
