/** Describes the JSON API as an OpenAPI document, made from the zod types that check requests. */
import { z } from "zod";
import { OPERATIONS, type Operation } from "./operations.ts";
import { Problem } from "./problem.ts";

export const RepositoryList = z.strictObject({
  schema_version: z.literal(1),
  repositories: z.array(z.string()).readonly().describe("the names that this token may read, in order"),
});

const schemaOf = (type: z.ZodType, io: "input" | "output") => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, target: "draft-2020-12" });
  return schema;
};

const content = (type: z.ZodType, io: "input" | "output") => ({ "application/json": { schema: schemaOf(type, io) } });

/** Statuses of refusals, each with when it comes. */
const REFUSALS: Readonly<Record<string, string>> = {
  400: "the request is wrong",
  401: "no token, or none that is known",
  403: "Host or Origin does not name this server",
  404: "no such repository, or none that this token may read; or nothing is known of what is asked",
  408: "the request came too slowly",
  413: "the request is too large",
  415: "the request is not JSON",
  422: "the budget is too small",
  429: "too many requests of this token; see Retry-After",
  500: "a bug of the server",
  503: "too many requests of all, a question that took too long, an index that is being made, or a server that ends; see Retry-After",
};

const refusals = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, description]) => [
    status,
    { description, content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
  ]),
);

const operation = ({ summary, input, output, texts, hasEvents }: Operation) => ({
  post: {
    summary,
    requestBody: { required: true, content: content(input, "input") },
    responses: {
      200: {
        description: "the answer",
        content: {
          ...content(output, "output"),
          ...Object.fromEntries(texts.map((type) => [type.split(";")[0], { schema: { type: "string" } }])),
          ...(hasEvents ? { "text/event-stream": { schema: { type: "string", description: EVENTS } } } : {}),
        },
      },
      ...refusals,
    },
  },
});

const EVENTS =
  "with Accept: text/event-stream: an event for each step, as cra schema event describes them, then the event answer with the answer, or problem";

export function openApi(version: string): unknown {
  return {
    openapi: "3.1.0",
    info: { title: "cra", version, description: "The code that a task needs, from the repositories of a server." },
    security: [{ bearer: [] }],
    paths: {
      ...Object.fromEntries(OPERATIONS.map((row) => [row.path, operation(row)])),
      "/v1/repositories": {
        get: {
          summary: "the repositories that this token may read",
          responses: { 200: { description: "their names", content: content(RepositoryList, "output") }, ...refusals },
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Problem: schemaOf(Problem, "output") },
    },
  };
}
