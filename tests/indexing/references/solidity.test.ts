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
});
