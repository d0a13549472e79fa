import { checkEdges } from "./imports-check.ts";

checkEdges(
  "paths beside the file, by remappings, and in the folders of packages",
  `
//- src/Shop.sol
import "./Cart.sol";
import {Item as Thing} from "../src/items/Item.sol";
import * as Sums from "./items/Sums.sol";
import "src/Till.sol";
import {Ownable} from "@own/access/Ownable.sol";
import {Special} from "@own/special/Special.sol";
import {Test} from "forge-std/Test.sol";
import "solmate/tokens/Token.sol";
import {Missing} from "./Missing.sol";
import "elsewhere/Till.sol";
import "hardhat/console.sol";
//- src/Cart.sol
contract Cart {}
//- src/Till.sol
import "https://example.org/Cart.sol";
import "old/Cart.sol";
//- src/items/Item.sol
contract Item {}
//- src/items/Sums.sol
library Sums {}
//- lib/own/src/access/Ownable.sol
contract Ownable {}
//- lib/special/Special.sol
contract Special {}
//- lib/forge-std/src/Test.sol
import {Base} from "ds-test/test.sol";
import "old/Cart.sol";
//- lib/forge-std/lib/ds-test/src/test.sol
contract Base {}
//- lib/solmate/src/tokens/Token.sol
contract Token {}
//- node_modules/hardhat/console.sol
library console {}
//- remappings.txt
@own/=lib/own/src/
lib/forge-std:old/=src/
//- foundry.toml
[profile.default]
remappings = ["@own/special/=lib/special/"]
`,
  `
lib/forge-std/src/Test.sol -> lib/forge-std/lib/ds-test/src/test.sol
lib/forge-std/src/Test.sol -> src/Cart.sol
src/Shop.sol -> lib/forge-std/src/Test.sol
src/Shop.sol -> lib/own/src/access/Ownable.sol
src/Shop.sol -> lib/solmate/src/tokens/Token.sol
src/Shop.sol -> lib/special/Special.sol
src/Shop.sol -> node_modules/hardhat/console.sol
src/Shop.sol -> src/Cart.sol
src/Shop.sol -> src/Till.sol
src/Shop.sol -> src/items/Item.sol
src/Shop.sol -> src/items/Sums.sol
`,
);
