/** Comments to the end of a line within an expression, which stand between the calls of a chain. */

/** A text in quotes on one line, which may have slashes, or a comment with the blanks of the next line. */
const QUOTED_OR_REMARK = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`|\/\/[^\n]*(?:\n\s*)?/g;

/** The text with something else in the place of its comments. */
export const replacedRemarks = (text: string, by: (remark: string) => string): string =>
  text.includes("//") ? text.replace(QUOTED_OR_REMARK, (part) => (part.startsWith("/") ? by(part) : part)) : text;
