import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("C#", () => {
  check(
    "enclosing namespaces are visible, others through using",
    `
//- A/Use.cs
using Other.Things;
namespace Shop.Carts;
public class Use {
    public Item Go(Outer outer, Money money) {
        new Near();
        outer.Pay();
        Shop.Tools.Cut();
        Tools.Cut();
        money.Count();
        return new Item();
    }
}
//- A/Near.cs
namespace Shop.Carts;
public class Near {}
//- B/Outer.cs
namespace Shop;
public class Outer { public void Pay() {} }
public static class Tools { public static void Cut() {} }
//- C/Item.cs
namespace Other.Things;
public class Item {}
//- D/Money.cs
namespace Unseen;
public class Money { public void Count() {} }
`,
    `
A/Use:Use.Go -> A/Near:Near call 0.95
A/Use:Use.Go -> B/Outer:Outer type 0.95
A/Use:Use.Go -> B/Outer:Outer.Pay call 0.7
A/Use:Use.Go -> B/Outer:Tools type 0.95
A/Use:Use.Go -> B/Outer:Tools.Cut call 0.8
A/Use:Use.Go -> C/Item:Item type 0.8
A/Use:Use.Go -> C/Item:Item call 0.8
`,
  );

  check(
    "the parameters of a primary constructor have their types in all members",
    `
//- Svc.cs
namespace App;
public interface ISvc { void Run(); }
public class Svc : ISvc { public void Run() {} }
public class Other { public void Run() {} }
//- Use.cs
namespace App;
public class Prim(ISvc svc, Other o) {
    public void M() { svc.Run(); }
    public void N() { o.Run(); }
    public void P(Other svc) { svc.Run(); }
}
public record Rec(ISvc Svc) { public void M() { Svc.Run(); } }
public class User { public void M(Rec rec) { rec.Svc.Run(); } }
`,
    `
Svc:Svc -> Svc:ISvc implement 1
Use:Prim -> Svc:ISvc type 0.95
Use:Prim -> Svc:Other type 0.95
Use:Prim.M -> Svc:ISvc.Run call 0.7
Use:Prim.N -> Svc:Other.Run call 0.7
Use:Prim.P -> Svc:Other type 0.95
Use:Prim.P -> Svc:Other.Run call 0.7
Use:Rec.Svc -> Svc:ISvc type 0.95
Use:User.M -> Svc:ISvc.Run call 0.7
Use:User.M -> Use:Rec type 1
Use:Rec.M -> Svc:ISvc.Run call 0.7
Use:Rec.M -> Svc:Svc type 0.95
`,
  );

  check(
    "partial classes are one class, with their bases",
    `
//- Cart.cs
namespace Shop;
public partial class Cart : Base {
    private readonly Till _till;
    public void Go() { Late(); Shared(); base.Shared(); this.Late(); _till.Ring(); }
}
//- Cart.More.cs
namespace Shop;
public partial class Cart {
    private void Late() { Go(); Shared(); }
}
//- Base.cs
namespace Shop;
public class Base { protected void Shared() {} }
public class Till { public void Ring() {} }
`,
    `
Cart:Cart -> Base:Base inherit 0.95
Cart:Cart._till -> Base:Till type 0.95
Cart:Cart.Go -> Cart.More:Cart.Late call 0.95
Cart:Cart.Go -> Base:Base.Shared call 0.9
Cart:Cart.Go -> Base:Till.Ring call 0.7
Cart.More:Cart.Late -> Cart:Cart.Go call 0.95
Cart.More:Cart.Late -> Base:Base.Shared call 0.9
`,
  );

  check(
    "attributes by their short name, static usings, and global names are resolved",
    `
//- Use.cs
using static Lib.Tools;
using Lib;
namespace App;
[Marked]
class Use {
    [Exact]
    void Go() {
        Cut();
        Other.Cut();
        global::Lib.Tools.Glue();
    }
}
//- Lib.cs
namespace Lib;
public class MarkedAttribute {}
public class Exact {}
public static class Tools {
    public static void Cut() {}
    public static void Glue() {}
}
public static class Other {
    public static void Cut() {}
}
//- Near.cs
namespace App.Lib;
public static class Tools {
    public static void Glue() {}
}
`,
    `
Use:Use -> Lib:MarkedAttribute decorate 0.8
Use:Use.Go -> Lib:Exact decorate 0.8
Use:Use.Go -> Lib:Other type 0.8
Use:Use.Go -> Lib:Other.Cut call 0.8
Use:Use.Go -> Lib:Tools.Cut call 0.8
Use:Use.Go -> Lib:Tools.Glue call 0.8
`,
  );

  check(
    "extension methods are found by rare names on values of any type, but not as static methods of other types",
    `
//- Ext.cs
namespace Shop.Internal;
public static class Ext {
  public static bool IsOpenGeneric(this System.Type type) => true;
  public static bool HasDiscount(System.Type type) => true;
}
//- Use.cs
namespace Shop;
using System;
using Shop.Internal;
class Use {
  void Parameter(Type type) { type.IsOpenGeneric(); type.HasDiscount(); }
  void Variable(object o) { Type type = o.GetType(); type.IsOpenGeneric(); }
  void Static(Type type) { Type.IsOpenGeneric(type); }
}
`,
    `
Use:Use.Parameter -> Ext:Ext.IsOpenGeneric call 0.5
Use:Use.Variable -> Ext:Ext.IsOpenGeneric call 0.5
`,
  );

  check(
    "a property can be named like its type",
    `
//- Cart.cs
namespace Shop;
public class Cart { public Till Till { get; set; } }
public class Till { public void Ring() {} }
//- Use.cs
namespace Shop;
public class Use {
  void Path(Cart cart) { cart.Till.Ring(); }
  void Held(Cart cart) { var till = cart.Till; till.Ring(); }
}
`,
    `
Cart:Cart.Till -> Cart:Till type 1
Use:Use.Path -> Cart:Cart type 0.95
Use:Use.Path -> Cart:Till.Ring call 0.7
Use:Use.Held -> Cart:Cart type 0.95
Use:Use.Held -> Cart:Till.Ring call 0.7
`,
  );
});
