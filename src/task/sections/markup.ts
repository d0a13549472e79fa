/**
 * Takes the markup of an issue apart: comments, addresses, fenced blocks, inline code. One pass over the text each.
 *
 * A fence of backticks opens anywhere in a line, one of tildes at its start, unless the same line closes it again (then it is
 * inline code). It ends at the first line that begins with as many of the same character; one that is never closed runs to the end.
 */
import { stripVTControlCharacters } from "node:util";
import { SOURCE_ENDINGS } from "../names/name-tables.ts";

const ADDRESS = /(?:https?|ftp):\/\/[^\s<>)\]"'`]+|www\.[^\s<>)\]]+/g;
/** GitHub's closing keywords ("Linking a pull request to an issue"), where an issue or its address follows. */
const CLOSING_KEYWORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+(?=(?:[\w.-]+\/[\w.-]+)?#\d|https?:\/\/)/gi;
/** A line of a source file that a server delivers, in a browser's stack trace. What follows a `?` is no part of the name. */
const SERVED_LINE = /^https?:\/\/[^/]+(\/[^?#]*\.(\w{1,7}))(?:\?[^#]*?)?(:\d{1,9}(?::\d{1,9})?)$/;
/** An image whose address was taken out. */
const IMAGE = /!\[[^[\]\n]{0,300}\]\(\s[^()\n]{0,200}\)|<img\s(?:[^<>]{0,500}\s)?src=["']?\s[^<>]{0,500}>/gi;
/** A name whose underscores Markdown has to be told about (`add\_item`), but no part of a Windows path. */
const ESCAPED_NAME = /(?<![\w\\:])\w*(?:\\_\w*)+(?![\w\\])/g;
/** What may stand before a fence of tildes. Compilers and Python draw them far into a line, below the code they complain about. */
const BEFORE_TILDES = /^(?: {0,4}|\t|\s{0,12}(?:>|[-*+]|\d{1,3}[.)])\s{0,4})$/;
const BEFORE_CHARS_MAX = 20;
const ADDRESS_END = /(?<![.,;:!?*_])[.,;:!?*_]+$/;

/** Lines inside or outside a fence. `info` is what follows the opening fence on its line ("python"). */
export type Block = { readonly fenced: boolean; readonly info: string; readonly lines: readonly string[] };

/**
 * The text with `\n` line ends and without the colours of a terminal. Control characters become blanks, as invisible blanks do except in a
 * word, and lone surrogates the replacement character.
 */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text.toWellFormed())
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/(?<=\w)[\u200b\u2060]+(?=\w)/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2060\ufeff]/g, " ");
}

/** A line in which a template asks for something: "[paste the output of `info.sh` here]". */
const PLACEHOLDER =
  /^[ \t]*(?:\[paste\b[^\n\]]{0,200}\bhere\.?\]|#{1,6} paste the output\b[^\n]{0,200}\bhere)[ \t]*$/gim;

/** The text without the instructions of issue templates, HTML comments most of all. An unclosed comment is text. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) break;
    parts.push(text.slice(from, start));
    from = end + 3;
  }
  return [...parts, text.slice(from)].join("\n").replace(PLACEHOLDER, "");
}

/**
 * Takes web addresses out of a text, and the keywords that close an issue, and leaves a blank for each. Addresses lose the
 * punctuation after them. Of a line of a source file, the path and the line stay in the text.
 */
export function takeAddresses(text: string): { readonly text: string; readonly urls: readonly string[] } {
  const urls: string[] = [];
  const rest = text.replace(CLOSING_KEYWORD, " ").replace(ADDRESS, (found) => {
    const address = found.replace(ADDRESS_END, "");
    const [, path = "", ending = "", line = ""] = SERVED_LINE.exec(address) ?? [];
    if (SOURCE_ENDINGS.has(ending.toLowerCase())) return `${path}${line}`;
    urls.push(address);
    return " ";
  });
  return { text: rest, urls };
}

/** Text with its names as they are shown. */
export const withoutEscapes = (text: string): string =>
  text.includes("\\_") ? text.replace(ESCAPED_NAME, (name) => name.replaceAll("\\_", "_")) : text;

/** The folder of a user with blanks in the name, as Windows takes it from the full name. */
const USER_FOLDER =
  /(?<=(?<![\p{L}\p{N}])[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4})[^\\/:\s]{1,40}(?: [\p{Lu}(][^\\/:\s]{0,40}){1,3}(?=[\\/])/gu;

/** Text with such folders as one word, as all of a path is. */
export const withUsersJoined = (text: string): string =>
  /:[\\/]/.test(text) ? text.replace(USER_FOLDER, (name) => name.replaceAll(" ", "_")) : text;

/** The images in a line, whose words describe a picture, and the line without them. */
export function takeImages(line: string): { readonly text: string; readonly images: readonly string[] } {
  const images = line.match(IMAGE) ?? [];
  return { text: images.length === 0 ? line : line.replace(IMAGE, " "), images };
}

/** Splits lines into fenced and other blocks, in order. Fence lines themselves are in neither. */
export function splitBlocks(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly run: string; readonly info: string } | null = null;
  let block: string[] = [];
  const flush = (fenced: boolean, info: string) => {
    const isEmpty = fenced ? block.length === 0 && info.trim() === "" : block.every((line) => line.trim() === "");
    if (!isEmpty) blocks.push({ fenced, info: info.trim(), lines: block });
    block = [];
  };
  for (const line of lines) {
    let rest = line;
    if (open !== null) {
      const trimmed = line.trimStart();
      if (!trimmed.startsWith(open.run)) {
        block.push(line);
        continue;
      }
      flush(true, open.info);
      rest = trimmed.slice(runEnd(trimmed, 0));
      open = null;
    }
    const at = openingFence(rest);
    if (at < 0) {
      block.push(rest);
      continue;
    }
    if (rest.slice(0, at).trim() !== "") block.push(rest.slice(0, at));
    flush(false, "");
    const end = runEnd(rest, at);
    open = { run: rest.slice(at, end), info: rest.slice(end) };
  }
  flush(open !== null, open?.info ?? "");
  return blocks;
}

/** Whether a line opens a fence that stays open at its end. */
export const opensFence = (line: string): boolean => openingFence(line) >= 0;

/** Where a fence opens in a line that does not close it again, or -1. */
function openingFence(line: string): number {
  const fences = /`{3,}|~{3,}/g;
  for (let fence = fences.exec(line); fence !== null; fence = fences.exec(line)) {
    const close = line.indexOf(fence[0], fences.lastIndex);
    if (close < 0 && !isUnderline(line, fence.index)) return fence.index;
    if (close < 0) continue;
    fences.lastIndex = runEnd(line, close);
  }
  return -1;
}

/** Whether tildes draw a line below code (`~~~~^~~~`) and open no fence. */
const isUnderline = (line: string, at: number): boolean =>
  line[at] === "~" && (at > BEFORE_CHARS_MAX || !BEFORE_TILDES.test(line.slice(0, at)) || line.includes("^", at));

/** The end of the run of one character that starts at `at`. */
function runEnd(line: string, at: number): number {
  let end = at;
  while (end < line.length && line[end] === line[at]) end++;
  return end;
}

/** The spans between backticks in a line, and the line without them. */
export function takeInlineCode(line: string): { readonly text: string; readonly spans: readonly string[] } {
  const spans: string[] = [];
  const text: string[] = [];
  let from = 0;
  for (;;) {
    const open = line.indexOf("`", from);
    const start = open < 0 ? -1 : runEnd(line, open);
    const close = open < 0 ? -1 : line.indexOf("`", start);
    if (close < 0) break;
    text.push(line.slice(from, open));
    spans.push(line.slice(start, close));
    from = runEnd(line, close);
  }
  text.push(line.slice(from));
  return { text: text.join(" "), spans };
}
