/** Reads the modules of `alias`, `require`, `import` and `use` in Elixir. */
import type { ImportClause } from "../syntax.ts";

const STATEMENT =
  /^(alias|require|import|use)[\s(]+((?:__MODULE__|\p{Lu})[\w.]*?)(?:\.\{([^}]*)\})?(?=[\s,)]|$)(.*)$/su;
/** Names that are imported, each with its number of parameters: `only: [add: 2, total: 1]`. */
const ONLY = /^[\s,]*only:\s*\[([^\]]*)\]/;
const NAMED = /^\s*([\p{L}\p{N}_]+[?!]?):/u;
const GIVEN = /^[\s,]*as:\s*([\w.]+)/;

/**
 * One clause for each module. `import` and `use` bring all names of a module, unless `only` lists them; `alias` binds the whole module to
 * its last name, or to that behind `as:`.
 */
export function readModuleClauses(statement: string): readonly ImportClause[] {
  const [, word = "", module = "", several, rest = ""] = STATEMENT.exec(statement.replace(/(^|\s)#.*/g, "$1")) ?? [];
  if (module === "") return [];
  const inside = several?.split(",").map((each) => each.trim());
  const specifiers = inside?.filter((each) => each !== "").map((each) => `${module}.${each}`) ?? [module];
  const only = word === "import" ? ONLY.exec(rest)?.[1] : undefined;
  const given = GIVEN.exec(rest)?.[1];
  return specifiers.map((specifier) => {
    if (only !== undefined) {
      const written = only.split(",").flatMap((each) => NAMED.exec(each)?.[1] ?? []);
      const names = written.map((name) => ({ name, alias: name }));
      return { specifier, names, star: false };
    }
    const alias = given ?? (word === "alias" ? specifier.slice(specifier.lastIndexOf(".") + 1) : null);
    return word === "import" || word === "use"
      ? { specifier, names: [], star: true }
      : { specifier, names: alias === null ? [] : [{ name: "*", alias }], star: false };
  });
}
