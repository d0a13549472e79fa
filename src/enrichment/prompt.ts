/**
 * The question about one file: the instruction, and as much of the file as fits.
 *
 * The fence contains everything from the repository, including the path. A file that does not fit is shown by its docstring
 * and signatures, then its first lines.
 */
import { REPAIR_TOKENS_MAX } from "../judgement/ask.ts";
import { countableIn, windowTokensFor, windowTokensOfCall } from "../judgement/context-window.ts";
import type { Fence } from "../judgement/fence.ts";
import { type Prompt, systemPrompt } from "../judgement/prompt.ts";
import { shorten } from "../judgement/shorten.ts";
import { CHARS_PER_TOKEN, countLines, cutMiddle, type TokenCounter } from "../text/tokens/tokens.ts";
import { FIELD_WORDS } from "./fields.ts";
import type { Material } from "./material.ts";
import { ANSWER_TOKENS_MAX } from "./record.ts";

/** More text does not make the purpose clearer, and a small machine needs a minute to read it. */
const FILE_TOKENS_MAX = 4_000;
/** With less than this the question is not worth asking. */
const FILE_TOKENS_MIN = 64;
/** Share of the tokens that the declarations of a long file get. */
const OUTLINE_SHARE = 0.5;
const SIGNATURE_CHARS_MAX = 160;
const DOCSTRING_CHARS_MAX = 1_000;
const MARKER = " … ";

/** A reply may take this share of a small window. */
const REPLY_SHARE = 1 / 3;

export type FileQuestion = Prompt & { readonly replyTokensMax: number };

export const ROLE =
  "You describe source files for a tool that finds the code a task needs. You only describe what is shown: you cannot open, run or change anything.";

/** What an answer is to say, a line for each field. */
export const fieldList = (): string =>
  Object.entries(FIELD_WORDS)
    .map(([name, words]) => `- ${name}: ${words}`)
    .join("\n");

/** The first lines of a file in a question. */
export const headOf = ({ path, language }: Material): string =>
  `path: ${shorten(path, SIGNATURE_CHARS_MAX)}\nlanguage: ${language}\n`;

const INSTRUCTION = `Describe the file below, in English and briefly:\n${fieldList()}`;

/** The question about a file, for a window of this many tokens; null if the window is too small. */
export function fileQuestion(
  material: Material,
  windowTokens: number,
  counter: TokenCounter,
  fence: Fence,
): FileQuestion | null {
  const replyTokensMax = Math.min(ANSWER_TOKENS_MAX, Math.floor(windowTokens * REPLY_SHARE));
  const system = systemPrompt(ROLE, fence);
  const promptOf = (shown: string): string => `${INSTRUCTION}\n\nThe file:\n${fence.wrap("file", shown)}`;
  const head = headOf(material);
  const emptyTokens = windowTokensOfCall({ system, prompt: promptOf(head), replyTokensMax }, counter);
  const freeTokens = windowTokens - emptyTokens - windowTokensFor(REPAIR_TOKENS_MAX);
  const tokensMax = Math.min(FILE_TOKENS_MAX, countableIn(freeTokens) - JOINTS_TOKENS);
  if (tokensMax < FILE_TOKENS_MIN) return null;
  return { system, prompt: promptOf(head + shownOf(material, tokensMax, counter, fence)), replyTokensMax };
}

/** Tokens of the words between the parts, and what joining separately counted parts can add. */
const JOINTS_TOKENS = 48;

function shownOf(material: Material, tokensMax: number, counter: TokenCounter, fence: Fence): string {
  const charsMax = tokensMax * CHARS_PER_TOKEN * 8;
  // Escapes make a text longer, so the guarded text is measured.
  const text = fence.guard(material.text.slice(0, charsMax));
  if (material.text.length <= charsMax && counter.count(text) <= tokensMax) return `text:\n${text}`;
  const outline = firstLines(fence.guard(outlineOf(material)), Math.floor(tokensMax * OUTLINE_SHARE), counter);
  const rest = firstLines(text, tokensMax - counter.count(outline), counter);
  const declared = outline === "" ? "" : `declares:\n${outline}\n`;
  return `${declared}the beginning of its text:\n${rest}`;
}

const outlineOf = ({ docstring, signatures }: Material): string =>
  [
    ...(docstring === "" ? [] : [shorten(docstring, DOCSTRING_CHARS_MAX)]),
    ...signatures.map((signature) => shorten(signature, SIGNATURE_CHARS_MAX)),
  ].join("\n");

/** The first lines that fit; if not even one does, both ends of the first line. */
function firstLines(text: string, tokensMax: number, counter: TokenCounter): string {
  const read = text.slice(0, Math.max(0, tokensMax) * CHARS_PER_TOKEN * 8);
  let left = tokensMax;
  let end = 0;
  for (const tokens of countLines(read, counter)) {
    if (tokens > left) break;
    left -= tokens;
    const lineFeed = read.indexOf("\n", end);
    end = lineFeed < 0 ? read.length : lineFeed + 1;
  }
  if (end > 0) return read.slice(0, end).trimEnd();
  const firstEnd = read.indexOf("\n");
  return cutMiddle(firstEnd < 0 ? read : read.slice(0, firstEnd), tokensMax, MARKER, counter);
}
