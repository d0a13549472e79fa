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

check(
  "members that extensions add to types from outside, for values of the type and inside",
  `
//- Package.swift
//- Sources/Net/Request.swift
import Foundation
public protocol Watching {
    func saw()
}
extension URLRequest {
    public var headers: Headers { all() }
    func all() -> Headers { Headers() }
    static func make() -> Headers { self.all() }
}
extension Data { func weigh() {} }
public struct Headers { func add() {} }
final class Session {
    weak var watcher: (any Watching)?
    var request: URLRequest
    func go(_ other: URLRequest, text: String) {
        watcher?.saw()
        other.headers.add()
        request.all()
        URLRequest.make()
        text.weigh()
    }
}
//- Tests/NetTests/RequestTests.swift
@testable import Net
import Foundation
func test(other: URLRequest) { other.all() }
`,
  `
Sources/Net/Request:Session.go -> Sources/Net/Request:Headers.add call 0.7
Sources/Net/Request:Session.go -> Sources/Net/Request:URLRequest.all call 0.7
Sources/Net/Request:Session.go -> Sources/Net/Request:URLRequest.make call 0.7
Sources/Net/Request:Session.go -> Sources/Net/Request:Watching.saw call 0.7
Sources/Net/Request:Session.watcher -> Sources/Net/Request:Watching type 1
Sources/Net/Request:URLRequest.all -> Sources/Net/Request:Headers call 1
Sources/Net/Request:URLRequest.all -> Sources/Net/Request:Headers type 1
Sources/Net/Request:URLRequest.headers -> Sources/Net/Request:Headers type 1
Sources/Net/Request:URLRequest.headers -> Sources/Net/Request:URLRequest.all call 0.95
Sources/Net/Request:URLRequest.make -> Sources/Net/Request:Headers type 1
Sources/Net/Request:URLRequest.make -> Sources/Net/Request:URLRequest.all call 0.95
Tests/NetTests/RequestTests:test -> Sources/Net/Request:URLRequest.all call 0.7
`,
);

check(
  "a macro of Swift is no function of the same name",
  `
//- Package.swift
//- Tests/ShopTests/CartTests.swift
import Testing
func expect(_ value: Bool) {}
func weigh() -> Bool { true }
func test() throws {
    #expect(weigh())
    let one = try #require(weigh())
}
func other() { expect(weigh()) }
func require(_ value: Bool) {}
func _require(_ value: Bool) { _require(true) }
func own() { _require(true) }
`,
  `
Tests/ShopTests/CartTests:own -> Tests/ShopTests/CartTests:_require call 1
Tests/ShopTests/CartTests:test -> Tests/ShopTests/CartTests:weigh call 1
Tests/ShopTests/CartTests:other -> Tests/ShopTests/CartTests:weigh call 1
Tests/ShopTests/CartTests:other -> Tests/ShopTests/CartTests:expect call 1
`,
);

check(
  "members that an extension adds to a type from outside, of what a call makes or gives",
  `
//- Package.swift
//- Sources/Net/Headers.swift
import Foundation
extension URLRequest {
  func label() {}
  struct Parser { func next() {} }
}
extension Data { func label() {} }
extension Result {
  var failure: Failure? { nil }
  static func fail() -> Self { fatalError() }
}
typealias Answer = Result<Int, Error>
class Maker { func request() -> URLRequest { fatalError() } }
//- Sources/Net/Use.swift
import Foundation
func made() { let request = URLRequest(); request.label() }
func called(maker: Maker) { let request = maker.request(); request.label() }
func atOnce() { URLRequest().label() }
func nested() { let parser = URLRequest.Parser(); parser.next() }
func other() { let request = Session(); request.label() }
func cases(error: Error) { let answer: Answer = .failure(error); let other: Answer = .fail() }
`,
  `
Sources/Net/Use:made -> Sources/Net/Headers:URLRequest.label call 0.7
Sources/Net/Use:cases -> Sources/Net/Headers:Answer type 0.95
Sources/Net/Use:cases -> Sources/Net/Headers:Result.fail call 0.7
Sources/Net/Use:called -> Sources/Net/Headers:Maker type 0.95
Sources/Net/Use:called -> Sources/Net/Headers:Maker.request call 0.7
Sources/Net/Use:called -> Sources/Net/Headers:URLRequest.label call 0.7
Sources/Net/Use:atOnce -> Sources/Net/Headers:URLRequest.label call 0.7
Sources/Net/Use:nested -> Sources/Net/Headers:URLRequest.Parser call 0.9
Sources/Net/Use:nested -> Sources/Net/Headers:URLRequest.Parser.next call 0.7
`,
);

check(
  "a name after a dot is a member of the type that is written before it",
  `
//- Package.swift
//- Sources/Art/Style.swift
enum Style {
  case plain, bold, none
  static func make(_ n: Int) -> Style { .plain }
}
enum Other { case plain, bold }
//- Sources/Art/Use.swift
func drawn() { let style: Style = .plain }
func made() { let style: Style? = .make(1) }
func missing() { let style: Style? = .none }
func byDefault(style: Style = .bold) {}
class Pen { var style: Style = .bold }
func negative(one: Int) { let n: Style = -one }
`,
  `
Sources/Art/Style:Style.make -> Sources/Art/Style:Style type 1
Sources/Art/Use:drawn -> Sources/Art/Style:Style type 0.95
Sources/Art/Use:drawn -> Sources/Art/Style:Style.plain call 0.8
Sources/Art/Use:made -> Sources/Art/Style:Style type 0.95
Sources/Art/Use:made -> Sources/Art/Style:Style.make call 0.8
Sources/Art/Use:missing -> Sources/Art/Style:Style type 0.95
Sources/Art/Use:byDefault -> Sources/Art/Style:Style type 0.95
Sources/Art/Use:byDefault -> Sources/Art/Style:Style.bold call 0.8
Sources/Art/Use:Pen.style -> Sources/Art/Style:Style type 0.95
Sources/Art/Use:Pen.style -> Sources/Art/Style:Style.bold call 0.8
Sources/Art/Use:negative -> Sources/Art/Style:Style type 0.95
`,
);

check(
  "the arrow of a parameter is not that of the result, and Self may be a class below",
  `
//- Sources/Shop/Request.swift
class Request {
    func onOpen(_ handler: (String) -> Void) -> Self { self }
    func resume() {}
}
class DataRequest: Request {
    func decodeCart() {}
}
class Session {
    func request() -> DataRequest { DataRequest() }
    func start() { request().onOpen { _ in }.resume() }
    func read() { request().onOpen { _ in }.decodeCart() }
}
`,
  `
Sources/Shop/Request:DataRequest -> Sources/Shop/Request:Request inherit 1
Sources/Shop/Request:Session.request -> Sources/Shop/Request:DataRequest call 1
Sources/Shop/Request:Session.request -> Sources/Shop/Request:DataRequest type 1
Sources/Shop/Request:Session.start -> Sources/Shop/Request:Request.onOpen call 0.7
Sources/Shop/Request:Session.start -> Sources/Shop/Request:Request.resume call 0.65
Sources/Shop/Request:Session.start -> Sources/Shop/Request:Session.request call 0.95
Sources/Shop/Request:Session.read -> Sources/Shop/Request:Request.onOpen call 0.7
Sources/Shop/Request:Session.read -> Sources/Shop/Request:DataRequest.decodeCart call 0.5
Sources/Shop/Request:Session.read -> Sources/Shop/Request:Session.request call 0.95
`,
);

check(
  "a type in a result is no parameter, and Self is the type that an extension extends",
  `
//- Sources/Shop/Archive.swift
class Archive {
    func temporary() throws -> (Archive, URL?) {
        let folder = URL.temporaryFolder()
        return (Archive(), folder)
    }
}
extension URL {
    static func temporaryFolder() -> URL { URL() }
}
extension String {
    func decoded() { append(Self.lookup(1)) }
    static func lookup(_ byte: Int) -> Int { byte }
}
`,
  `
Sources/Shop/Archive:Archive.temporary -> Sources/Shop/Archive:Archive call 1
Sources/Shop/Archive:Archive.temporary -> Sources/Shop/Archive:Archive type 1
Sources/Shop/Archive:Archive.temporary -> Sources/Shop/Archive:URL.temporaryFolder call 0.7
Sources/Shop/Archive:String.decoded -> Sources/Shop/Archive:String.lookup call 0.95
`,
);
