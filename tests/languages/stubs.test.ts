import { expect, test } from "bun:test";
import { Language, Parser } from "web-tree-sitter";
import { commentIn, LANGUAGES, stubIn } from "../../src/languages/languages.ts";
import { openRuntime } from "../../src/syntax/parse/runtime.ts";
import { factsOf } from "../syntax/render.ts";

/** Definitions of the kinds that have a stub. */
const SOURCES: Readonly<Record<string, string>> = {
  python: `
class Cart(Base, metaclass=Meta):
    limit: int = 100

    async def add(self, item: "Item", *, count: int = 1) -> None:
        pass

def flash(message: str, category: str = "message") -> None:
    pass
`,
  go: `
package shop

type Cart[T any] struct { Items []T }
type Store interface { Get(id string) (*Cart[int], error) }

func (c *Cart[T]) Add(item T, more ...T) (int, error) { return 0, nil }
func Open(name string) *Cart[int] { return nil }
`,
  rust: `
pub struct Cart<T: Clone> { items: Vec<T> }
pub enum Kind { A, B }
pub trait Store: Send { fn get(&self, id: &str) -> Option<u8>; }
impl<T: Clone> Cart<T> { pub fn add(&mut self, item: T) -> usize where T: Copy { 0 } }
pub(crate) async fn open<'a>(name: &'a str) -> Result<u8, String> { Ok(1) }
`,
  typescript: `
export abstract class Cart<T> extends Base<T> implements Store { add(item: T): void {} }
export interface Store extends Base { get(id: string): string }
export enum Kind { A, B }
export function open(name: string): void {}
`,
  tsx: "export class Cart extends Base<Props> { render() { return <p>hello</p>; } }\nexport default function f() {}\n",
  javascript: "export default class Cart extends Base { add(item) {} }\n",
};

async function parserOf(language: string): Promise<Parser> {
  await openRuntime();
  const parsing = LANGUAGES.get(language)?.parsing;
  if (parsing?.kind !== "grammar") throw new Error(`${language} has no grammar`);
  const parser = new Parser();
  parser.setLanguage(await Language.load(`node_modules/${parsing.wasm}`));
  return parser;
}

for (const [language, source] of Object.entries(SOURCES))
  test(`a signature of ${language} is code or a comment`, async () => {
    const parser = await parserOf(language);
    const { symbols } = await factsOf(language, source);
    const begun = new Set<unknown>();
    const stubs = LANGUAGES.get(language)?.stubs ?? [];
    for (const symbol of symbols) {
      const line = stubIn(language, symbol.signature, "⋮ line 3, in Cart: What it does */ -->.");
      const tree = parser.parse(`${line}\n`);
      expect([line, tree?.rootNode.hasError]).toEqual([line, false]);
      begun.add(stubs.find(([begins]) => begins.test(symbol.signature)));
    }
    for (const stub of stubs) expect(begun).toContain(stub);
  });

test("a comment has the syntax of its language", () => {
  expect(commentIn("python", "⋮ line 3")).toBe("# ⋮ line 3");
  expect(commentIn("sql", "⋮ line 3")).toBe("-- ⋮ line 3");
  expect(commentIn("css", "ends */ here")).toBe("/* ends * / here */");
  expect(commentIn("ocaml", "⋮ line 3")).toBe("(* ⋮ line 3 *)");
  expect(commentIn("markdown", "⋮ line 3")).toBe("<!-- ⋮ line 3 -->");
  expect(commentIn("nim", "⋮ line 3")).toBe("# ⋮ line 3");
  expect(commentIn("c", "ends with \\")).toBe("// ends with \\ .");
  expect(commentIn("text", "⋮ line 3")).toBe("⋮ line 3");
});

test("a signature that was cut, or that needs its body, is a comment", () => {
  expect(stubIn("python", "def f(a, …", "⋮ line 1")).toBe("# def f(a, … ⋮ line 1");
  expect(stubIn("java", "public int f(int a)", "⋮ line 1")).toBe("// public int f(int a) ⋮ line 1");
});
