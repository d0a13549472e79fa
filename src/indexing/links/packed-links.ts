/**
 * Links of files as numbers, because objects take longer to pass between threads than to make.
 *
 * Files are positions in a list that both sides know. A batch is a run of files: the file, its numbers of imports and of references, then these.
 */
import type { PathPositions } from "../model/path-positions.ts";
import { REFERENCE_EDGE_KINDS, type ReferenceEdge } from "../references/resolve-references.ts";
import type { FileLinks } from "./resolve-links.ts";

/** The links of one file, without what only its own thread asks for. */
export type FileEdges = {
  readonly path: string;
  readonly imports: readonly Pick<FileLinks["imports"][number], "source" | "target" | "kind">[];
  readonly references: readonly Omit<ReferenceEdge, "name">[];
};

/** About how many numbers a batch has: the links of some hundred files, so that little is left to take when the last one comes. */
const BATCH_NUMBERS = 8 * 1024;
/** Confidences have at most six decimals. */
const CONFIDENCE_STEPS = 1e6;
export const IMPORT_EDGE_KINDS = ["import", "type_ref"] as const;

/** Packs files one by one; `send` gets each batch when it is full, and `end` sends the last one. */
export function linkPacker(positions: PathPositions, send: (batch: Int32Array<ArrayBuffer>) => void) {
  const positionOf = (path: string): number => {
    const position = positions.get(path);
    if (position === undefined) throw new Error(`a link leads to ${path}, which is not indexed`);
    return position;
  };
  let numbers: number[] = [];
  const end = (): void => {
    if (numbers.length > 0) send(Int32Array.from(numbers));
    numbers = [];
  };
  return {
    put({ source, imports, references }: FileLinks): void {
      if (imports.length + references.length === 0) return;
      numbers.push(positionOf(source.path), imports.length, references.length);
      for (const { target, kind } of imports) numbers.push(positionOf(target), IMPORT_EDGE_KINDS.indexOf(kind));
      for (const { caller, calleePath, callee, kind, confidence } of references) {
        const steps = Math.round(confidence * CONFIDENCE_STEPS);
        numbers.push(caller, positionOf(calleePath), callee, REFERENCE_EDGE_KINDS.indexOf(kind), steps);
      }
      if (numbers.length >= BATCH_NUMBERS) end();
    },
    end,
  };
}

/** The files of a batch. Throws if it does not fit the list. */
export function* unpackLinks(paths: readonly string[], batch: Int32Array): Generator<FileEdges> {
  let at = 0;
  const next = (): number => batch[at++] ?? -1;
  const pathAt = (): string => present(paths[next()]);
  while (at < batch.length) {
    const path = pathAt();
    const [importCount, referenceCount] = [next(), next()];
    const imports = Array.from({ length: importCount }, () => ({
      source: path,
      target: pathAt(),
      kind: present(IMPORT_EDGE_KINDS[next()]),
    }));
    const references = Array.from({ length: referenceCount }, () => ({
      callerPath: path,
      caller: next(),
      calleePath: pathAt(),
      callee: next(),
      kind: present(REFERENCE_EDGE_KINDS[next()]),
      confidence: next() / CONFIDENCE_STEPS,
    }));
    yield { path, imports, references };
  }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("links from another thread do not fit the files");
  return value;
}
