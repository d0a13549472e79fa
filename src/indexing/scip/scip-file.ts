/**
 * Reads a SCIP index: which symbol stands at which place of which file, as a compiler found it.
 *
 * Field numbers are those of `scip.proto`. Documents are found and decoded one at a time, because an index can be as large as its
 * repository.
 */
import { packedNumbers, wireFields } from "./wire.ts";

/** `line` and columns count from 0; the end is exclusive. Only occurrences within one line are of use here. */
type Occurrence = {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly symbol: string;
  readonly isDefinition: boolean;
};

/** How columns are counted; most indexers that do not say it count as JavaScript does. */
export type ColumnUnit = "utf8" | "utf16" | "utf32";

export type ScipDocument = {
  /** Relative to the project that was indexed, as written. */
  readonly path: string;
  readonly unit: ColumnUnit;
  readonly occurrences: readonly Occurrence[];
  /** The text that was indexed, null if the index does not hold it. */
  readonly text: string | null;
};

export type ScipFile = {
  /** The indexed project as a URL, "" if it is not said. */
  readonly projectRoot: string;
  /** The paths of the documents. */
  paths(): Generator<string>;
  /** Decodes again each time. */
  documents(): Generator<ScipDocument>;
};

const DEFINITION = 1;
const UNITS: Readonly<Record<number, ColumnUnit>> = { 1: "utf8", 2: "utf16", 3: "utf32" };

/** Throws `import-refused` if the bytes are not protobuf. */
export function openScip(bytes: Uint8Array): ScipFile {
  let projectRoot = "";
  for (const { field, bytes: inner } of wireFields(bytes))
    if (field === 1 && inner !== null) projectRoot = textField(inner, 3);
  function* each<T>(read: (message: Uint8Array) => T): Generator<T> {
    for (const { field, bytes: inner } of wireFields(bytes)) if (field === 2 && inner !== null) yield read(inner);
  }
  return { projectRoot, paths: () => each((message) => textField(message, 1)), documents: () => each(documentOf) };
}

function documentOf(message: Uint8Array): ScipDocument {
  let path = "";
  let text: string | null = null;
  let unit: ColumnUnit = "utf16";
  const occurrences: Occurrence[] = [];
  for (const { field, value, bytes } of wireFields(message)) {
    if (field === 6 && value !== null) unit = UNITS[value] ?? unit;
    if (bytes === null) continue;
    if (field === 1) path = decoded(bytes);
    else if (field === 2) {
      const occurrence = occurrenceOf(bytes);
      if (occurrence !== null) occurrences.push(occurrence);
    } else if (field === 5 && bytes.length > 0) text = decoded(bytes);
  }
  return { path, unit, occurrences, text };
}

/** A range has a line, two columns, and another line before the second one if it ends there. */
const RANGE_NUMBERS_MAX = 4;

/** Null for an empty range, one of several lines, and one of more numbers: none is a name. */
function occurrenceOf(message: Uint8Array): Occurrence | null {
  const range: number[] = [];
  let [symbol, roles] = ["", 0];
  for (const { field, value, bytes } of wireFields(message)) {
    if (field === 1) range.push(...(bytes === null ? [value] : packedNumbers(bytes).take(RANGE_NUMBERS_MAX + 1)));
    else if (field === 2 && bytes !== null) symbol = decoded(bytes);
    else if (field === 3 && value !== null) roles = value;
    if (range.length > RANGE_NUMBERS_MAX) return null;
  }
  const [line = 0, start = 0, third = 0, fourth] = range;
  const end = fourth ?? third;
  if (symbol === "" || (fourth !== undefined && third !== line) || end <= start) return null;
  return { line, start, end, symbol, isDefinition: roles % 2 === DEFINITION };
}

function textField(message: Uint8Array, wanted: number): string {
  for (const { field, bytes } of wireFields(message)) if (field === wanted && bytes !== null) return decoded(bytes);
  return "";
}

const decoded = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
