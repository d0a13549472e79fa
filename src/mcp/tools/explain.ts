/** The tool `explain`: why files and symbols are in a package, or not. */
import { z } from "zod";
import type { Notice } from "../../notice.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { ExplainAnswer } from "../../present/answers.ts";
import { explanationJson, explanationText } from "../../present/explanation.ts";
import type { Explanation } from "../../retrieval/explain/explain.ts";
import type { FileVerdict } from "../../retrieval/explain/file-verdicts.ts";
import { type Answer, noted, tool } from "./tool.ts";

/** Rows for a whole run or folder, unless more files are shown. */
const FILES_MAX = 30;
/** Rows for one file; a large file has hundreds. */
const DECISIONS_MAX = 60;

export const what = z
  .string()
  .min(1)
  .max(1_000)
  .optional()
  .describe("a file, folder or symbol (name, path:name, path:line); by default all files");

const ExplainInput = z.strictObject({
  task_id: z.string().min(1).max(100).describe("of a package, or the beginning of it"),
  what,
});

export const EXPLAIN = tool({
  name: "explain",
  title: "Explain a package",
  description:
    'Says why files and definitions are in a package or not: rank, score with its parts, and the reason of each decision. Use it when a package lacks what you expected or has something odd, before you refine. It shows no code. Example: {"task_id": "9b12", "what": "src/auth.py"}.',
  writes: false,
  isIdempotent: true,
  less: "ask about one file or symbol with what",
  input: ExplainInput,
  output: ExplainAnswer,
  answer: async ({ task_id, what: thing }, { app }) => explainAnswer(await app.explain(task_id, thing ?? null)),
});

/** As many files and decisions as an agent reads. */
export function explainAnswer(found: Explanation, notices: readonly Notice[] = []): Answer {
  const isThing = found.about === "thing";
  const files = filesToList(found.files);
  const decisions = isThing ? found.decisions.slice(0, DECISIONS_MAX) : [];
  const hidden = [
    [found.files.length - files.length, "files"],
    [found.decisions.length - decisions.length, "decisions"],
  ] as const;
  const left = hidden.flatMap(([count, name]) => (count === 0 ? [] : [`${count} ${name}`]));
  const ofNotices = notices.map(noticeSentence);
  const ofLeft = left.length === 0 ? [] : [`${left.join(" and ")} left out; ask about a file or symbol with what`];
  const notes = [...ofLeft, ...ofNotices];
  const shown = { ...found, files, decisions };
  const text = explanationText(isThing ? found : shown, false, null);
  const structured: ExplainAnswer = { ...explanationJson(shown), ...noteOf(notes) };
  // The text about a thing sums up all decisions.
  return { text: noted(text, noteOf(isThing ? ofNotices : notes)), structured };
}

/** All files that are shown, wherever they rank, and the best of the others, in their order. */
function filesToList(files: readonly FileVerdict[]): readonly FileVerdict[] {
  const others = files.filter(({ shown }) => !shown);
  const listed = new Set(others.slice(0, Math.max(0, FILES_MAX - (files.length - others.length))));
  return files.filter((file) => file.shown || listed.has(file));
}

const noteOf = (notes: readonly string[]): { readonly note?: string } =>
  notes.length === 0 ? {} : { note: notes.join("; ") };
