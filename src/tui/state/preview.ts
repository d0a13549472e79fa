/** The preview of a file: the lines of it that the package shows, or else its first lines from the index. */
import type { ContextPackage } from "../../retrieval/model/package-schema.ts";
import { fileRows } from "../../retrieval/render/file-parts.ts";
import { currentFile, type PreviewLine, type ReviewState } from "./review-state.ts";

/** `ships`: this is what the package shows. Otherwise it shows nothing of the file, and these are its first lines. */
type Preview = {
  readonly path: string;
  readonly language: string;
  readonly lines: readonly PreviewLine[];
  readonly ships: boolean;
};

const previews = new WeakMap<ContextPackage, Map<string, Preview>>();

/** Null while the file is being read, or when it cannot be, and where no file is chosen. */
export function previewOf(review: ReviewState): Preview | null {
  const path = currentFile(review)?.path ?? null;
  if (path === null) return null;
  const shown = shippedPreview(review, path);
  if (shown !== null) return shown;
  const { loaded } = review.preview;
  return loaded === null || loaded.path !== path || loaded.lines === null
    ? null
    : { path, language: loaded.language, lines: loaded.lines, ships: false };
}

/** The preview of a file that the package shows, null for another. Packages never change, so each is made once. */
export function shippedPreview({ round }: Pick<ReviewState, "round">, path: string): Preview | null {
  const pkg = round?.package;
  const file = pkg?.files.find((one) => one.path === path);
  if (pkg === undefined || file === undefined) return null;
  const known = previews.get(pkg) ?? new Map<string, Preview>();
  previews.set(pkg, known);
  const before = known.get(path);
  if (before !== undefined) return before;
  const made = {
    path,
    language: file.language,
    lines: fileRows(pkg, file).map(
      ({ line, text }): PreviewLine => ({ kind: line === null ? "mark" : "code", number: line, text }),
    ),
    ships: true,
  };
  known.set(path, made);
  return made;
}
