/** Names of definitions that begin with their module, package or namespace, as imports, stack traces and models write them. */
import { NAME_SEPARATOR } from "../../text/terms/identifiers.ts";
import { asDefined } from "./request-names.ts";

/** The parts of a name: of the module, then of the definition. */
export const modulePartsOf = (typed: string): readonly string[] =>
  asDefined(typed)
    .split(NAME_SEPARATOR)
    .filter((part) => part !== "");

/**
 * Whether the parts are a module's name and then this qualified name: those of `shop.cart.Cart.add` for `Cart.add` in `shop/cart.py` or
 * `shop/cart/Cart.java`. The path of the file or of its folder ends in the module's name.
 */
export function isInModule(parts: readonly string[], qualifiedName: string, path: string): boolean {
  const count = parts.length - qualifiedName.split(".").length;
  if (count < 1 || parts.slice(count).join(".") !== qualifiedName) return false;
  const module = `/${parts.slice(0, count).join("/")}`;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return [path.replace(/\.\w+$/, ""), folder].some((place) => `/${place}`.endsWith(module));
}
