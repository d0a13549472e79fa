/**
 * Writes the wiki markup of Jira as Markdown: blocks of code, headings, and names in double braces.
 *
 * A text with a Markdown fence stays as it is, and so does one without a block of code, but for its headings.
 */

const TOKEN = /\{(?:code|noformat)(?::([^{}\n]{0,300}))?\}/g;
const HEADING = /^h[1-6]\.[ \t]+(?=\S)/gm;
const NAME = /\{\{([^{}`\n]{1,300})\}\}/g;
/** Longer than any that code is likely to hold. */
const FENCE = "``````";

/** A block: where it begins and ends in the text, and what it holds. */
type WikiBlock = { readonly from: number; readonly to: number; readonly info: string; readonly code: string };

export function withoutWikiMarkup(text: string): string {
  if (text.includes("```")) return text;
  const blocks = wikiBlocks(text);
  const parts: string[] = [];
  let from = 0;
  for (const block of blocks) {
    parts.push(text.slice(from, block.from).replace(NAME, "`$1`"), markdownOf(block));
    from = block.to;
  }
  const rest = text.slice(from);
  return [...parts, blocks.length === 0 ? rest : rest.replace(NAME, "`$1`")].join("").replace(HEADING, "## ");
}

/** The blocks of a text. One begins after a blank, unlike a part of an address (`/oauth/{code}`). */
function wikiBlocks(text: string): readonly WikiBlock[] {
  const blocks: WikiBlock[] = [];
  let open: { readonly at: number; readonly end: number; readonly info: string } | null = null;
  for (const token of text.matchAll(TOKEN)) {
    const end = token.index + token[0].length;
    if (open !== null) {
      blocks.push({ from: open.at, to: end, info: open.info, code: text.slice(open.end, token.index) });
      open = null;
    } else if (/^\s?$/.test(text.charAt(token.index - 1))) open = { at: token.index, end, info: token[1] ?? "" };
  }
  return blocks;
}

const markdownOf = ({ info, code }: WikiBlock): string =>
  code.includes("\n") ? `\n${FENCE}${info}\n${code.replace(/^\n/, "")}\n${FENCE}\n` : `\`${code}\``;
