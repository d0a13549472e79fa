/** Rewrites the tests of Bats, which the grammar of Bash does not know, as functions of the same length. */
import { blank } from "../../text/lines.ts";

/** `@test "adds two" {` or `@test 'adds two' {` */
const TEST =
  /^([ \t]*@test[ \t]+["'])((?<=")(?:[^"\\\n]|\\.){1,300}(?=")|(?<=')[^'\n]{1,300}(?='))["'][ \t](?=[ \t]*\{)/gm;

/** Where the title was is the name of the function: `       ________() {`. */
export function testsAsFunctions(text: string): string {
  if (!text.includes("@test")) return text;
  return text.replace(TEST, (_, start: string, title: string) => `${blank(start)}${"_".repeat(title.length)}()`);
}
