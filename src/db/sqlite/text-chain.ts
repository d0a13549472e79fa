/**
 * Stores long texts that resemble each other, each as its difference from an earlier one.
 *
 * A chain of differences ends with a text that needs no other, after a few steps. Short texts are stored as they are. Rows never change.
 */
import { packZstd, unpackZstd } from "../../text/zstd.ts";
import type { Db } from "./db.ts";

/** The columns of a text, for `create table`. `steps` is the number of texts before this one is readable. */
export const textColumns = (table: string): string =>
  `base integer references ${table}(id), steps integer not null, packed any not null`;

/** A text as it is stored. */
type ChainedText = {
  readonly base: number | null;
  readonly steps: number;
  readonly packed: string | Uint8Array;
};

/** A larger text is neither stored nor read: a few kilobytes that somebody put into a file may unpack to any size. */
export const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/** Shorter texts are not packed. In characters. */
const CHARS_MIN = 1_000;

/** Each step takes about a millisecond. */
const STEPS_MAX = 12;

/** The form of a text to store; null if it is too large. `previous` is the id of a text that may resemble it. */
export function chainText(db: Db, table: string, text: string, previous: number | null): ChainedText | null {
  if (text.length < CHARS_MIN) return { base: null, steps: 0, packed: text };
  if (text.length > TEXT_BYTES_MAX) return null;
  const bytes = Buffer.from(text);
  if (bytes.length > TEXT_BYTES_MAX) return null;
  const before =
    previous === null
      ? null
      : db.get<Pick<ChainedText, "steps" | "packed">>(`select steps, packed from ${table} where id = ?1`, previous);
  const isUsable = before !== null && typeof before.packed !== "string" && before.steps < STEPS_MAX;
  const base = isUsable && previous !== null ? readLinks(db, table, previous) : null;
  const packed = packZstd(bytes, base?.text ?? null);
  remember({ links: [...(base?.links ?? []), packed], text: bytes });
  if (before === null || base === null) return { base: null, steps: 0, packed };
  return { base: previous, steps: before.steps + 1, packed };
}

/** The text of a row; null if it is missing, unreadable or too large. */
export function readChained(db: Db, table: string, id: number): string | null {
  return readLinks(db, table, id)?.text.toString() ?? null;
}

/** What is stored of a text and of those that it needs, its own last; and the text. */
type Links = { readonly links: readonly (string | Uint8Array)[]; readonly text: Buffer };

function readLinks(db: Db, table: string, id: number): Links | null {
  const links = db
    .all<{ readonly packed: string | Uint8Array | null }>(
      // An append-only database takes no statement that begins otherwise.
      `select packed from (
         with recursive chain(id, base, packed, number) as (
           select id, base, packed, 0 from ${table} where id = ?1
           union all
           select t.id, t.base, t.packed, c.number + 1
           from chain c join ${table} t on t.id = c.base where c.number < ${STEPS_MAX}
         )
         select iif(octet_length(packed) > ${TEXT_BYTES_MAX}, null, packed) as packed, number from chain
       ) order by number desc`,
      id,
    )
    .map(({ packed }) => packed);
  if (!links.every((link) => link !== null)) return null;
  const known = longestBeginning(links);
  let text = known?.text ?? null;
  for (const link of links.slice(known?.links.length ?? 0)) {
    if (typeof link === "string") text = Buffer.from(link);
    else {
      try {
        text = unpackZstd(link, TEXT_BYTES_MAX, text);
      } catch {
        return null; // Somebody changed the bytes, or it is too large.
      }
    }
  }
  if (text === null) return null;
  const read = { links, text };
  remember(read);
  return read;
}

/**
 * The texts that this process read or stored last, the newest first: its next task mostly begins with them. What is stored says what the text
 * is, so they are right for every database.
 */
let newest: readonly Links[] = [];
const NEWEST_MAX = 24;
const NEWEST_BYTES_MAX = 8 * 1024 * 1024;

function remember(read: Links): void {
  if (read.text.length > NEWEST_BYTES_MAX / NEWEST_MAX) return;
  newest = [read, ...newest.filter((each) => !isEqual(each.links, read.links)).slice(0, NEWEST_MAX - 1)];
}

/** Of the texts that are known, the one that leaves the fewest of these links to unpack. */
function longestBeginning(links: Links["links"]): Links | null {
  let longest: Links | null = null;
  for (const known of newest) {
    const { length } = known.links;
    if (length > (longest?.links.length ?? 0) && isEqual(known.links, links.slice(0, length))) longest = known;
  }
  return longest;
}

const isEqual = (some: Links["links"], others: Links["links"]): boolean =>
  some.length === others.length &&
  some.every((link, at) => {
    const other = others[at];
    if (typeof link === "string" || typeof other === "string") return link === other;
    return other !== undefined && Buffer.compare(link, other) === 0;
  });
