/** What a model is asked to say of a file, and the check for an answer that only repeats the question. */

/** The fields of an answer, with what each is to say. The schema and the prompt both say it. */
export const FIELD_WORDS = {
  purpose: "one sentence, what it is for",
  module: "the part of the program that it belongs to, one or two words",
  domain: "the subject that it deals with, one or two words",
  concepts:
    "up to 12 words that somebody would use who reports a bug in it or asks for a change of it, each of one or two words, in lower case",
  public_api_surface: "up to 20 names that other files use of it",
  complexity_notes: "what is hard or risky in it, one sentence; empty when nothing is",
} as const;

/** What schemas and examples show in place of a value. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "string",
  "array",
  "text",
  "value",
  "example",
  ...Object.keys(FIELD_WORDS),
]);

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, " ")
    .trim();

const ASKED: readonly string[] = Object.values(FIELD_WORDS).map((words) => ` ${plain(words)} `);

/** Small models answer "one sentence" where they are asked for one: whether a text is a part of the question. */
export function isEcho(text: string): boolean {
  const said = plain(text);
  return PLACEHOLDERS.has(said) || (said !== "" && ASKED.some((words) => words.includes(` ${said} `)));
}
