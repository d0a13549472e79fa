/**
 * Removes from an error line the key that a map lacks (`KeyError: 'user'`): it is data, even if a definition has the same name.
 *
 * A capitalized key stays, because it may be the name of a class; and so does a path.
 */

const FORMS: readonly string[] = [
  // Python.
  String.raw`(?<=KeyError(?::\s?|\())(?:"[^\s"'/\\]{1,200}"|'[^\s"'/\\]{1,200}')`,
  // Ruby, Elixir, PHP.
  String.raw`(?<=\bkey not found: )(?::?"[^\s"/\\]{1,200}"|:[\w?!]{1,200})`,
  String.raw`(?<=\bkey ):[\w?!]{1,200}(?= not found\b)`,
  String.raw`(?<=\bUndefined array key )"[^\s"/\\]{1,200}"|(?<=\bUndefined index: )[\w.-]{1,200}`,
  // Kotlin, .NET.
  String.raw`(?<=\bKey )\S{1,200}(?= is missing in the map\b)`,
  String.raw`(?<=\bgiven key )'[^\s'/\\]{1,200}'(?= was not present\b)`,
];
const KEY = new RegExp(FORMS.join("|"), "g");
const CAPITALIZED = /^[:"']{0,2}\p{Lu}\p{Ll}/u;

export const withoutMapKeys = (line: string): string => line.replace(KEY, (key) => (CAPITALIZED.test(key) ? key : " "));
