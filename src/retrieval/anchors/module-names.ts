/** Names of definitions that begin with their module, package, crate or namespace, as imports, stack traces and models write them. */
import type { SymbolRow } from "../../db/curated/knowledge-base.ts";
import { commonEnd } from "../../text/common-end.ts";
import { NAME_SEPARATOR } from "../../text/terms/identifiers.ts";
import { asDefined } from "../requests/request-names.ts";

/** A module's name may be a path, as in Go, or end in a colon, as an entry point of Python. */
const SEPARATOR = new RegExp(`${NAME_SEPARATOR.source}|[/:]`);

/** What Rust calls the module of the reader, and those around it. */
const RELATIVE: ReadonlySet<string> = new Set(["crate", "self", "super"]);

/** The parts of a name: of the module, then of the definition. */
export function modulePartsOf(typed: string): readonly string[] {
  const parts = asDefined(typed)
    .split(SEPARATOR)
    .filter((part) => part !== "");
  const first = parts.findIndex((part) => !RELATIVE.has(part));
  return parts.slice(Math.max(0, first));
}

/** Folders that no module is called after. */
const SOURCE_FOLDERS: ReadonlySet<string> = new Set(["src", "lib"]);

/**
 * How many of the parts a definition bears, in its qualified name and in the end of its path or folder: four for `shop.cart.Cart.add` and
 * `Cart.add` in `shop/cart.py` or `shop/cart/Cart.java`; 0 if the parts do not name it.
 *
 * The first parts of a module may be what no path has: the name of a crate, package or repository, as in `bat::assets::Assets` for
 * `src/assets.rs`. So parts may be left over at the top of the sources, and inside a folder that is called like the last of them. In a
 * file that agrees, the owner may be left out: `shop.cart.add` for `Cart.add`.
 */
function moduleAgreement(parts: readonly string[], qualifiedName: string, path: string): number {
  const own = qualifiedName.split(".");
  const shared = commonEnd(own, parts);
  const module = parts.slice(0, parts.length - shared);
  if (shared === 0) return 0;
  const agreements = [path.replace(/\.\w+$/, "").split("/"), path.split("/").slice(0, -1)].map((place) => {
    const ending = commonEnd(place, module);
    const above = place.slice(0, place.length - ending);
    const last = module.at(-1 - ending);
    const isMeant = last === undefined || above.includes(last) || above.every((folder) => SOURCE_FOLDERS.has(folder));
    return isMeant && (ending > 0 || shared === own.length) ? ending + shared : 0;
  });
  return Math.max(...agreements);
}

/** Those of the definitions whose own name and place agree with most of the parts, and with at least `partsMin`. */
export function mostAgreeing<Row extends Pick<SymbolRow, "qualifiedName" | "fileId">>(
  parts: readonly string[],
  rows: readonly Row[],
  pathOf: (fileId: number) => string,
  partsMin: number,
): readonly Row[] {
  const agreements = rows.map((row) => moduleAgreement(parts, row.qualifiedName, pathOf(row.fileId)));
  const most = Math.max(partsMin, ...agreements);
  return rows.filter((_, at) => agreements[at] === most);
}
