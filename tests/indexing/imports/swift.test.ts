import { expect, test } from "bun:test";
import { SWIFT } from "../../../src/indexing/imports/swift.ts";
import { fixtureFiles, fixtureTexts } from "../../support/facts.ts";
import { checkEdges } from "./imports-check.ts";

const MANIFEST = `
let package = Package(
  name: "shop",
  targets: [
    .target(name: "Shop", dependencies: [.target(name: "Money"), "Else"], exclude: ["x)"]), // ) name: "No"
    .target(
      name: "Money",
      path: "Code/money"
    ),
    .testTarget(name: "ShopTests", dependencies: ["Shop"]),
    .executableTarget(name: "shop-tool", path: "./Tool"),
    .target(name: "Nowhere", path: "../.."),
  ]
)
`;

checkEdges(
  "an import of a module imports the files that define what is used",
  `
//- Package.swift${MANIFEST}
//- Sources/Shop/Order.swift
import Money
import Foundation
public struct Order: Priced { let price: Price }
//- Sources/Shop/Cart.swift
class Cart { let order: Order }
//- Code/money/Price.swift
public struct Price {}
//- Code/money/deep/Priced.swift
public protocol Priced {}
//- Code/money/Unused.swift
public class Unused {}
//- Tests/ShopTests/OrderTests.swift
@testable import Shop
class OrderTests { func testIt() { Order(price: 1).run() } }
//- Tool/main.swift
import shop_tool
import Shop
Cart.load()
`,
  `
Sources/Shop/Order.swift -> Code/money/Price.swift
Sources/Shop/Order.swift -> Code/money/deep/Priced.swift
Tests/ShopTests/OrderTests.swift -> Sources/Shop/Order.swift
Tool/main.swift -> Sources/Shop/Cart.swift
`,
);

checkEdges(
  "members that a module adds to other types count where they are called",
  `
//- Sources/App/main.swift
import Core
func f(s: String) { s.shortened(); s.own() }
//- Sources/Core/String+Short.swift
extension String { public func shortened() {} }
//- Sources/Core/Own.swift
class Own {}
extension Own { func own() {} }
`,
  "Sources/App/main.swift -> Sources/Core/String+Short.swift",
);

checkEdges(
  "an import of one name imports its file; an import of a small module without a known use imports it whole",
  `
//- Sources/App/A.swift
import struct Core.Thing
import class Core.Gone
//- Sources/App/B.swift
import Core
//- Sources/Core/Thing.swift
public struct Thing {}
//- Sources/Core/Other.swift
public struct Other {}
`,
  `
Sources/App/A.swift -> Sources/Core/Thing.swift
Sources/App/B.swift -> Sources/Core/Other.swift
Sources/App/B.swift -> Sources/Core/Thing.swift
`,
);

checkEdges(
  "without a manifest, top folders are modules; of two packages, the nearest counts",
  `
//- My App/Model.swift
public class Model {}
//- My AppTests/ModelTests.swift
@testable import My_App
let model = Model()
//- one/Package.swift
.target(name: "Kit")
//- one/Sources/Kit/Kit.swift
public class Kit {}
//- one/Sources/Use/Use.swift
import Kit
let kit = Kit()
//- two/Package.swift
.target(name: "Kit")
//- two/Sources/Kit/Kit.swift
public class Kit {}
`,
  `
My AppTests/ModelTests.swift -> My App/Model.swift
one/Sources/Use/Use.swift -> one/Sources/Kit/Kit.swift
`,
);

test("files are grouped by module", async () => {
  const texts = fixtureTexts(`
//- Package.swift${MANIFEST}
//- Sources/Shop/deep/A.swift
//- Code/money/B.swift
//- Tests/ShopTests/C.swift
//- Tests/More/D.swift
//- Example/E.swift
//- main.swift
//- F.py
`);
  const { groupOf } = SWIFT.open(await fixtureFiles(texts), new Set(texts.keys()), (path) => texts.get(path) ?? null);
  expect([...texts.keys()].map((path) => `${path}: ${groupOf(path)}`)).toEqual([
    "Package.swift: ",
    "Sources/Shop/deep/A.swift: Sources/Shop",
    "Code/money/B.swift: Code/money",
    "Tests/ShopTests/C.swift: Tests/ShopTests",
    "Tests/More/D.swift: Tests/More",
    "Example/E.swift: Example",
    "main.swift: ",
    "F.py: null",
  ]);
});

test("bindings say where names come from", async () => {
  const texts = fixtureTexts(`
//- Sources/App/A.swift
import Core
import struct Core.Thing
@_exported import Core
import UIKit
//- Sources/Core/Thing.swift
`);
  const files = await fixtureFiles(texts);
  const resolver = SWIFT.open(files, new Set(texts.keys()), () => null);
  const bindings = (files[0]?.facts.imports ?? []).flatMap(
    (fact) => resolver.resolve("Sources/App/A.swift", fact).bindings,
  );
  expect(
    bindings.map(({ alias, name, group, star, reexport }) =>
      [alias, name, group, ...(star ? ["star"] : []), ...(reexport ? ["reexport"] : [])].join(" "),
    ),
  ).toEqual([
    " * Sources/Core star",
    "Core * Sources/Core",
    "Thing Thing Sources/Core",
    " * Sources/Core star reexport",
    "Core * Sources/Core",
    " *  star",
    "UIKit * ",
  ]);
});
