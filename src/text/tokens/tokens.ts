/**
 * Counts and cuts tokens. Only this module uses the tokenizers.
 *
 * Invariants: counts equal those of the original tokenizer; time is nearly linear in the length of the text however long
 * its words are, unlike the original's; text that looks like a special token (`<|endoftext|>`) is plain text; an encoding
 * is loaded only when it is opened.
 */
import { readFileSync } from "node:fs";
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import cl100kBase from "../../../dist/grammars/cl100k_base.zst" with { type: "file" };
import o200kBase from "../../../dist/grammars/o200k_base.zst" with { type: "file" };
import { STORED_BYTES_MAX, unpackZstd } from "../zstd.ts";
import { pieceCounter } from "./byte-pairs.ts";
import { rememberingLines } from "./line-cache.ts";
import { plainPieceEnd } from "./pre-tokenize.ts";
import { openVocabulary } from "./vocabulary.ts";

export type TokenizerName = "o200k_base" | "cl100k_base" | "approximate";

/** Counts tokens. `name` is the tokenizer, and is recorded with every result. */
export type TokenCounter = {
  readonly name: TokenizerName;
  count(text: string): number;
  /** As `countLines`, faster than line by line. */
  ofLines?(text: string): Uint32Array;
};

/**
 * `margin`: the share that `approximate` adds for safety, 0 to 0.5; exact tokenizers ignore it. `remember`: whether to
 * cache lines, which pays if nearly the same text is counted repeatedly; default true.
 */
type TokenCounterOptions = { readonly margin: number; readonly remember?: boolean };

/** Four characters are one token on average in English and code (the tokenizers' own rule of thumb). */
export const CHARS_PER_TOKEN = 4;

/** Opens a tokenizer, and loads it the first time. Rejects only if the program itself is damaged. */
export async function openTokenCounter(
  name: TokenizerName,
  { margin, remember = true }: TokenCounterOptions,
): Promise<TokenCounter> {
  if (name === "approximate") {
    return { name, count: (text) => Math.ceil((text.length / CHARS_PER_TOKEN) * (1 + margin)) };
  }
  loaded[name] ??= loadEncoding(name);
  const { plain, remembering, ofLines } = loaded[name];
  return { name, count: remember ? remembering : plain, ofLines };
}

type Encoding = Exclude<TokenizerName, "approximate">;

/** `plainEnd` finds the end of a piece without `split`, or returns -1. */
type EncodingFile = {
  readonly path: string;
  readonly split: RegExp;
  plainEnd(units: Uint16Array, at: number, end: number): number;
};

const ENCODINGS: Readonly<Record<Encoding, EncodingFile>> = {
  o200k_base: { path: o200kBase, split: O200K_TOKEN_SPLIT_REGEX, plainEnd: plainPieceEnd },
  cl100k_base: { path: cl100kBase, split: CL100K_TOKEN_SPLIT_REGEX, plainEnd: () => -1 },
};

type Counting = (text: string) => number;
/** `remembering` keeps its cache as long as the process runs, because tasks on one repository show mostly the same lines. */
type Counts = {
  readonly plain: Counting;
  readonly remembering: Counting;
  ofLines(text: string): Uint32Array;
};

const loaded: Partial<Record<Encoding, Counts>> = {};

function loadEncoding(name: Encoding): Counts {
  const { path, split, plainEnd } = ENCODINGS[name];
  const { ofAscii, ofText } = pieceCounter(openVocabulary(unpackZstd(readFileSync(path), STORED_BYTES_MAX)));
  const splitAt = new RegExp(split.source, "uy");
  /** Counts the line from `start` to `end` of a text with these units, or all of it. */
  const ofLine = (text: string, units: Uint16Array, start: number, end: number): number => {
    let total = 0;
    for (let at = start; at < end; ) {
      const plainly = plainEnd(units, at, end);
      if (plainly >= 0) {
        total += ofAscii(units, at, plainly);
        at = plainly;
        continue;
      }
      const line = text.slice(start, end);
      splitAt.lastIndex = at - start;
      splitAt.test(line);
      total += ofText(line.slice(at - start, splitAt.lastIndex));
      at = start + splitAt.lastIndex;
    }
    return total;
  };
  const plain: Counting = (text) => ofLine(text, unitsOf(text), 0, text.length);
  const ofLines = (text: string): Uint32Array => {
    const units = unitsOf(text);
    return eachLine(text, (start, end) => ofLine(text, units, start, end));
  };
  return { plain, remembering: rememberingLines(plain), ofLines };
}

let room = new Uint16Array(1 << 12);
let roomBytes = Buffer.from(room.buffer);
/** Below this length, a loop takes less time than the call. */
const COPIED_MIN = 200;

/** The UTF-16 units of a text, until the next one. */
function unitsOf(text: string): Uint16Array {
  if (text.length > room.length) {
    room = new Uint16Array(2 * text.length);
    roomBytes = Buffer.from(room.buffer);
  }
  if (text.length > COPIED_MIN) roomBytes.write(text, "utf16le");
  else for (let at = 0; at < text.length; at += 1) room[at] = text.charCodeAt(at);
  return room;
}

/**
 * Tokens of each line, including its line feed; a last line without one counts too, and an empty text has no lines.
 * The sum of a block is an estimate, because tokens can span lines: packing counts the final text again.
 */
export const countLines = (text: string, counter: TokenCounter): Uint32Array =>
  counter.ofLines?.(text) ?? eachLine(text, (start, end) => counter.count(text.slice(start, end)));

function eachLine(text: string, count: (start: number, end: number) => number): Uint32Array {
  const counts: number[] = [];
  for (let start = 0; start < text.length; ) {
    const lineFeed = text.indexOf("\n", start);
    const end = lineFeed < 0 ? text.length : lineFeed + 1;
    counts.push(count(start, end));
    start = end;
  }
  return Uint32Array.from(counts);
}

/**
 * The text itself if it has at most `tokensMax` tokens; else its head and its tail, about equally long in characters,
 * around `marker`, within `tokensMax` in total. Never cuts a surrogate pair. Empty if not even the marker fits.
 */
export function cutMiddle(text: string, tokensMax: number, marker: string, counter: TokenCounter): string {
  const fits = (candidate: string): boolean => counter.count(candidate) <= tokensMax;
  // A text that is clearly too long is not counted as a whole.
  if (text.length <= tokensMax * CHARS_PER_TOKEN * 8 && fits(text)) return text;
  if (!fits(marker)) return "";
  let kept = 0;
  let tooMany = Math.min(text.length, CHARS_PER_TOKEN * (tokensMax + 1));
  while (tooMany < text.length && fits(aroundMarker(text, tooMany, marker))) {
    kept = tooMany;
    tooMany = Math.min(text.length, tooMany * 2);
  }
  if (tooMany === text.length && fits(text)) return text;
  while (kept + 1 < tooMany) {
    const middle = (kept + tooMany) >>> 1;
    if (fits(aroundMarker(text, middle, marker))) kept = middle;
    else tooMany = middle;
  }
  return aroundMarker(text, kept, marker);
}

function aroundMarker(text: string, kept: number, marker: string): string {
  const headEnd = Math.ceil(kept / 2);
  const tailStart = text.length - Math.floor(kept / 2);
  return (
    text.slice(0, cutsPair(text, headEnd) ? headEnd - 1 : headEnd) +
    marker +
    text.slice(cutsPair(text, tailStart) ? tailStart + 1 : tailStart)
  );
}

const cutsPair = (text: string, at: number): boolean =>
  isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at));
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
/** Whether a code unit is the second half of a surrogate pair. */
export const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
