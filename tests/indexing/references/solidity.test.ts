import { describe } from "bun:test";
import { checkReferences as check } from "./references-check.ts";

describe("Solidity", () => {
  check(
    "names of files, bases, libraries, events, errors and modifiers",
    `
//- src/Shop.sol
import "./Base.sol";
import {Item as Thing, IItem} from "./Item.sol";
import * as sums from "./Sums.sol";
contract Shop is Owned, Base {
  using sums.Sums for uint256;
  IItem public item;
  mapping(uint => Thing) private things;
  constructor(address owner) Owned(owner) {}
  function run(uint256 count, Thing memory thing) external only limited(1) returns (uint256) {
    uint256 first = count.double();
    item.price();
    IItem(msg.sender).price{value: 1}();
    current().price();
    super.close();
    this.close();
    emit Ran(first);
    emit Sold(first);
    if (first > sums.Sums.MAX) revert Closed(first);
    new Owned(msg.sender);
    sums.Sums.double(1);
    helper(first);
    unknown.safe();
    abi.encode(first);
    return fee(thing.size);
  }
  function current() internal view returns (IItem found) { return item; }
  function close() public override(Owned, Base) {}
}
//- src/Base.sol
import "./Owned.sol";
function helper(uint256 count) pure {}
event Sold(uint256 count);
abstract contract Base is Owned {
  event Ran(uint256 count);
  error Closed(uint256 count);
  modifier limited(uint256 count) { _; }
  function fee(uint256 count) internal {}
  function close() public virtual override { super.close(); }
}
//- src/Owned.sol
contract Owned {
  constructor(address owner) {}
  modifier only() { _; }
  function close() public virtual {}
}
//- src/Item.sol
struct Item { uint256 size; }
interface IItem {
  function price() external payable;
}
//- src/Sums.sol
library Sums {
  uint256 constant MAX = 1;
  function double(uint256 a) internal pure returns (uint256) { return a; }
  function encode(uint256 a) internal pure {}
  function safe(address a) internal {}
}
//- src/Other.sol
library Other {
  function double(uint256 a) internal pure {}
  function only() internal {}
}
//- test/Shop.t.sol
import {Shop} from "../src/Shop.sol";
contract ShopTest {
  Shop shop;
  function setUp() public { shop = new Shop(address(this)); }
  function testRun() public { shop.fee(1); }
}
`,
    `
src/Base:Base -> src/Owned:Owned inherit 0.8
src/Base:Base.close -> src/Owned:Owned.close call 0.9
src/Shop:Shop -> src/Base:Base inherit 0.8
src/Shop:Shop -> src/Owned:Owned inherit 0.8
src/Shop:Shop -> src/Sums:Sums decorate 0.9
src/Shop:Shop.constructor -> src/Owned:Owned call 0.8
src/Shop:Shop.current -> src/Item:IItem type 0.9
src/Shop:Shop.item -> src/Item:IItem type 0.9
src/Shop:Shop.run -> src/Base:Base.Closed call 0.9
src/Shop:Shop.run -> src/Base:Base.Ran call 0.9
src/Shop:Shop.run -> src/Base:Base.close call 0.9
src/Shop:Shop.run -> src/Base:Base.fee call 0.9
src/Shop:Shop.run -> src/Base:Base.limited call 0.9
src/Shop:Shop.run -> src/Base:Sold call 0.8
src/Shop:Shop.run -> src/Base:helper call 0.8
src/Shop:Shop.run -> src/Item:IItem call 0.9
src/Shop:Shop.run -> src/Item:IItem.price call 0.7
src/Shop:Shop.run -> src/Item:Item type 0.9
src/Shop:Shop.run -> src/Owned:Owned call 0.8
src/Shop:Shop.run -> src/Owned:Owned.only call 0.9
src/Shop:Shop.run -> src/Shop:Shop.close call 0.95
src/Shop:Shop.run -> src/Shop:Shop.current call 0.95
src/Shop:Shop.run -> src/Sums:Sums.MAX call 0.8
src/Shop:Shop.run -> src/Sums:Sums.double call 0.8
src/Shop:Shop.run -> src/Sums:Sums.safe call 0.7
src/Shop:Shop.things -> src/Item:Item type 0.9
test/Shop.t:ShopTest.setUp -> src/Shop:Shop call 0.9
test/Shop.t:ShopTest.shop -> src/Shop:Shop type 0.9
test/Shop.t:ShopTest.testRun -> src/Base:Base.fee call 0.7
`,
  );

  check(
    "a type in the head of a function is no parameter, and what stands in a comment is no part of a call",
    `
//- src/Till.sol
interface ITill {
  function count() external view returns (uint256);
}
contract Till {
  enum State { Open, Shut }
  struct Bill { uint256 sum; }
  modifier only(State state) { _; }
  function current(uint256 sum) public view returns (State) {
    if (sum == 0) return State.Shut;
    return State.Open;
  }
  function bills(Bill[] storage all) internal returns (Bill[2] memory both) {
    all.push(Bill(1));
    both[0] = Bill({sum: 2});
  }
  function shut() public only(State.Open) {
    // An account without code fails here (nothing returned).
    ITill(msg.sender).count(); // done.
    ITill(msg.sender).count();
  }
}
`,
    `
src/Till:Till.bills -> src/Till:Till.Bill call 0.95
src/Till:Till.bills -> src/Till:Till.Bill type 0.95
src/Till:Till.current -> src/Till:Till.State type 0.95
src/Till:Till.current -> src/Till:Till.State.Open call 0.8
src/Till:Till.current -> src/Till:Till.State.Shut call 0.8
src/Till:Till.only -> src/Till:Till.State type 0.95
src/Till:Till.shut -> src/Till:ITill call 1
src/Till:Till.shut -> src/Till:ITill.count call 0.7
src/Till:Till.shut -> src/Till:Till.State.Open call 0.8
src/Till:Till.shut -> src/Till:Till.only call 0.95
`,
  );

  check(
    "members of variables are those of their types",
    `
//- src/Shop.sol
interface IItem { function price() external; }
interface IOther { function price() external; }
contract Shop {
  function made(address own) public {
    IItem item = IItem(own);
    item.price();
  }
}
`,
    `
src/Shop:Shop.made -> src/Shop:IItem call 1
src/Shop:Shop.made -> src/Shop:IItem type 1
src/Shop:Shop.made -> src/Shop:IItem.price call 0.7
`,
  );
});
