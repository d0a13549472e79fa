/** The OpenAPI document against what the server answers. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { z } from "zod";
import { FORMAT_NAMES } from "../../src/retrieval/render/formats.ts";
import { HANG_MS } from "../support/hang.ts";
import { post, startServer } from "../support/http-server.ts";
import { SHOP_TASK, shopRepo } from "../support/shop.ts";

setDefaultTimeout(HANG_MS);

test("the description has the type of every answer, and JSON answers fit their schema", async () => {
  using shop = shopRepo();
  await using server = startServer({ folders: [shop.path] });
  const Described = z.object({
    paths: z.object({
      "/v1/retrieve": z.object({
        post: z.object({
          responses: z.object({ 200: z.object({ content: z.record(z.string(), z.object({ schema: z.json() })) }) }),
        }),
      }),
    }),
  });
  const described = Described.parse(await (await fetch(`${server.url}/openapi.json`)).json());
  const { content } = described.paths["/v1/retrieve"].post.responses[200];
  for (const format of FORMAT_NAMES) {
    const response = await post(server, "/v1/retrieve", { task: SHOP_TASK, format });
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    expect(Object.keys(content)).toContain(type);
    const schema = content[type]?.schema;
    if (type !== "application/json" || typeof schema !== "object" || schema === null || Array.isArray(schema)) continue;
    expect(z.fromJSONSchema(schema).safeParse(await response.json()).error?.issues ?? []).toEqual([]);
  }
});
