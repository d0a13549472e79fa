/**
 * Splits a task into sections: title, prose, inline code, code, stack trace, error and noise, which rank differently.
 *
 * Every word of the task is in exactly one section, except the instructions of issue templates (HTML comments), which are
 * dropped, and web addresses, which are kept apart. There is one section for each line, and one for each span of inline
 * code, which comes before its line's prose. Linear in the text.
 */

import { withPlacesQuoted } from "../names/lines-in-words.ts";
import type { Section, SectionKind } from "../query.ts";
import { withTracesWritten } from "./escaped-traces.ts";
import { shownText } from "./html-text.ts";
import { withoutLogPrefixes } from "./log-prefixes.ts";
import {
  type Block,
  cleanText,
  splitBlocks,
  takeAddresses,
  takeImages,
  takeInlineCode,
  withoutComments,
  withoutEscapes,
} from "./markup.ts";
import {
  endsSentence,
  isBoilerplate,
  isCheckedBox,
  isCodeLine,
  isEnvironmentEntry,
  isEnvironmentHeading,
  isErrorLine,
  isFrameLine,
  isHeading,
  isInItem,
  isLogLine,
  isOutputHeading,
  isRestOfSentence,
  isSentenceAboutError,
  isTemplateLine,
  isTraceHead,
  isWrapper,
  LINE_CHARS_MAX,
  withoutTags,
} from "./section-patterns.ts";
import { splitTitle } from "./title.ts";
import { withoutWikiMarkup } from "./wiki-markup.ts";

/** A fenced block with this many frames is a stack trace, head or not. */
const TRACE_FRAMES_MIN = 3;

/** An entry of a checklist that is wrapped has no shorter lines but its last. */
const WRAPPED_CHARS_MIN = 50;

/** How often a line counts, and the shortest that is meant: shorter ones are brackets and the like. */
const REPEATS_MAX = 2;
const REPEATED_CHARS_MIN = 20;
const KEPT: ReadonlySet<SectionKind> = new Set(["title", "inline", "error"]);

/** The kinds of section by how much a word in them says about the wanted files, from measured section weights. */
export const HEAVIEST_FIRST: readonly SectionKind[] = ["title", "error", "inline", "prose", "code", "trace", "noise"];

/** `title` is that of the task, or its most telling line when it has none. `label` was taken off it ("[Bug]"). */
export type SplitTask = {
  readonly sections: readonly Section[];
  readonly urls: readonly string[];
  readonly title: string;
  readonly label: string;
};

/** Whitespace gives no sections and an empty title. */
export function splitSections(text: string): SplitTask {
  const clean = withTracesWritten(withoutComments(withoutWikiMarkup(shownText(cleanText(text)))));
  const { text: plain, urls } = takeAddresses(withoutLogPrefixes(clean));
  const { title: written, label, before, body } = splitTitle(plain.trim().split("\n"));
  const title = withoutEscapes(written);
  const sections: Section[] = [...before, label].map((line) => ({ kind: "noise", text: line }));
  sections.push({ kind: "title", text: title });
  let inEnvironment = false;
  for (const block of splitBlocks(body)) {
    if (block.fenced) sections.push({ kind: "noise", text: block.info }, ...fencedSections(block, inEnvironment));
    else inEnvironment = addText(sections, block.lines, inEnvironment);
  }
  const full = withoutRepeats(sections.filter((section) => section.text.trim() !== ""));
  return { sections: full, urls, title: title === "" ? mostTelling(full) : title, label: label.trim() };
}

/** Lines that differ from earlier ones by numbers alone are noise from the third on: a log says the same again and again. */
function withoutRepeats(sections: readonly Section[]): readonly Section[] {
  const seen = new Map<string, number>();
  return sections.map((section) => {
    if (KEPT.has(section.kind) || section.text.length < REPEATED_CHARS_MIN) return section;
    const shape = section.text.slice(0, LINE_CHARS_MAX).trim().replace(/\d+/g, "0");
    const count = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, count);
    return count > REPEATS_MAX ? { kind: "noise", text: section.text } : section;
  });
}

const mostTelling = (sections: readonly Section[]): string => {
  for (const kind of HEAVIEST_FIRST) {
    const section = sections.find((candidate) => candidate.kind === kind);
    if (section !== undefined) return section.text.trim().slice(0, LINE_CHARS_MAX);
  }
  return "";
};

function fencedSections(block: Block, inEnvironment: boolean): Section[] {
  const heads = block.lines.map((line) => line.slice(0, LINE_CHARS_MAX));
  const isTrace = heads.some(isTraceHead) || heads.filter(isFrameLine).length >= TRACE_FRAMES_MIN;
  const usual: SectionKind = inEnvironment ? "noise" : isTrace ? "trace" : "code";
  return block.lines.map((text, at) => {
    const head = heads[at] ?? "";
    if (inEnvironment && isEnvironmentEntry(head)) return { kind: "noise", text };
    return { kind: isErrorLine(head) ? "error" : isLogLine(head) ? "noise" : usual, text };
  });
}

/** Adds the sections of lines outside of fences. Returns whether they end in an environment list. */
function addText(sections: Section[], lines: readonly string[], fromEnvironment: boolean): boolean {
  let inEnvironment = fromEnvironment;
  let inTrace = false;
  let inSentence = false;
  let inBox = false;
  for (const line of lines) {
    const { text, images } = takeImages(line);
    for (const image of images) sections.push({ kind: "noise", text: image });
    const head = text.slice(0, LINE_CHARS_MAX);
    const goesOn: boolean = inSentence;
    inBox = isCheckedBox(head) || (inBox && (isInItem(head) || (goesOn && isRestOfSentence(head))));
    inSentence = inBox && head.length >= WRAPPED_CHARS_MIN && !endsSentence(head);
    if (text.trim() === "") continue;
    if (inBox || isBoilerplate(head) || (inEnvironment && isWrapper(head))) {
      sections.push({ kind: "noise", text });
      continue;
    }
    const bare = withoutTags(head).trim();
    const isTemplate = isTemplateLine(bare) && !(goesOn && isRestOfSentence(head));
    const isOutput = isOutputHeading(bare);
    if (isTemplate || isOutput || isHeading(head)) {
      inEnvironment = isEnvironmentHeading(bare);
      sections.push({ kind: isTemplate || isOutput ? "noise" : "prose", text });
      continue;
    }
    const kind: SectionKind = goesOn && isSentenceAboutError(head) ? "prose" : lineKind(head, inTrace, inEnvironment);
    inTrace = kind === "trace";
    inSentence = kind === "prose" && !endsSentence(head);
    if (kind === "prose") addProse(sections, text);
    else sections.push({ kind, text });
  }
  return inEnvironment;
}

function lineKind(head: string, inTrace: boolean, inEnvironment: boolean): SectionKind {
  if (isTraceHead(head)) return "trace";
  if (isErrorLine(head)) return "error";
  if (isFrameLine(head) || (inTrace && /^(?: {2}|\t)/.test(head))) return "trace";
  if (inEnvironment || isEnvironmentEntry(head) || isLogLine(head)) return "noise";
  return isCodeLine(head) ? "code" : "prose";
}

function addProse(sections: Section[], line: string): void {
  const { text, spans } = takeInlineCode(withPlacesQuoted(line));
  for (const span of spans) sections.push({ kind: "inline", text: span });
  sections.push({ kind: "prose", text: withoutEscapes(text) });
}
