/**
 * Counts of one term in the segments of one file.
 *
 * The arrays cover all segments of all files and are cleared entry by entry, so that nothing is
 * allocated per term. Text counts for its segment and for every function around it.
 */
import { FIELD, postingCount, postingField, postingSegment, type TermStats } from "../text/term-stats.ts";

/** How segments enclose one another, in one numbering for all files; -1 for none. */
export type Enclosure = {
  /** The segment directly around. */
  readonly parent: Int32Array;
  /** The nearest segment around that includes this one's text. */
  readonly fold: Int32Array;
};

export type Tally = ReturnType<typeof createTally>;

/** An empty tally over so many segments. */
export function createTally({ parent, fold }: Enclosure) {
  const size = parent.length;
  const code = new Float64Array(size);
  const comment = new Float64Array(size);
  const name = new Float64Array(size);
  const signature = new Float64Array(size);
  const container = new Float64Array(size);
  const seen = new Uint8Array(size);
  const touched = new Int32Array(size);
  /** Sums over the file's own lines, and how many segments are in `touched`. */
  const file = { code: 0, comment: 0, name: 0, signature: 0, touched: 0 };

  function touch(segment: number): void {
    if (seen[segment] === 1) return;
    seen[segment] = 1;
    touched[file.touched] = segment;
    file.touched += 1;
  }

  function addText(counts: Float64Array, segment: number, count: number): void {
    for (let at = segment; at >= 0; at = fold[at] ?? -1) {
      touch(at);
      counts[at] = (counts[at] ?? 0) + count;
    }
  }

  /** Adds the postings of one dictionary entry; `base` is the file's first segment. */
  function read(stats: TermStats, base: number, entry: number): void {
    const { words, startAt, postingAt } = stats;
    const end = words[startAt + entry + 1] ?? 0;
    for (let at = words[startAt + entry] ?? 0; at < end; at += 1) {
      const posting = words[postingAt + at] ?? 0;
      const count = postingCount(posting);
      const segment = base + postingSegment(posting);
      switch (postingField(posting)) {
        case FIELD.code:
          file.code += count;
          addText(code, segment, count);
          break;
        case FIELD.comment:
          file.comment += count;
          addText(comment, segment, count);
          break;
        case FIELD.name:
          file.name += count;
          touch(segment);
          name[segment] = (name[segment] ?? 0) + count;
          break;
        default:
          file.signature += count;
          touch(segment);
          signature[segment] = (signature[segment] ?? 0) + count;
      }
    }
  }

  /** Lets members know how often the term stands in the name of what directly encloses them. */
  function passNamesDown(from: number, to: number): void {
    for (let segment = from; segment < to; segment += 1) {
      const above = parent[segment] ?? -1;
      const count = above < 0 ? 0 : (name[above] ?? 0);
      if (count === 0) continue;
      touch(segment);
      container[segment] = count;
    }
  }

  function touchAll(from: number, to: number): void {
    for (let segment = from; segment < to; segment += 1) touch(segment);
  }

  function clear(): void {
    for (let index = 0; index < file.touched; index += 1) {
      const at = touched[index] ?? 0;
      code[at] = 0;
      comment[at] = 0;
      name[at] = 0;
      signature[at] = 0;
      container[at] = 0;
      seen[at] = 0;
    }
    file.touched = 0;
    file.code = 0;
    file.comment = 0;
    file.name = 0;
    file.signature = 0;
  }

  return { code, comment, name, signature, container, touched, file, read, passNamesDown, touchAll, clear };
}
