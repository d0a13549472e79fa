/**
 * The imports of a file, from the matches of its import queries.
 *
 * Each match binds at most one name; the matches of one statement and kind form one fact. A match without names
 * (`import "x"`, a bare `require("x")`) counts only if no other match at the same place has names.
 *
 * Captures of a pattern: @import is the statement, @specifier what it names, @name a name in the other file, @alias the name here.
 * @types_only is a part of a file whose imports are for types. Settings: `#set! kind` is a kind other than `import` and `type`,
 * `#set! name` the name in place of @name, and `#set! star "true"` says that all names are imported.
 */
import type { ImportClause } from "../../languages/syntax.ts";
import type { Span } from "../../text/lines.ts";
import { contains, type Match, unquoted } from "../query/match.ts";
import type { ImportFact } from "./facts.ts";
import { type SourceText, textOf } from "./source-text.ts";

/** `bound` holds the offsets of the names that imports define here: a definition at one of them is that import. */
type Imports = { readonly facts: readonly ImportFact[]; readonly bound: ReadonlySet<number> };

type Draft = {
  readonly start: number;
  readonly specifier: string;
  readonly kind: ImportFact["kind"];
  readonly names: Map<string, ImportFact["names"][number]>;
  star: boolean;
};

export function findImports(source: SourceText, matches: readonly Match[]): Imports {
  const typeOnly = matches.flatMap(({ captures }) => captures.get("types_only") ?? []);
  const bound = new Set<number>();
  const drafts = new Map<string, Draft>();
  for (const { captures, settings } of matches) {
    const statement = captures.get("import");
    const specifier = captures.get("specifier");
    if (statement === undefined) continue;
    if (specifier === undefined) {
      const set = settings.get("kind");
      for (const [at, draft] of draftsFromText(source, statement, set).entries()) {
        const key = `${draft.start} ${at}`;
        if (set !== undefined || !drafts.has(key)) drafts.set(key, draft);
      }
      continue;
    }
    const name = captures.get("name");
    const alias = captures.get("alias");
    const kind = kindOf(settings.get("kind"), isTypeOnly(typeOnly, statement, name));
    if (alias !== undefined && kind !== "reexport" && kind !== "require_reexport") bound.add(alias.start);

    const written = textOf(source, specifier);
    const key = `${statement.start} ${kind} ${written}`;
    const draft = drafts.get(key) ?? {
      start: statement.start,
      specifier: written,
      kind,
      names: new Map(),
      star: false,
    };
    drafts.set(key, draft);
    if (settings.get("star") === "true") draft.star = true;
    const there = settings.get("name") ?? (name === undefined ? null : unquoted(textOf(source, name)));
    if (there === null) continue;
    const here = alias === undefined ? source.style.aliasOf(written) : unquoted(textOf(source, alias));
    draft.names.set(`${there} ${here}`, { name: there, alias: here });
  }
  return { facts: toFacts(source, [...drafts.values()]), bound };
}

/** Reads clauses from a statement's text, for languages whose tree does not contain them. */
function draftsFromText(source: SourceText, statement: Span, set: string | undefined): readonly Draft[] {
  const clauses: readonly ImportClause[] =
    source.style.readImport?.(textOf(source, statement).slice(0, STATEMENT_MAX)) ?? [];
  return clauses.map(
    ({ specifier, names, star, kind }): Draft => ({
      start: statement.start,
      specifier,
      kind: kind ?? kindOf(set, false),
      names: new Map(names.map((bound) => [`${bound.name} ${bound.alias}`, bound])),
      star,
    }),
  );
}

const STATEMENT_MAX = 4_000;

function isTypeOnly(typeOnly: readonly Span[], statement: Span, name: Span | undefined): boolean {
  return typeOnly.some((span) => contains(span, statement) || (name !== undefined && contains(span, name)));
}

function kindOf(setting: string | undefined, typeOnly: boolean): ImportFact["kind"] {
  if (isKind(setting)) return setting;
  return typeOnly ? "type" : "import";
}

function toFacts({ lines }: SourceText, drafts: readonly Draft[]): readonly ImportFact[] {
  const saysSomething = ({ names, star }: Draft): boolean => names.size > 0 || star;
  const spokenFor = new Set(drafts.filter(saysSomething).map(({ start }) => start));
  return drafts
    .filter((draft) => saysSomething(draft) || !spokenFor.has(draft.start))
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, specifier, kind, names, star }) => ({
      specifier,
      line: lines.lineOf(start),
      kind,
      names: [...names.values()],
      star,
    }));
}

const SET_KINDS = ["reexport", "require", "require_reexport", "dynamic"] as const;
const isKind = (setting: string | undefined): setting is (typeof SET_KINDS)[number] =>
  SET_KINDS.some((kind) => kind === setting);
