import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Swift", () => {
  check(
    "files of a module see each other, and extensions are part of the type",
    `
//- Package.swift
//- Sources/Shop/Cart.swift
public struct Cart: Counting {
    var till: Till
    func go(with other: Till, _ last: Till?) {
        late()
        self.late()
        till.ring()
        other.ring()
        last?.ring()
        makeTill().ring()
        items()
    }
}
//- Sources/Shop/More.swift
extension Cart {
    func late() { go(with: till, nil) }
}
struct Till { func ring() {} }
func makeTill() -> Till { Till() }
protocol Counting {}
extension Counting { func items() {} }
`,
    `
Sources/Shop/Cart:Cart -> Sources/Shop/More:Counting implement 0.95
Sources/Shop/Cart:Cart.till -> Sources/Shop/More:Till type 0.95
Sources/Shop/Cart:Cart.go -> Sources/Shop/More:Till type 0.95
Sources/Shop/Cart:Cart.go -> Sources/Shop/More:Cart.late call 0.95
Sources/Shop/Cart:Cart.go -> Sources/Shop/More:Till.ring call 0.7
Sources/Shop/Cart:Cart.go -> Sources/Shop/More:makeTill call 0.95
Sources/Shop/Cart:Cart.go -> Sources/Shop/More:Counting.items call 0.9
Sources/Shop/More:Cart.late -> Sources/Shop/Cart:Cart.go call 0.95
Sources/Shop/More:makeTill -> Sources/Shop/More:Till type 1
Sources/Shop/More:makeTill -> Sources/Shop/More:Till call 1
`,
  );

  check(
    "members of what a call that may fail or wait gives",
    `
//- Package.swift
//- Sources/Shop/Desk.swift
func work() async throws {
    let first = try makeTill().ring()
    let second = try? makeTill().open()
    return try await makeTill().close()
}
//- Sources/Shop/Till.swift
struct Till {
    func ring() {}
    func open() {}
    func close() {}
}
func makeTill() throws -> Till { Till() }
`,
    `
Sources/Shop/Desk:work -> Sources/Shop/Till:makeTill call 0.95
Sources/Shop/Desk:work -> Sources/Shop/Till:Till.ring call 0.7
Sources/Shop/Desk:work -> Sources/Shop/Till:Till.open call 0.7
Sources/Shop/Desk:work -> Sources/Shop/Till:Till.close call 0.7
Sources/Shop/Till:makeTill -> Sources/Shop/Till:Till type 1
Sources/Shop/Till:makeTill -> Sources/Shop/Till:Till call 1
`,
  );
});
