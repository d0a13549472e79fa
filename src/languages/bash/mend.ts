/** Replaces what the grammar of Bash cannot read: some of its expansions, and the syntax of Zsh. */
import { blank } from "../../text/lines.ts";

/** Each part with what stands for it, which is as long. The first ones are of Bash. */
const MENDED: readonly (readonly [RegExp, (part: string) => string])[] = [
  // At the start of a string two parentheses would be arithmetic.
  [/"\(\(/g, () => '"__'],
  // ${text:$at + 1}
  [/\$\{#?[\w*@]{1,80}:[^{}"'`\n]{0,200}\}/g, withoutContent],
  // [[ $text == start* ]]
  [/(?<==)[ \t][\w./-]{0,60}\*(?=\s)/g, (part) => part.replace("*", "_")],
  // ${(f)text}
  [/\$\{\([^()\n]{1,40}\)/g, (part) => `\${${"_".repeat(part.length - 4)}:-`],
  // $+commands[git], ${+commands[git]}
  [/\$\{?\+(?=\w)/g, (part) => `${part.slice(0, -1)}_`],
  // ${${text}[1]}
  [/\$\{[^{}\n]{0,40}\$\{[^{}\n]{0,80}\}[^{}\n]{0,80}\}/g, withoutContent],
  // $list[(Ie)text]
  [/(?<=\[)\([A-Za-z]{1,4}\)/g, (part) => "_".repeat(part.length)],
  // *(.N)
  [/(?<=[*/])\([.@/^=DNLmno\d-]{1,8}\)/g, blank],
  // run &|
  [/&[|!](?=[\s;}])/g, () => "& "],
  // f() { run }
  [/[^\s;{}] \}$/gm, (part) => `${part.charAt(0)};}`],
  // () { run }
  [/(?<=^[ \t]{0,40})\(\)(?= \{)/gm, blank],
];

function withoutContent(expansion: string): string {
  return `\${${"_".repeat(expansion.length - 3)}}`;
}

export function mendShell(text: string): string {
  return MENDED.reduce((mended, [part, by]) => mended.replace(part, by), text);
}
