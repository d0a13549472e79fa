import { expect, test } from "bun:test";
import { renderMarkdown } from "../../../src/retrieval/render/markdown.ts";
import { indexed } from "../../support/indexed.ts";
import { shared } from "../../support/shared.ts";

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
