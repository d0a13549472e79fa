/**
 * Renders a context package as Markdown, the format for people. The budget bounds its size.
 *
 * Sections: the task, the diff under review, primary context (files by rank), test expectations, dependency map, memories,
 * and what was left out when packing stopped early.
 */
import { fenceName } from "../../languages/languages.ts";
import { fenced, pathText, plain } from "../../text/markdown.ts";
import type { ContextPackage, FileJson } from "../model/package-schema.ts";
import { textOfRows } from "./code-rows.ts";
import { edgesLeftOut, edgesShown, fileParts, isType, reasonLine, typeRows } from "./file-parts.ts";
import { fencedDiff } from "./review.ts";
import { stopText } from "./stop-text.ts";

/** The whole package. Ends with a newline. */
export function renderMarkdown(pkg: ContextPackage): string {
  const parts = [
    `## Task\n${taskText(pkg)}`,
    section("## Diff", fencedDiff(pkg)),
    section("## Primary Context", contextText(pkg, { types: true })),
    section("## Test Expectations", testsText(pkg)),
    section("## Dependency Map", dependencyMap(pkg)),
    section("## What was learned before", learnedText(pkg)),
    section("## Left Out", stopText(pkg)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const section = (title: string, body: string): string => (body === "" ? "" : `${title}\n${body}`);

/** The task's text as shown: cut if it is long, fenced if it contains Markdown blocks. */
export const taskText = (pkg: ContextPackage): string =>
  quotedTask(pkg.provenance.task_cut ?? pkg.task_query.raw_description);

/** A longer first line of a task is cut. */
const BRIEF_CHARS_MAX = 300;

/** The package with only the first line of its task, for whoever asked it; null if there is no more of it. */
export function withBriefTask(pkg: ContextPackage): ContextPackage | null {
  const text = (pkg.provenance.task_cut ?? pkg.task_query.raw_description).trim();
  const [line = ""] = text.split(/[\r\n]/, 1);
  const kept = line.slice(0, BRIEF_CHARS_MAX).toWellFormed().trimEnd();
  return kept === text ? null : { ...pkg, provenance: { ...pkg.provenance, task_cut: `${kept} […]` } };
}

/** Fences a text with fences, headings or HTML, which would change the document around it. */
export function quotedTask(text: string): string {
  return /(^|[\r\n])[ \t]*(#|>|<|---|(-+|=+)[ \t]*([\r\n]|$))|<!--|```|~~~/.test(text) ? fenced(text, "text") : text;
}

/** What a reader must know of the whole package: that it is an answer before the index, and that it is a map. */
export const notesOf = ({ provenance }: Pick<ContextPackage, "provenance">): readonly string[] =>
  [provenance.provisional?.note, provenance.map].filter((note) => note !== undefined);

/** The files that are not tests, after the notes. `types: false` leaves type context out, for templates that show it separately. */
export const contextText = (pkg: ContextPackage, { types }: { readonly types: boolean }): string =>
  [
    ...notesOf(pkg).map((note) => `Note: ${plain(note)}.`),
    ...pkg.files.filter((file) => file.test_assertions === null).map((file) => contextFile(pkg, file, types)),
  ]
    .filter((text) => text !== "")
    .join("\n\n");

/** The type context of every file, for templates that show it separately. */
export const typesText = (pkg: ContextPackage): string =>
  pkg.files
    .flatMap((file) => {
      const text = file.test_assertions === null ? textOfRows(typeRows(pkg, file)) : "";
      return text === "" ? [] : [{ file, text }];
    })
    .map(({ file, text }) =>
      [
        heading(file, ", type context"),
        ...(file.reason === null || contextFile(pkg, file, false) !== "" ? [] : [reasonLine(file.reason)]),
        fencedCode(file, text),
      ].join("\n"),
    )
    .join("\n\n");

/** Test files: bodies where they fit, else their assertions. */
export const testsText = (pkg: ContextPackage): string =>
  pkg.files
    .filter((file) => file.test_assertions !== null)
    .map((file) => fileSection(pkg, file))
    .join("\n\n");

/** Edges between included files, one a line. */
export const dependencyMap = (pkg: ContextPackage): string =>
  [...edgesShown(pkg).map(([from, to]) => `${pathText(from)} → ${pathText(to)}`), ...edgesLeftOut(pkg)].join("\n");

/** The memories; empty when there are none. */
export const learnedText = ({ learned }: Pick<ContextPackage, "learned">): string =>
  (learned ?? []).map(({ content }) => content).join("\n\n");

/** All that the text has of one file, with its heading. */
export const fileSection = (pkg: ContextPackage, file: FileJson): string =>
  file.test_assertions === null ? contextFile(pkg, file, true) : fileText(pkg, file, "", true);

function contextFile(pkg: ContextPackage, file: FileJson, types: boolean): string {
  const hasPrimary = file.snippets.length > 0 || file.symbols.some((symbol) => symbol.relevance === "primary");
  const hasSupport = file.symbols.some((symbol) => symbol.relevance === "supporting");
  if (!types && !hasPrimary && !hasSupport && file.symbols.length > 0) return "";
  const label = hasPrimary ? "" : hasSupport ? ", supporting" : file.symbols.some(isType) ? ", type context" : "";
  return fileText(pkg, file, label, types);
}

const fileText = (pkg: ContextPackage, file: FileJson, label: string, types: boolean): string =>
  [
    heading(file, label),
    ...fileParts(pkg, file, { types }).flatMap(({ title, text, isCode }) => [
      ...(title === null ? [] : [title]),
      isCode ? fencedCode(file, text) : text,
    ]),
  ].join("\n");

const heading = (file: FileJson, label: string): string =>
  `### ${pathText(file.path)} (rank #${file.relevance_rank}${label})`;

const fencedCode = (file: FileJson, text: string): string => fenced(text, fenceName(file.language));
