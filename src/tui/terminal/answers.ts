/**
 * Takes what a terminal says about itself (its colours, its version) out of the keys.
 *
 * Such answers are strings with an end: `ESC ] 11 ; … BEL`, `ESC P … ESC \`. Nobody here asks for one, but a program before
 * may have, and its answer arrives late. Ink reads their text as keys. Answers without an end, such as `ESC [ … c`, it drops itself.
 */

const STRING_END = String.raw`(?:${"\x07"}|${"\x1b"}\\)`;
/** Operating system commands with a number, device control strings, and application commands. */
const BEGIN = String.raw`${"\x1b"}(?:\]\d{1,4};|P[\d>!|+$;]|_G)`;
/** No answer is longer. It holds no control character, so that a key ends one that never ends. */
const CONTROLS = "\u0000-\u001f";
const BODY = `[^${CONTROLS}]{0,4096}`;
const ANSWER = new RegExp(`${BEGIN}${BODY}${STRING_END}`, "g");
/** The start of an answer at the end of a text. An escape alone is a key. */
const BEGUN = new RegExp(`(?:${BEGIN}${BODY}${"\x1b"}?|${"\x1b"}(?:\\]\\d{0,4}|[P_]))$`);

/** A filter of what one terminal sends: an answer that is cut by the end of a chunk is kept for the next. */
export function answerFilter(): (chunk: string) => string {
  let begun = "";
  return (chunk) => {
    const text = (begun + chunk).replace(ANSWER, "");
    const cut = BEGUN.exec(text)?.index ?? text.length;
    begun = text.slice(cut);
    return text.slice(0, cut);
  };
}
