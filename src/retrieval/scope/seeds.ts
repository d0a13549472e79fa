/**
 * Seed files: the files that the task names, by path or by a symbol defined in them.
 *
 * A name with too many possible files (`namesTooMany`) makes no seed, unless the user gave it as a hint. At most
 * `SEEDS_FROM_TEXT_MAX` seeds come from the task's text, best first; a notice names the others, which stay candidates.
 * Hints always count.
 */

import type { FileRow } from "../../db/curated/knowledge-base.ts";
import { roleOf } from "../../languages/file-role.ts";
import type { Notice } from "../../notice.ts";
import type { NamedFormerly } from "../../task/query.ts";
import { display } from "../../text/display.ts";
import { inOrder } from "../../text/order.ts";
import { NEAR_MAX, nearPath } from "../anchors/near-path.ts";
import { positionsById } from "../lexical/file-positions.ts";
import { type Anchor, isPattern, namesTooMany, type TracedLine } from "../model/anchor.ts";
import type { Seed } from "../model/selection.ts";

const SYMBOLS_PER_NAME_MAX = 5;
const SEEDS_FROM_TEXT_MAX = 20;

/** How directly a kind of anchor names a file; a smaller number names it more directly. Kinds left out make no seeds. */
const DIRECTNESS: Partial<Record<Anchor["kind"], number>> = {
  accepted: -2,
  missing: -1,
  changed: -0.5,
  hint: 0,
  path: 1,
  url: 2,
  trace: 3,
  qualified: 4,
  module: 5,
  definition: 6,
};

/** Kinds that name a file by its path, which is never there by chance, even in a list of versions or a checklist. */
const PLACES: ReadonlySet<Anchor["kind"]> = new Set(["path", "url", "trace", "module"]);

/** Sections by how deliberately a name is written there. */
const SECTION_ORDER: Record<Anchor["section"], number> = {
  title: 0,
  inline: 1,
  error: 2,
  prose: 3,
  trace: 4,
  code: 5,
  noise: 6,
};

/** Picks the seeds among the candidate files, best first. `isShort`: the task is one sentence, in which a name counts more. */
export function pickSeeds(
  anchors: readonly Anchor[],
  files: readonly FileRow[],
  isShort = false,
): { readonly seeds: readonly Seed[]; readonly notices: readonly Notice[] } {
  const candidates = positionsById(files);
  const fileOf = (id: number): FileRow | undefined => files[candidates.get(id) ?? -1];
  const notices: Notice[] = [];
  const named = anchors
    .map((anchor) => ({ ...anchor, files: anchor.files.filter((id) => candidates.has(id)) }))
    .filter((anchor) => anchor.files.length > 0 && namesFiles(anchor) && !isOfExample(anchor, fileOf))
    .map((anchor) => ({ ...anchor, files: meantFiles(anchor, fileOf) }))
    .sort(byDirectness);
  const frameOf = deepestFrames(named);
  for (const anchor of anchors) {
    if (anchor.kind === "hint" && !anchor.files.some((id) => candidates.has(id)))
      notices.push(
        deletedNotice(anchor.former) ??
          unknownHint(anchor.text, notices.length < NEAR_MAX ? nearPath(anchor.text, files) : null),
      );
    else if (isAmbiguous(anchor) && !anchor.files.some((id) => frameOf.has(id)))
      notices.push({ code: "name-ambiguous", name: anchor.text, files: anchor.files.length });
  }
  const seeds = new Map<number, FoundSeed>();
  // A name that many symbols share (a method of every class) makes its file a seed, but names none of them.
  const symbolsOf = ({ kind, symbols }: Anchor): readonly number[] =>
    isGiven(kind) || symbols.length <= SYMBOLS_PER_NAME_MAX ? symbols : [];
  const over: string[] = [];
  let fromText = 0;
  for (const anchor of named) {
    const given = isGiven(anchor.kind);
    const missing = anchor.kind === "missing" ? anchor.symbols : [];
    const changed = anchor.kind === "changed" ? anchor.symbols : null;
    const traced = anchor.traced === undefined ? [] : [anchor.traced];
    for (const id of anchor.files) {
      const known = seeds.get(id);
      if (known) {
        for (const symbol of symbolsOf(anchor)) known.symbols.add(symbol);
        for (const symbol of missing) known.missing.add(symbol);
        if (changed !== null) known.changed = [...(known.changed ?? []), ...changed];
        known.traced.push(...traced);
        continue;
      }
      if (!given && fromText >= SEEDS_FROM_TEXT_MAX) {
        over.push(fileOf(id)?.path ?? "");
        continue;
      }
      if (!given) fromText += 1;
      const symbols = new Set(symbolsOf(anchor));
      const first = isAside(anchor, fileOf) ? null : firstBy(anchor, isShort);
      const isPath = isNamedFile(anchor);
      const isTraced = anchor.kind === "trace" || (anchor.kind === "path" && !isPath);
      const reason = reasonOf((isTraced ? frameOf.get(id) : undefined) ?? anchor);
      seeds.set(id, { reason, first, isPath, symbols, given, missing: new Set(missing), changed, traced: [...traced] });
    }
  }
  if (over.length > 0)
    notices.push({ code: "seeds-capped", kept: SEEDS_FROM_TEXT_MAX, left: [...new Set(over)].sort() });
  return {
    seeds: [...seeds].map(([fileId, seed]) => ({
      fileId,
      reason: seed.reason,
      symbols: [...seed.symbols],
      given: seed.given,
      ...(seed.first === null ? {} : { first: seed.first }),
      ...(seed.isPath ? { isPath: true as const } : {}),
      ...(seed.missing.size > 0 ? { missing: [...seed.missing] } : {}),
      ...(seed.changed === null ? {} : { changed: seed.changed }),
      ...(seed.traced.length > 0 ? { traced: seed.traced.toSorted((a, b) => a.depth - b.depth) } : {}),
    })),
    notices,
  };
}

const unknownHint = (hint: string, near: string | null): Notice => ({
  code: "hint-unknown",
  hint,
  ...(near === null ? {} : { near }),
});

/** Of a path whose file a commit deleted. */
export const deletedNotice = (former: NamedFormerly | undefined): Notice | null =>
  former?.now === null ? { code: "path-deleted", path: display(former.was), commit: former.commit } : null;

/** By id of the file: the frame that says why it is in a trace, which has the line besides the path. */
function deepestFrames(anchors: readonly Anchor[]): ReadonlyMap<number, Anchor> {
  const frames = anchors.filter(({ kind }) => kind === "trace").toSorted((a, b) => a.value - b.value);
  return new Map(frames.flatMap((frame) => frame.files.map((id) => [id, frame] as const)));
}

const isAmbiguous = (anchor: Anchor): boolean =>
  anchor.kind === "path" && namesTooMany(anchor) && anchor.section !== "noise";

type First = NonNullable<Seed["first"]>;

type FoundSeed = {
  readonly reason: string;
  readonly first: First | null;
  readonly isPath: boolean;
  readonly symbols: Set<number>;
  readonly given: boolean;
  readonly missing: Set<number>;
  changed: readonly number[] | null;
  readonly traced: TracedLine[];
};

const GIVEN: ReadonlySet<Anchor["kind"]> = new Set(["hint", "accepted", "missing", "changed"]);

const isGiven = (kind: Anchor["kind"]): boolean => GIVEN.has(kind);

/** A hint of a path always comes first. In a short text a file that it names does, and the one that defines a symbol. */
function firstBy({ kind, symbols, files }: Anchor, isShort: boolean): First | null {
  if (kind !== "hint" && (isGiven(kind) || !isShort)) return null;
  if (symbols.length === 0) return "file";
  return kind === "hint" || files.length === 1 ? "symbol" : null;
}

/** Whether an anchor is the path of a file, written by a person: not in a trace, a log or an example. */
const isNamedFile = ({ kind, section, symbols }: Anchor): boolean =>
  symbols.length === 0 &&
  (kind === "hint" || (kind === "path" && (section === "title" || section === "inline" || section === "prose")));

/** Whether an anchor is specific enough to make seeds. */
function namesFiles(anchor: Anchor): boolean {
  if (isGiven(anchor.kind)) return true;
  if (DIRECTNESS[anchor.kind] === undefined) return false;
  if (anchor.section === "noise" && !PLACES.has(anchor.kind)) return false;
  if (namesTooMany(anchor)) return false;
  if (anchor.kind !== "definition") return true;
  if (!anchor.codeLike) return false;
  // Example code is full of names that only happen to exist here: it must be unmistakable.
  const sample = anchor.section === "code" || anchor.section === "trace";
  return !sample || (anchor.files.length === 1 && /[a-z0-9]_[a-z0-9]|[a-z0-9][A-Z]/.test(anchor.text));
}

/** Names that people give to things in examples. */
const MADE_UP_NAMES: ReadonlySet<string> = new Set(
  "foo bar baz qux quux foobar spam ham eggs blah dummy hello world test_foo test_bar my_func my_class myclass".split(
    " ",
  ),
);

const isSource = (file: FileRow | undefined): boolean => file !== undefined && roleOf(file) === "source";

/**
 * Whether a name is one of the issue's own example: a made-up one that no single source file defines, `Author.objects` in
 * example code where only tests have an `Author`, or the bare name of a file (`.gitignore`) in code or a list, which several files have.
 */
function isOfExample({ kind, text, section, files }: Anchor, fileOf: (id: number) => FileRow | undefined): boolean {
  if (kind === "definition" && MADE_UP_NAMES.has(text.toLowerCase()))
    return !(files.length === 1 && files.every((id) => isSource(fileOf(id))));
  if (kind === "path" && files.length > 1 && (section === "code" || section === "noise"))
    return !text.includes("/") && !isPattern(text);
  return kind === "qualified" && section === "code" && files.every((id) => fileOf(id)?.isTest === true);
}

/** Whether a name is an ordinary word that no source defines: what a test or an example calls so is hardly what is meant. */
const isAside = ({ kind, text, files }: Anchor, fileOf: (id: number) => FileRow | undefined): boolean =>
  kind === "definition" &&
  /^\p{L}[\p{Ll}\p{N}]*$/u.test(text) &&
  files.every((id) => {
    const file = fileOf(id);
    return file === undefined || !["source", "declaration"].includes(roleOf(file));
  });

/** If sources define a name, it means these definitions, not those of tests with the same name. */
function meantFiles({ kind, files }: Anchor, fileOf: (id: number) => FileRow | undefined): readonly number[] {
  const sources = kind === "definition" ? files.filter((id) => fileOf(id)?.isTest === false) : [];
  return sources.length > 0 ? sources : files;
}

function byDirectness(a: Anchor, b: Anchor): number {
  return (
    (DIRECTNESS[a.kind] ?? 9) - (DIRECTNESS[b.kind] ?? 9) ||
    (a.traced?.depth ?? 0) - (b.traced?.depth ?? 0) ||
    SECTION_ORDER[a.section] - SECTION_ORDER[b.section] ||
    a.files.length - b.files.length ||
    inOrder(a.text, b.text)
  );
}

const HASH_CHARS = 7;

function reasonOf(anchor: Anchor): string {
  if (anchor.former === undefined) return reasonNow(anchor);
  const { was, commit } = anchor.former;
  const how =
    anchor.kind === "hint"
      ? "given as a hint"
      : anchor.kind === "trace"
        ? "in the stack trace"
        : "which the task names";
  return `was ${display(was)}, ${how}, until ${commit.slice(0, HASH_CHARS)}`;
}

function reasonNow(anchor: Anchor): string {
  switch (anchor.kind) {
    case "hint":
      return `given as a hint: ${anchor.text}`;
    case "accepted":
      return "accepted";
    case "missing":
      return `asked for as missing: ${anchor.text}`;
    case "changed":
      return `was changed: ${anchor.text}`;
    case "trace":
      return `in the stack trace: ${anchor.text}`;
    case "definition":
    case "qualified":
      return `defines ${anchor.text}, which the task names`;
    default:
      return `the task names ${anchor.text}`;
  }
}
