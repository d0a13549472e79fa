/**
 * The caps of each category of a bundle, and packing texts within them.
 *
 * Each category is capped in entries and in bytes of UTF-8. Adaptive caps grow and shrink with the priority, for the two
 * categories of files.
 */
import { cuttable, EXCERPT_BYTES_MIN } from "./excerpt.ts";
import type { Priority } from "./triggers.ts";

const KB = 1024;

export type Caps = { readonly entries: number; readonly bytes: number };
type CategoryCaps = { readonly runArtifacts: Caps; readonly sourceOfTruthFiles: Caps; readonly memoryEntries: Caps };

const FIXED: CategoryCaps = {
  runArtifacts: { entries: 5, bytes: 10 * KB },
  sourceOfTruthFiles: { entries: 3, bytes: 15 * KB },
  memoryEntries: { entries: 5, bytes: 5 * KB },
};
const LARGE: Caps = { entries: 7, bytes: 15 * KB };
const SMALL: Caps = { entries: 3, bytes: 5 * KB };

const ADAPTIVE = {
  high: { ...FIXED, runArtifacts: LARGE, sourceOfTruthFiles: LARGE },
  medium: FIXED,
  low: { ...FIXED, runArtifacts: SMALL, sourceOfTruthFiles: SMALL },
} as const satisfies Record<Priority, CategoryCaps>;

export const capsFor = (priority: Priority, { adaptive }: { readonly adaptive: boolean }): CategoryCaps =>
  adaptive ? ADAPTIVE[priority] : FIXED;

/** `size` is that of the content, in bytes of UTF-8. */
type Packed<C> = { readonly candidate: C; readonly content: string; readonly size: number };

/** `sharing`: how many of the first candidates share the remaining bytes. */
type PackOptions<C> = {
  readonly caps: Caps;
  /** A long text is cut to the lines around these; lower case. */
  readonly terms: readonly string[];
  readonly sharing: number;
  /** Called only for candidates that may be packed; null and "" are skipped. */
  textOf(candidate: C): string | null;
};

/** The most of a category that is kept for traces of later texts. */
const TRACES_SHARE = 0.75;

/**
 * Packs the texts of a category, best first, until a cap is reached.
 *
 * A text that fits is packed whole. Another is cut (`excerpt.ts`): to the lines around its terms, within its share of the
 * remaining bytes, so that others fit too; or, without terms, to all remaining bytes, which ends the category. Bytes for the
 * traces of later texts are set aside first. What is left in the end goes to more lines of the texts that were cut.
 */
export function packTexts<C>(
  candidates: readonly C[],
  { caps, terms, sharing, textOf }: PackOptions<C>,
): readonly Packed<C>[] {
  const texts = firstTexts(candidates, caps.entries, textOf).map((one) => ({
    ...one,
    whole: cuttable(one.text, terms),
  }));
  const isTight = texts.reduce((sum, { whole }) => sum + whole.bytes, 0) > caps.bytes;
  const traces = texts.map(({ whole }) => (isTight ? whole.traceBytes() : 0));
  const packed: Piece<C>[] = [];
  let left = caps.bytes;
  for (const [index, { candidate, at, text, whole }] of texts.entries()) {
    const later = traces.slice(index + 1).reduce((sum, bytes) => sum + bytes, 0);
    const kept = Math.min(later, Math.floor(caps.bytes * TRACES_SHARE));
    const room = Math.max(left - kept, Math.min(left, traces[index] ?? 0));
    const open = caps.entries - packed.length;
    const share = Math.floor(room / Math.max(1, Math.min(open, sharing - at)));
    const content = whole.cut(room, share);
    if (content === null && kept > 0) continue;
    if (content === null) break;
    const size = Buffer.byteLength(content);
    packed.push({ candidate, content, size, isCut: content !== text, fill: (bytes) => whole.cut(room, share, bytes) });
    left -= size;
    if (left === 0 || (content !== text && left <= EXCERPT_BYTES_MIN)) break;
  }
  return filled(packed, left);
}

/** `fill` returns the content with more lines, in as many bytes. */
type Piece<C> = Packed<C> & { readonly isCut: boolean; fill(bytes: number): string | null };

/** Gives the remaining bytes to the texts that were cut, in equal parts; what one cannot use goes to the next. */
function filled<C>(pieces: readonly Piece<C>[], bytes: number): readonly Packed<C>[] {
  let left = bytes;
  let open = pieces.filter(({ isCut }) => isCut).length;
  return pieces.map(({ candidate, content, size, isCut, fill }) => {
    if (!isCut) return { candidate, content, size };
    const wider = fill(size + Math.floor(left / open)) ?? content;
    const taken = Buffer.byteLength(wider);
    left -= taken - size;
    open -= 1;
    return { candidate, content: wider, size: taken };
  });
}

type Text<C> = { readonly candidate: C; readonly at: number; readonly text: string };

function firstTexts<C>(candidates: readonly C[], count: number, textOf: PackOptions<C>["textOf"]): readonly Text<C>[] {
  const texts: Text<C>[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (texts.length >= count) break;
    const text = textOf(candidate);
    if (text !== null && text !== "") texts.push({ candidate, at, text });
  }
  return texts;
}
