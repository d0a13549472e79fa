/** What is found in Solidity: source on the left hand, findings as `render.ts` writes them on the right. */
import { expect, test } from "bun:test";
import { factsOf, importLines, referenceLines, symbolLines } from "../syntax/render.ts";

test("definitions of every kind", async () => {
  const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./A.sol";
import {B as C} from "../B.sol";
uint constant TOP = 1;
error TopErr(uint a);
struct TopS { uint a; }
enum TopE { A, B }
type Price is uint128;
function free(uint a) pure returns (uint) { return a; }
/**
 * @title T
 */
abstract contract T is A, B(1) {
    using SafeMath for uint;
    /// @notice state
    mapping(address => uint) private _balances;
    uint256 public constant MAX = 1;
    event Transfer(address indexed from, uint v);
    error Bad(uint a);
    struct S { uint x; address y; }
    enum E { One, Two }
    type Q is uint;
    modifier only() { _; }
    constructor(uint a) A() { }
    /// @dev d
    function run(uint a) external view virtual override returns (uint b) { uint loc = 1; return loc; }
    function _int() internal {}
    function noBody() external virtual;
    fallback() external payable {}
    receive() external payable {}
}
interface I { function f() external; event Ev(); }
library L { function g(uint a) internal pure {} }
// A plain remark.
contract Empty {}
`;
  const expected = `
+variable TOP 5-5 uint constant TOP = 1
+function TopErr 6-6 error TopErr(uint a)
+class TopS 7-7 struct TopS
+property TopS.a 7-7 uint a
+enum TopE 8-8 enum TopE
+property TopE.A 8-8 A
+property TopE.B 8-8 B
+type_alias Price 9-9 type Price is uint128
+function free 10-10 function free(uint a) pure returns (uint)
+class T 11/14-32 abstract contract T is A, B(1) «plain: @title T»
-property T._balances 16/17-17 mapping(address => uint) private _balances «plain: @notice state»
+property T.MAX 18-18 uint256 public constant MAX = 1
+method T.Transfer 19-19 event Transfer(address indexed from, uint v)
+method T.Bad 20-20 error Bad(uint a)
+class T.S 21-21 struct S
+property T.S.x 21-21 uint x
+property T.S.y 21-21 address y
+enum T.E 22-22 enum E
+property T.E.One 22-22 One
+property T.E.Two 22-22 Two
+type_alias T.Q 23-23 type Q is uint
+method T.only 24-24 modifier only()
+method T.constructor 25-25 constructor(uint a) A()
+method T.run 26/27-27 function run(uint a) external view virtual override returns (uint b) «plain: @dev d»
+method T._int 28-28 function _int() internal
+method T.noBody 29-29 function noBody() external virtual
+method T.fallback 30-30 fallback() external payable
+method T.receive 31-31 receive() external payable
+interface I 33-33 interface I
+method I.f 33-33 function f() external
+method I.Ev 33-33 event Ev()
+class L 34-34 library L
+method L.g 34-34 function g(uint a) internal pure
+class Empty 35/36-36 contract Empty
`;
  expect(await symbolLines("solidity", source)).toEqual(expected.trim().split("\n"));
});

test("directives and licences are not documentation", async () => {
  const source = `// SPDX-License-Identifier: MIT
// solhint-disable no-inline-assembly
/// @notice Holds.
contract A {}
`;
  expect((await factsOf("solidity", source)).symbols.map(({ doc }) => doc?.content)).toEqual(["@notice Holds."]);
});

test("imports", async () => {
  const source = `import "./A.sol";
import { B as C, // the other one
  D } from "../B.sol";
import './x.sol' as X;
import * as Y from "./y.sol"; // all of it
import{E}from"https://example.org/E.sol";
`;
  expect(await importLines("solidity", source)).toEqual([
    "1 import ./A.sol *",
    "2 import ../B.sol B>C D",
    "4 import ./x.sol *>X",
    "5 import ./y.sol *>Y",
    "6 import https://example.org/E.sol E",
  ]);
});

test("uses of names", async () => {
  const source = `uint constant MAX = 1;
using { double, L.half } for uint global;
contract T is A, B(1), m.N {
  using L for X.S;
  using m.P for *;
  S[] private all;
  event Ran(S s);
  constructor(uint a) A(a) only {}
  function run(I it, uint max) external limited(a) override(A, m.N) returns (R memory r) {
    it.go{value: 1}(it.count());
    if (a > m.L.MOST && a + m.l.f(1) > L.MOST) revert L.Bad(3);
    I(who).go(); new K[](1); new K{salt: x}(1); super.run(); items[0].go(); (a + b).mul(c);
    emit Ran(1); emit X.Ev(2); revert Bad(3);
    X.S memory z = X.S({a: E.One});
    require(ok, Wrong(MAX, max));
    abi.encodeCall(I.go, (1)); payable(x).transfer(1); payable(x).sendValue(1); token.transfer(1); block.timestamp.wide();
    try it.foo() returns (uint v) {} catch Error(string memory q) {}
    type(J).interfaceId;
  }
}
`;
  expect(await referenceLines("solidity", source)).toEqual([
    "decorate double",
    "decorate L . half",
    "inherit A in T",
    "inherit B in T",
    "inherit m . N in T",
    "decorate L in T",
    "type X . S in T",
    "decorate m . P in T",
    "type S in T.all",
    "type S in T.Ran",
    "call A in T.constructor",
    "call only in T.constructor",
    "type I in T.run",
    "call limited in T.run",
    "type R in T.run",
    "call it . go in T.run",
    "call it . count in T.run",
    "call m.L . MOST in T.run",
    "call m.l . f in T.run",
    "call L . MOST in T.run",
    "call L . Bad in T.run",
    "call I in T.run",
    "call I(who) . go in T.run",
    "type K in T.run",
    "call K in T.run",
    "call super . run in T.run",
    "call items[0] . go in T.run",
    "call (a + b) . mul in T.run",
    "call Ran in T.run",
    "call X . Ev in T.run",
    "call Bad in T.run",
    "type X . S in T.run",
    "call X . S in T.run",
    "call E . One in T.run",
    "call require in T.run",
    "call Wrong in T.run",
    "call MAX in T.run",
    "call I . go in T.run",
    "call payable(x) . sendValue in T.run",
    "call token . transfer in T.run",
    "call block.timestamp . wide in T.run",
    "call it . foo in T.run",
    "type J in T.run",
  ]);
});
