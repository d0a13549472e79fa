import { describe, expect, test } from "bun:test";
import { CSHARP } from "../../../src/indexing/imports/csharp.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { checkEdges } from "./imports-check.ts";

/** What the usings of a file bind, one a line: alias, then name, and where it comes from. */
async function bound(fixture: string, path: string): Promise<readonly string[]> {
  const texts = fixtureTexts(fixture);
  const files = await fixtureFiles(texts);
  const resolver = CSHARP.open(files, new Set(texts.keys()), (each) => texts.get(each) ?? null);
  const imports = [
    ...(files.find((file) => file.path === path)?.facts.imports ?? []),
    ...(resolver.implied?.(path) ?? []),
  ];
  return imports
    .flatMap((fact) => resolver.resolve(path, fact).bindings)
    .map(({ alias, name, module, group, star }) => `${star ? "star" : alias} ${name} ${module ?? group ?? "outside"}`);
}

describe("a using of a namespace", () => {
  checkEdges(
    "imports the files that define what is used, in any folder",
    `
//- App/Program.cs
using Shop.Orders;
using System.Text;
class Program : IEntity { Order o = new(); void Run() { Prices.Total(1); Builder b; } }
//- Lib/Order.cs
namespace Shop.Orders;
public class Order { }
//- Lib/Order.Parts.cs
namespace Shop.Orders { public partial class Order { } }
//- Lib/Prices.cs
namespace Shop.Orders;
public static class Prices { }
//- Lib/IEntity.cs
namespace Shop.Orders;
public interface IEntity { }
//- Lib/Unused.cs
namespace Shop.Orders;
public class Unused { }
//- Lib/Builder.cs
namespace Shop.Build;
public class Builder { }
`,
    `
App/Program.cs -> Lib/IEntity.cs
App/Program.cs -> Lib/Order.Parts.cs
App/Program.cs -> Lib/Order.cs
App/Program.cs -> Lib/Prices.cs
`,
  );

  checkEdges(
    "imports attributes by their short name, and called extension methods",
    `
//- App/Program.cs
using Web;
[Route("x")] class Program { void Run(App app) { app.UseAll().Hide(); } }
//- Web/RouteAttribute.cs
namespace Web;
public class RouteAttribute { }
//- Web/Extensions.cs
namespace Web;
public static class Extensions { public static App UseAll(this App app) => app; }
//- Web/Hidden.cs
namespace Web;
public static class Hidden { private static App Hide(this App app) => app; }
//- Web/Others.cs
namespace Web;
public static class Others { public static App UseAll(App app) => app; }
`,
    `
App/Program.cs -> Web/Extensions.cs
App/Program.cs -> Web/RouteAttribute.cs
`,
  );

  checkEdges(
    "imports nothing if nothing is used of it, or if it is the file's own namespace",
    `
//- A.cs
using Other;
namespace Own;
class A { B b; }
//- B.cs
namespace Own;
class B { }
//- C.cs
namespace Other;
class C { }
`,
    "",
  );

  checkEdges(
    "can be relative to the enclosing namespace",
    `
//- A.cs
namespace Shop.Web { using Models; class A { Item item; } }
//- B.cs
namespace Shop.Models { class Item { } }
`,
    "A.cs -> B.cs",
  );
});

checkEdges(
  "static usings and aliases import the file of the type",
  `
//- A.cs
using static Lib.Maths;
using Money = Lib.Price<int>;
using Inner = Lib.Outer.Inner;
using L = Lib;
using Gone = Elsewhere.Thing;
class A { L.Other o; Money m; }
//- Maths.cs
namespace Lib;
static class Maths { }
//- Price.cs
namespace Lib;
class Price<T> { }
//- Outer.cs
namespace Lib;
class Outer { public class Inner { } }
//- Other.cs
namespace Lib;
class Other { }
//- Thing.cs
namespace Lib;
class Thing { }
`,
  `
A.cs -> Maths.cs
A.cs -> Other.cs
A.cs -> Outer.cs
A.cs -> Price.cs
`,
);

checkEdges(
  "global usings, and those of the project file, apply to their project only",
  `
//- one/one.csproj
<Project><ItemGroup><Using Include="Tools" /><Using Include="Never" Alias="N" /></ItemGroup></Project>
//- one/Usings.cs
global using Lib;
//- one/A.cs
class A { Thing thing; Hammer hammer; }
//- two/two.csproj
<Project></Project>
//- two/B.cs
class B { Thing thing; Hammer hammer; }
//- lib/Thing.cs
namespace Lib;
public class Thing { }
//- lib/Hammer.cs
namespace Tools;
public class Hammer { }
`,
  `
one/A.cs -> lib/Hammer.cs
one/A.cs -> lib/Thing.cs
`,
);

checkEdges(
  "if several projects define a name, the importer's own comes first, then the nearest, then tests",
  `
//- a/a.csproj
//- a/Use.cs
using Shared;
class Use { Thing thing; Near near; Tested tested; }
//- a/Thing.cs
namespace Shared;
class Thing { }
//- b/b.csproj
//- b/Thing.cs
namespace Shared;
class Thing { }
//- a/deep/deep.csproj
//- a/deep/Near.cs
namespace Shared;
class Near { }
//- b/Near.cs
namespace Shared;
class Near { }
//- b/Tested.cs
namespace Shared;
class Tested { }
//- a/tests/Tested.cs
namespace Shared;
class Tested { }
`,
  `
a/Use.cs -> a/Thing.cs
a/Use.cs -> a/deep/Near.cs
a/Use.cs -> b/Tested.cs
`,
);

test("bindings say where names come from", async () => {
  const fixture = `
//- A.cs
extern alias Old;
using Lib;
using System;
using X = Lib.Thing;
using I = Lib.Thing.Inner;
using N = global::Lib;
using S = System.Text;
namespace Own;
//- p.csproj
<Using Include="Lib" />
//- Thing.cs
namespace Lib;
class Thing { class Inner { } }
//- constructor.cs
namespace __proto__;
class toString { }
`;
  expect(await bound(fixture, "A.cs")).toEqual([
    "Old * outside",
    "star * Lib",
    "star * outside",
    "X Thing Thing.cs",
    "I Thing.Inner Thing.cs",
    "N * Lib",
    "S * outside",
    "star * Lib",
  ]);
});

test("files are grouped by the namespace that they declare", async () => {
  const files = await fixtureFiles(
    fixtureTexts("\n//- x/A.cs\nnamespace N.M;\n//- y/B.cs\nnamespace N.M { }\n//- C.cs\nclass C { }\n//- D.py\n"),
  );
  const { groupOf } = CSHARP.open(files, new Set(), () => null);
  expect(["x/A.cs", "y/B.cs", "C.cs", "D.py"].map(groupOf)).toEqual(["N.M", "N.M", "", null]);
});
