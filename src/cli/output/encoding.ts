/** Whether a terminal shows characters beyond ASCII, from what its environment says. */
import type { Variables } from "../../config/variables.ts";

/**
 * Only a locale that names another encoding, or none at all (`C`), says that it is not UTF-8: without a locale, as in containers, the
 * terminal still is. The font of the Linux console lacks many of the signs that are drawn. Terminals on Windows use UTF-8.
 */
export function showsUnicode({ LC_ALL, LC_CTYPE, LANG, TERM, OS }: Variables): boolean {
  if (OS === "Windows_NT") return true;
  if (TERM === "linux") return false;
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  if (locale === "C" || locale === "POSIX") return false;
  const [, encoding] = /\.([^@]*)/.exec(locale) ?? [];
  return encoding === undefined || /^utf-?8$/i.test(encoding);
}
