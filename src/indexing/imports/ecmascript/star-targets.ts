/**
 * Targets with a star in the configuration of TypeScript and npm (`"@x/*": ["src/*-impl"]`): the text beside the star is part of a file's
 * name, and no import of that file has it.
 */
import { isRecord } from "../../../text/parse-json.ts";
import { nameOf } from "../../../text/repo-path.ts";
import { parseJsonc } from "./jsonc.ts";
import { textsIn } from "./workspaces.ts";

/** Those of a tsconfig.json or package.json; none of another text. */
export function starTargets(text: string): readonly string[] {
  const all = text.includes("*") ? parseJsonc(text) : null;
  if (!isRecord(all)) return [];
  const options = isRecord(all.compilerOptions) ? all.compilerOptions : {};
  return [all.exports, all.imports, options.paths]
    .flatMap((part) => [...textsIn(part)])
    .filter((each) => each.includes("*"));
}

/** An ending that an import leaves out anyway. */
const ENDING = /^(?:\.d)?(?:\.\w+)?$/;

/** Whether a target leads to a file whose name has text beside the star. `withEnding`: an ending alone is such a text, too. */
export function addsToName(target: string, path: string, withEnding: boolean): boolean {
  const [name, last] = [nameOf(path), nameOf(target)];
  const star = last.lastIndexOf("*");
  if (star < 0) return false;
  const [before, after] = [last.slice(0, star), last.slice(star + 1)];
  if (before === "" && (withEnding ? after === "" : ENDING.test(after))) return false;
  const isEnd = name.endsWith(after) || name.replace(/(?:\.d)?\.\w+$/, "").endsWith(after);
  return isEnd && name.startsWith(before);
}
