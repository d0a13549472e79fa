/** The tools of a server, each with the repository to ask as a further argument. */

import { z } from "zod";
import type { ServedApp } from "../../app/serving/served-app.ts";
import { READ } from "../../mcp/tools/read.ts";
import { SEARCH } from "../../mcp/tools/search.ts";
import type { Tool } from "../../mcp/tools/tool.ts";
import { checkedArguments } from "../../mcp/tools/tool-arguments.ts";
import { isRecord } from "../../text/parse-json.ts";
import { type Named, namedOnce, REPOSITORIES_MAX } from "../ask.ts";
import { EXPLAIN } from "./explain.ts";
import { RETRIEVE } from "./retrieve.ts";

export const SERVED_TOOLS: readonly Tool<ServedApp>[] = [RETRIEVE, READ, SEARCH, EXPLAIN];

/** Names that a schema lists; a server can have thousands. */
const LISTED_MAX = 50;

/** The tool as it is listed for who may read these repositories. */
export function withRepository<Row extends Tool<ServedApp>>(row: Row, granted: readonly string[]): Row {
  const property = {
    type: "string",
    description: granted.length === 1 ? "may be left out" : "the repository to ask, unless repositories names several",
    ...(granted.length <= LISTED_MAX ? { enum: [...granted] } : {}),
  };
  const several = {
    type: "array",
    items: { type: "string" },
    description: "several repositories to ask as one, by name or with * for any letters; paths begin with their names",
  };
  const { properties, required, ...schema } = row.input;
  return {
    ...row,
    input: {
      ...schema,
      properties: {
        repository: property,
        ...(granted.length === 1 ? {} : { repositories: several }),
        ...(isRecord(properties) ? properties : {}),
      },
      ...(Array.isArray(required) ? { required } : {}),
    },
  };
}

const Which = z.looseObject({
  repository: z.string().optional(),
  repositories: z.array(z.string()).min(1).max(REPOSITORIES_MAX).optional(),
});

/** The repositories that a call names, and its other arguments. Throws a usage failure for what is no name, and for both at once. */
export function splitArguments(
  args: unknown,
  { name }: Pick<Tool, "name">,
): { readonly repository: Named; readonly rest: unknown } {
  if (!isRecord(args)) return { repository: undefined, rest: args };
  const { repository, repositories, ...rest } = checkedArguments(Which, args, name);
  return { repository: namedOnce(repository, repositories), rest };
}
