/** The tools of a server, each with the repository to ask as a further argument. */
import type { ServedApp } from "../../app/serving/served-app.ts";
import { READ } from "../../mcp/tools/read.ts";
import { SEARCH } from "../../mcp/tools/search.ts";
import type { Tool } from "../../mcp/tools/tool.ts";
import { EXPLAIN } from "./explain.ts";
import { RETRIEVE } from "./retrieve.ts";

export const SERVED_TOOLS: readonly Tool<ServedApp>[] = [RETRIEVE, READ, SEARCH, EXPLAIN];

/** Names that a schema lists; a server can have thousands. */
const LISTED_MAX = 50;

/** The tool as it is listed for who may read these repositories. */
export function withRepository<Row extends Tool<ServedApp>>(row: Row, granted: readonly string[]): Row {
  const property = {
    type: "string",
    description: granted.length === 1 ? "may be left out" : "the repository to ask",
    ...(granted.length <= LISTED_MAX ? { enum: [...granted] } : {}),
  };
  const { properties, required, ...schema } = row.input;
  return {
    ...row,
    input: {
      ...schema,
      properties: { repository: property, ...(isRecord(properties) ? properties : {}) },
      required: [...(granted.length === 1 ? [] : ["repository"]), ...(Array.isArray(required) ? required : [])],
    },
  };
}

/** The repository that a call names, and its other arguments. One that is not a text counts as unknown. */
export function splitArguments(args: unknown): { readonly repository: string | undefined; readonly rest: unknown } {
  if (!isRecord(args) || !("repository" in args)) return { repository: undefined, rest: args };
  const { repository, ...rest } = args;
  return { repository: typeof repository === "string" ? repository : "", rest };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
