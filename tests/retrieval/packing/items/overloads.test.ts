import { expect, test } from "bun:test";
import { renderMarkdown } from "../../../../src/retrieval/render/markdown.ts";
import { indexed } from "../../../support/indexed.ts";
import { shared } from "../../../support/shared.ts";

const CLI = `import typing as t


@t.overload
def locate_app(name: str, raise_if_not_found: t.Literal[True] = True) -> "App": ...


@t.overload
def locate_app(name: str, raise_if_not_found: t.Literal[False]) -> "App | None": ...


def locate_app(name: str, raise_if_not_found: bool = True) -> "App | None":
    """Locates the app."""
    found = find(name)
    if found is None and raise_if_not_found:
        raise LookupError(name)
    return found


def find(name: str) -> "App | None": return APPS.get(name)


APPS: dict = {}
`;
const FILLER = "def unrelated(a):\n    return a\n".repeat(40);
const world = shared(await indexed({ "cli.py": CLI, "b.py": FILLER }));

test("overloads come with their implementation, as one definition", async () => {
  const { pkg } = await world.run("fix locate_app in cli.py", { budget: 2_000 });
  const text = renderMarkdown(pkg);
  expect(text).toContain(CLI.slice(CLI.indexOf("@t.overload"), CLI.indexOf("\n\n\ndef find")));
  const names = pkg.files.flatMap(({ symbols }) => symbols.map(({ name }) => name));
  expect(names.filter((name) => name === "locate_app")).toHaveLength(1);
});

test("with little room the signature is that of the implementation", async () => {
  const { pkg } = await world.run("fix locate_app", { budget: 80 });
  const [symbol] = pkg.files.flatMap(({ symbols }) => symbols);
  expect([symbol?.name, symbol?.start_line]).toEqual(["locate_app", 12]);
});

test("a definition of one line is shown, not its signature", async () => {
  for (const budget of [120, 160, 200, 2_000]) {
    const text = renderMarkdown((await world.run("fix locate_app in cli.py", { budget })).pkg);
    expect(text).not.toContain('find(name: str) -> "App | None": ...');
  }
  const text = renderMarkdown((await world.run("fix locate_app in cli.py", { budget: 2_000 })).pkg);
  expect(text).toContain('def find(name: str) -> "App | None": return APPS.get(name)');
});

const PARSE = `/** Parses a shelf label. */
export function parseLabel(text: string): string;
export function parseLabel(
  text: string,
  strict: true,
): { kind: string };
export function parseLabel(text: string, strict?: boolean): unknown {
  const parts = text.split("-");
  if (strict === true && parts.length < 2) throw new Error(text);
  return parts.at(-1);
}

export class Shelf {
  put(book: string): void
  put(book: number): void
  put(book: unknown): void {
    this.books.push(parseLabel(String(book)));
  }
}
`;
const OTHER = "export function unrelated(a: number) {\n  return a;\n}\n".repeat(40);
const typed = shared(await indexed({ "src/label.ts": PARSE, "src/other.ts": OTHER }));

test("overloads of TypeScript come with their implementation", async () => {
  const { pkg } = await typed.run("parseLabel ignores strict in src/label.ts", { budget: 2_000 });
  expect(renderMarkdown(pkg)).toContain(PARSE.slice(0, PARSE.indexOf("\nexport class")));
  const shown = pkg.files.flatMap(({ symbols }) =>
    symbols.map(({ name, start_line, end_line }) => [name, start_line, end_line]),
  );
  expect(shown.filter(([name]) => name === "parseLabel")).toEqual([["parseLabel", 7, 11]]);
});

test("and so do overloads of methods", async () => {
  const { pkg } = await typed.run("fix Shelf.put", { budget: 2_000 });
  expect(renderMarkdown(pkg)).toContain(
    "  put(book: string): void\n  put(book: number): void\n  put(book: unknown): void {",
  );
  const shown = pkg.files.flatMap(({ symbols }) => symbols.map(({ qualified_name }) => qualified_name));
  expect(shown.filter((name) => name === "Shelf.put")).toHaveLength(1);
});

test("signatures without an implementation stay as they are", async () => {
  const text =
    "export interface Shop {\n  find(id: string): Book;\n  find(id: number): Book;\n}\n\nexport declare function open(a: string): void;\nexport declare function open(a: number): void;\n";
  const world = shared(await indexed({ "shop.d.ts": text, "other.ts": OTHER }));
  const { pkg } = await world.run("fix open in shop.d.ts", { budget: 2_000 });
  expect(renderMarkdown(pkg)).toContain(
    "export declare function open(a: string): void;\nexport declare function open(a: number): void;",
  );
});
