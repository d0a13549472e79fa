/** Rust: its files, its words, and where its grammar comes from. */
import { TYPED } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { holder, NOMINAL_NAMES, words } from "../name-rules.ts";

export const RUST = {
  endings: "rs",
  stackFrames: "rust",
  roles: {
    test: String.raw`[^/]*_tests?\.rs|tests?\.rs`,
    example: String.raw`[^/]*_bench\.rs`,
    config: String.raw`build\.rs`,
  },
  namelessBlock: /^\s*(?:unsafe\s+|default\s+)*impl\b/,
  highlighting: {
    ...TYPED,
    keywords: `as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i16 i32
      i64 i8 if impl in isize let loop match mod move mut pub ref return self Self static str struct super trait true
      type u16 u32 u64 u8 union unsafe use usize where while`,
  },
  stubs: [
    [/^(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn /, ";"],
    [/^(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:struct|enum|trait) [^(]*$/, " {}"],
  ],
  imports: "rust",
  names: {
    ...NOMINAL_NAMES,
    selfIsModule: true,
    macros: "macro_rules!",
    wrappers: words("mut dyn impl const static ref Box Rc Arc Ref RefMut Pin Cow Lazy LazyCell LazyLock"),
    holders: [
      holder(
        "Option Result",
        `? unwrap expect unwrap_or unwrap_or_default unwrap_or_else @and_then @filter @inspect @is_none_or @is_ok_and @is_some_and @map
         @then`,
        `as_deref as_deref_mut as_mut as_ref clone cloned context copied filter inspect inspect_err map_err ok ok_or
         ok_or_else or or_else take with_context`,
      ),
      holder(
        "BTreeSet BinaryHeap HashSet IndexSet Vec VecDeque",
        `@all @any @filter_map @flat_map @for_each @map @map_while @retain @retain_mut`,
        "by_ref cloned copied drain filter fuse inspect into_iter iter iter_mut rev skip skip_while step_by take take_while",
      ),
      holder("BoxFuture Future LocalBoxFuture", "await"),
      holder("RefCell", "borrow borrow_mut"),
      // What locks them gives a result, and of some libraries a future: it counts as the lock itself until that is opened.
      holder("Mutex RwLock", "? await expect unwrap", "get_mut into_inner lock read try_lock try_read try_write write"),
      holder("OnceCell OnceLock", "? expect get_or_init unwrap", "get"),
    ],
    asynchronous: "Future",
    copies: words("clone to_owned"),
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm",
    load: async () => (await import("./syntax.ts")).RUST_GRAMMAR,
    sample: { text: "pub fn greet() -> u8 {\n    1\n}\n", finds: "greet" },
  },
} satisfies Language;
