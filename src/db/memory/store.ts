/** The operations of the memory store: entries, search, values and vectors. */
import type { Failed } from "../../failure.ts";
import type { Entry } from "../../memory/entry.ts";
import type { Experience, Memory, Value } from "../../memory/experience.ts";
import type { Axis, Confidence, Domain, MemoryCategory, Outcome, Strategy } from "../../memory/vocabulary.ts";

/** Omitted fields do not filter. `text` is a full-text query for all of its words. */
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

/** A full-text match. `rank` is BM25 turned positive: larger is better, comparable within one answer only. */
export type Ranked<T> = { readonly rank: number; readonly entry: T };

/** Which experiences to search. Omitted fields do not filter. */
export type ExperienceFilter = {
  readonly axis: Axis;
  readonly domain?: Domain;
  readonly strategy?: Strategy;
  readonly outcome?: Outcome;
};

/** What a vector belongs to: an entry or value and, for experiences, an axis. */
export type VectorKey = { readonly id: string; readonly axis: Axis | null };
export type StoredVector = VectorKey & { readonly vector: Float32Array };

/** Vectors of one kind: memories, values, or the experiences that pass a filter, on one axis. */
export type VectorsOf =
  | { readonly type: "memory" | "value"; readonly axis: null }
  | ({ readonly type: "experience" } & ExperienceFilter);

export type EntryStore = {
  /** Stores all entries or none. An entry replaces a stored one with its id if they differ. */
  put(entries: readonly Entry[]): { readonly added: number; readonly replaced: number; readonly unchanged: number };
  /** The entry with this id, or the only one whose id starts with it; null for none. Throws a usage failure for several. */
  get(idOrPrefix: string): Entry | null;
  /** Newest first, then by id. A damaged row goes to `onDamaged`; without it, it is thrown. */
  list(filter: EntryFilter, onDamaged?: (damage: Failed) => void): readonly Entry[];
  /** Reads an entry (null for none) and stores the result of `made` under the same id, in one transaction. */
  change(id: string, made: (before: Entry | null) => Entry): Entry;
  /** Removes all entries or none, with their vectors, and erases their texts from the file. Returns the ids that existed. */
  removeAll(ids: readonly string[]): readonly string[];
  counts(): { readonly memories: number; readonly experiences: number; readonly values: number };
};

/** Entries and values by words, best first, or by id: the stored ones among the ids, ordered by them. */
export type EntrySearch = {
  searchMemories(words: readonly string[], limit: number): readonly Ranked<Memory>[];
  /** Searches experiences with a text on the axis. Without words: the newest. */
  searchExperiences(words: readonly string[], where: ExperienceFilter, limit: number): readonly Ranked<Experience>[];
  searchValues(
    words: readonly string[],
    where: { readonly domain?: Domain; readonly strategy?: Strategy },
    limit: number,
  ): readonly Ranked<Value>[];
  memoriesById(ids: readonly string[]): readonly Memory[];
  experiencesById(ids: readonly string[]): readonly Experience[];
  valuesById(ids: readonly string[]): readonly Value[];
};

/** Values, and the experiences that they are derived from. */
export type ValueStore = {
  /** All experiences, by id. */
  experiences(): readonly Experience[];
  values(): readonly Value[];
  /** Replaces all values in one transaction. */
  replaceValues(values: readonly Value[]): void;
};

export type VectorStore = {
  /** Stores vectors in one transaction, replacing those of the same key and model. */
  putVectors(model: string, rows: readonly (StoredVector & { readonly textHash: string })[]): void;
  /** Deletes the vectors of a model, such as when its dimensions change. */
  dropVectors(model: string): void;
  /** Deletes the vectors of other weights of a model than those that `storedAs` names. */
  dropOtherVectors(name: string, storedAs: string): void;
  /** The vectors of one kind, one at a time: all together need much memory. */
  eachVector(model: string, of: VectorsOf): Iterable<StoredVector & { readonly textHash: string }>;
  /** The number of dimensions of a model's vectors; null without vectors. */
  dimensions(model: string): number | null;
  /** Keys without a vector of a model: values first, then the newest entries. */
  unembedded(model: string, limit: number): readonly VectorKey[];
};

export type MemoryStore = EntryStore & EntrySearch & ValueStore & VectorStore & { close(): void };
