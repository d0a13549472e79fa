/** Finds lines of files that people name in words: "src/a.py, line 12", "line 12 of `src/a.py`", "src/a.py第12行". */
import { SOURCE_ENDINGS } from "./name-tables.ts";

/** Between the first and the last line of a place: `12-20`, `12–20`, `12..20`. */
export const RANGE_SIGN = String.raw`(?:[-–—~]|\.\.)`;

const WORDS = "[Ll]ines?|Zeilen?|[Ll]ignes?|[Ll]íneas?|[Ll]inhas?|[Rr]iga|[Сс]трок[аеиуи]";
const RELATION = "(?:on|at|in|around|near|from|between)";
const TOLD = String.raw`[,:]?\s[([]?(?:${RELATION}\s)?~?(?:(?:${WORDS}):?\s|L)~?(\d{1,9})\b`;
/** What follows a path: ` on line 12` of PHP, `, around lines 3-9`, ` (L12)`, `: line 12:` of shells. The group is the line. */
export const LINE_TOLD = String.raw`["'\x60*]{0,3}${TOLD}`;

const RANGE = String.raw`(?:\s?(?:[-–]|to|and)\s?\d{1,9})?`;
/** What precedes a path: `line 12 of `, `lines 3-9 in the file `. The group is the line. */
export const LINE_BEFORE = String.raw`(?<![\p{L}\p{N}])(?:${WORDS})\s(\d{1,9})${RANGE}\s(?:of|in|von|de|en|du|em|в)\s(?:the\s)?(?:file\s)?`;
const PATH_BEHIND = new RegExp(String.raw`${LINE_BEFORE}([^\s()"'\x60,;<>|=[\]]{1,300}\.\w{1,7})(?![\w\/])`, "giu");
/** Chinese, Japanese and Korean put no blank around a path. */
const UNSPACED_LINE =
  /(?<![\w./\\@~+-])([\w./\\@~+-]{1,300}\.\w{1,7})(?:,|，|、)?\s?[的のは의]?\s?(?:第\s?(\d{1,9})\s?行|(\d{1,9})\s?(?:行目?|번째\s?줄|번\s?줄|줄|라인))/g;

/** Issues that Sentry files: `lib/cart.ex in anonymous fn/1 in Cart.total/2 at line 12`. */
const LINE_OF_FUNCTION =
  /(?<!\S)([^\s()"'`,;<>|=[\]]{1,300}\.\w{1,7}) in (?:\S{1,100} ){0,8}?([^\s/(]{1,200})(?:[/(]\S{0,200})? at line (\d{1,9})/g;

/** A line of a file; `name` is that of the function there, empty if it is not told. */
type ToldPlace = { readonly path: string; readonly at: string; readonly name: string };

/** The places that a line names. */
export function placesInWords(line: string): readonly ToldPlace[] {
  return [
    ...[...line.matchAll(PATH_BEHIND)].map(([, at = "", path = ""]) => ({ path, at, name: "" })),
    ...[...line.matchAll(UNSPACED_LINE)].map(([, path = "", at, other = ""]) => ({ path, at: at ?? other, name: "" })),
    ...[...line.matchAll(LINE_OF_FUNCTION)].map(([, path = "", name = "", at = ""]) => ({ path, at, name })),
  ];
}

const QUOTED_THEN_LINE = new RegExp(String.raw`\x60([^\x60\s:]{1,300}\.(\w{1,7}))\x60(?=${TOLD})`, "g");
const LINE_THEN_QUOTED = new RegExp(String.raw`(${LINE_BEFORE})\x60([^\x60\s:]{1,300}\.(\w{1,7}))\x60`, "giu");

/** A line with the number of a line inside the backticks around its path, where it stays when inline code is set apart. */
export function withPlacesQuoted(line: string): string {
  if (!line.includes("`")) return line;
  const isSource = (ending: string): boolean => SOURCE_ENDINGS.has(ending.toLowerCase());
  return line
    .replace(QUOTED_THEN_LINE, (found, path: string, ending: string, at: string) =>
      isSource(ending) ? `\`${path}:${at}\`` : found,
    )
    .replace(LINE_THEN_QUOTED, (found, before: string, at: string, path: string, ending: string) =>
      isSource(ending) ? `${before}\`${path}:${at}\`` : found,
    );
}
