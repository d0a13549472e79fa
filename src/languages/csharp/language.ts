/** C#: its files, its words, and where its grammar comes from. */
import { TEXTUAL } from "../highlighting.ts";
import type { Language } from "../language.ts";
import { holder, NOMINAL_NAMES, words } from "../name-rules.ts";

export const CSHARP = {
  endings: "cs",
  rareEndings: "csx",
  stackFrames: "other",
  roles: { test: String.raw`[^/]*Tests?\.cs` },
  highlighting: {
    ...TEXTUAL,
    keywords: `abstract as async await base bool break byte case catch char checked class const continue decimal
      default delegate do double else enum event explicit extern false finally fixed float for foreach get goto if
      implicit in init int interface internal is lock long namespace new null object operator out override params
      private protected public readonly record ref required return sbyte sealed set short sizeof stackalloc static
      string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using value var virtual void
      volatile when where while with yield`,
  },
  imports: "csharp",
  names: {
    ...NOMINAL_NAMES,
    declares: "type name",
    parts: "package",
    outerPackages: "parents",
    dottedPackages: true,
    root: "global",
    extensions: "this",
    attributes: "Attribute",
    classHeader: "parameters",
    holders: [
      holder(
        `Collection ConcurrentBag ConcurrentQueue HashSet ICollection IEnumerable IEnumerator IList IOrderedEnumerable IQueryable
         IReadOnlyCollection IReadOnlyList ISet ImmutableArray ImmutableList LinkedList List ObservableCollection Queue Stack`,
        `@All @Any @ConvertAll @Count @DistinctBy @Exists @FindAll @Find @FindIndex @First @FirstOrDefault @ForEach @GroupBy @Last
         @LastOrDefault @Max @MaxBy @Min @MinBy @OrderBy @OrderByDescending @RemoveAll @Select @SelectMany @Single @SingleOrDefault
         @SkipWhile @Sum @TakeWhile @ThenBy @ThenByDescending @ToDictionary @ToLookup @TrueForAll @Where
         Current Dequeue ElementAt Find FindLast First FirstOrDefault Last LastOrDefault MaxBy MinBy Peek Pop Single SingleOrDefault`,
        `Append AsEnumerable AsQueryable Concat Distinct DistinctBy Except FindAll GetEnumerator Intersect OrderBy OrderByDescending Prepend
         Reverse Skip SkipWhile Take TakeWhile ThenBy ThenByDescending ToArray ToHashSet ToList Union Where`,
      ),
      holder("Task ValueTask", "await GetResult Result", "AsTask ConfigureAwait GetAwaiter WaitAsync"),
      holder("AsyncLocal IOptions IOptionsSnapshot Lazy ThreadLocal", "Value"),
    ],
    wrappers: words(
      `public private protected internal static readonly const volatile abstract virtual override sealed async extern
       unsafe new partial required ref out in params this scoped event Nullable`,
    ),
  },
  parsing: {
    kind: "grammar",
    wasm: "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm",
    load: async () => (await import("./syntax.ts")).CSHARP_GRAMMAR,
    sample: { text: "class Greeter {\n  int Greet() { return 1; }\n}\n", finds: "Greeter" },
  },
} satisfies Language;
