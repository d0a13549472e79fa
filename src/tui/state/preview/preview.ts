/** The preview of a file: what the package shows of it, to the letter, or the whole file; and the diff of a review. */
import type { ContextPackage } from "../../../retrieval/model/package-schema.ts";
import { fileParts } from "../../../retrieval/render/file-parts.ts";
import { diffText } from "../../../retrieval/render/review.ts";
import { currentFile, type ListedFile, type PreviewLine, type ReviewState } from "../review-state.ts";

/** `ships`: this is what the package shows; otherwise it is the file itself. */
type Preview = {
  readonly path: string;
  readonly language: string;
  readonly lines: readonly PreviewLine[];
  readonly ships: boolean;
};

const previews = new WeakMap<ContextPackage, Map<string, Preview>>();

/** Null while the file is being read, or when it cannot be, and where no file is chosen. */
export function previewOf(review: ReviewState): Preview | null {
  const file = currentFile(review);
  if (file === null) return null;
  const shown = shippedPreview(review, file);
  const { loaded, whole } = review.preview;
  if (shown !== null && !whole) return shown;
  return loaded === null || loaded.path !== file.path || loaded.lines === null
    ? null
    : { path: file.path, language: loaded.language, lines: loaded.lines, ships: false };
}

/** Whether the preview of the file under the cursor needs the text of the file. */
export function needsText(review: ReviewState): boolean {
  const file = currentFile(review);
  if (file === null || file.kind === "diff" || review.preview.loaded?.path === file.path) return false;
  return review.preview.whole || shippedPreview(review, file) === null;
}

/** What the package shows of an entry, null if nothing. Packages never change, so each is made once. */
export function shippedPreview(
  { round }: Pick<ReviewState, "round">,
  { path, kind }: Pick<ListedFile, "path" | "kind">,
): Preview | null {
  const pkg = round?.package;
  if (pkg === undefined) return null;
  const known = previews.get(pkg) ?? new Map<string, Preview>();
  previews.set(pkg, known);
  const before = known.get(path);
  if (before !== undefined) return before;
  const made = kind === "diff" ? diffPreview(pkg) : filePreview(pkg, path);
  if (made !== null) known.set(path, made);
  return made;
}

function filePreview(pkg: ContextPackage, path: string): Preview | null {
  const file = pkg.files.find((one) => one.path === path);
  if (file === undefined) return null;
  const lines = fileParts(pkg, file).flatMap(({ title, rows, isCode }): readonly PreviewLine[] => [
    ...(title === null ? [] : [previewLine("mark", null, title)]),
    ...rows.map(({ line, text }) => previewLine(isCode ? "code" : "mark", line, text)),
  ]);
  return { path, language: file.language, lines, ships: true };
}

function diffPreview(pkg: ContextPackage): Preview {
  const lines = diffText(pkg)
    .split("\n")
    .map((text) => previewLine("code", null, text));
  return { path: "", language: DIFF, lines, ships: true };
}

/** A line without the carriage return of a line end: a sign for it in every line of a file would only hide code. */
export const previewLine = (kind: PreviewLine["kind"], number: number | null, text: string): PreviewLine => ({
  kind,
  number,
  text: text.endsWith("\r") ? text.slice(0, -1) : text,
});

/** The language of a diff. */
export const DIFF = "diff";
