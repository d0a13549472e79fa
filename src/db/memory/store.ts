/**
 * What may be done to the store of memories, experiences and values. `memory.ts` opens one.
 */
import type { Failed } from "../../failure.ts";
import type { Entry } from "../../memory/entry.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Axis, Confidence, Domain, MemoryCategory, Outcome, Strategy } from "../../memory/vocabulary.ts";

export type { Entry };

/** What is left out does not filter. `text`: full text, all words. Newest first. */
export type EntryFilter = {
  readonly type?: Entry["type"];
  readonly category?: MemoryCategory;
  readonly domain?: Domain;
  readonly strategy?: Strategy;
  readonly outcome?: Outcome | "open";
  readonly confidence?: Confidence;
  readonly text?: string;
  readonly limit?: number;
};

/** A full-text answer; `rank` is BM25 turned positive: larger is better, comparable within one answer only. */
export type Ranked<T> = { readonly rank: number; readonly entry: T };

export type ExperienceWhere = {
  readonly axis: Axis;
  readonly domain?: Domain;
  readonly strategy?: Strategy;
  readonly outcome?: Outcome;
};

/** Vectors of one embedding model. `key` names what the vector is of: an id, and the axis for experiences. */
export type VectorKey = { readonly id: string; readonly axis: Axis | null };
export type StoredVector = VectorKey & { readonly vector: Float32Array };

/** Vectors of one kind: of memories, of experiences on an axis (of those that fit a filter), or of values. */
export type VectorsOf =
  | { readonly type: "memory" | "value"; readonly axis: null }
  | ({ readonly type: "experience" } & ExperienceWhere);

export type MemoryStore = {
  /** All of them or none. An entry whose id is stored already replaces it when it differs. Returns what changed. */
  put(entries: readonly Entry[]): { readonly added: number; readonly replaced: number; readonly unchanged: number };
  /** The entry with this id, or the only one whose id begins so; throws a usage failure for several. Null for none. */
  get(idOrPrefix: string): Entry | null;
  /** The newest first, then by id. A row that is damaged is handed to `onDamaged`, and thrown where that is left out. */
  list(filter: EntryFilter, onDamaged?: (damage: Failed) => void): readonly Entry[];
  /**
   * Reads an entry (null for none), and writes what is made of it under the same id, in one transaction, so that no other
   * writer is lost.
   */
  change(id: string, made: (before: Entry | null) => Entry): Entry;
  /** All of them or none, with their vectors. Gives the ids that were there. What they said is nowhere in the file then. */
  removeAll(ids: readonly string[]): readonly string[];
  counts(): { readonly memories: number; readonly experiences: number; readonly values: number };

  searchMemories(words: readonly string[], limit: number): readonly Ranked<Memory>[];
  /** Only experiences that have something on the axis. Without words: the newest. */
  searchExperiences(words: readonly string[], where: ExperienceWhere, limit: number): readonly Ranked<Experience>[];
  searchValues(
    words: readonly string[],
    where: { readonly domain?: Domain; readonly strategy?: Strategy },
    limit: number,
  ): readonly Ranked<Value>[];

  /** Those of these ids that are stored, by id. */
  memoriesById(ids: readonly string[]): readonly Memory[];
  experiencesById(ids: readonly string[]): readonly Experience[];
  valuesById(ids: readonly string[]): readonly Value[];

  /** All experiences, by id. */
  experiences(): readonly Experience[];
  values(): readonly Value[];
  /** In one transaction: these are the values now. */
  replaceValues(values: readonly Value[]): void;

  /** Replaces vectors of the same key and model. All in one transaction. */
  putVectors(model: string, rows: readonly (StoredVector & { readonly textHash: string })[]): void;
  /** Throws away the vectors of a model, such as when it gives other dimensions than before. */
  dropVectors(model: string): void;
  /** The vectors of one kind, one at a time, as all of them take much room. */
  eachVector(model: string, of: VectorsOf): Iterable<StoredVector & { readonly textHash: string }>;
  /** How many numbers the vectors of a model have; null where there are none. */
  dimensions(model: string): number | null;
  /** What has no vector of a model yet: values, then the newest. */
  unembedded(model: string, limit: number): readonly VectorKey[];
  close(): void;
};
