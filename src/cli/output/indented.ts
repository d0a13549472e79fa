/**
 * A text of several lines below its heading, safe for a terminal.
 */
import { displayLines } from "../../text/display.ts";

/** Each line indented by four, with its end. */
export const indented = (text: string): string =>
  displayLines(text)
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n")
    .concat("\n");
