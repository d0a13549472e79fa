/** Arbitrary lines to the server of the Model Context Protocol: every request gets one reply, and the output is messages alone. */
import fc from "fast-check";
import { z } from "zod";
import { TOOLS } from "../../../src/mcp/tools/tools.ts";
import { anyCharacter } from "../../../tests/support/any-character.ts";
import { attackOf } from "../attack.ts";
import { hostileTask } from "../hostile-files.ts";
import { runIn, smallWorld } from "../small-world.ts";

const Input = z.object({ lines: z.array(z.string()) });
type Input = z.infer<typeof Input>;

const HELLO = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "siege", version: "1" } },
};
const NAMES = [...TOOLS.map(({ name }) => name), "nothing"];
const ARGUMENTS = [...new Set(TOOLS.flatMap(({ input }) => Object.keys(input.properties ?? {})))];
const id = fc.oneof(fc.integer(), fc.string({ maxLength: 8 }), fc.constantFrom(null, 1.5, true, {}, []));
const given = fc.dictionary(
  fc.constantFrom(...ARGUMENTS, "root", "__proto__"),
  fc.oneof(hostileTask, fc.integer(), fc.jsonValue({ maxDepth: 3 })),
  { maxKeys: 4 },
);
const message = fc.oneof(
  fc.record({
    jsonrpc: fc.constant("2.0"),
    id,
    method: fc.constant("tools/call"),
    params: fc.record({ name: fc.constantFrom(...NAMES), arguments: given }),
  }),
  fc.record({
    jsonrpc: fc.constantFrom("2.0", "1.0", 2),
    id,
    method: fc.constantFrom(
      "ping",
      "tools/list",
      "resources/list",
      "prompts/get",
      "logging/setLevel",
      "notifications/cancelled",
      "x",
      "",
    ),
    params: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
  }),
  fc.record({ jsonrpc: fc.constant("2.0"), id, result: fc.jsonValue({ maxDepth: 1 }) }),
);
const line = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.array(message, { maxLength: 3 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat(40)).map(([value, cut]) => JSON.stringify(value).slice(0, cut)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((depth) => "[".repeat(depth)) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }).map((text) => text.replaceAll("\n", "")) },
);

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});

export const protocol = attackOf<Input>({
  name: "protocol",
  schema: Input,
  inputs: fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 12 }) }),
  async trial({ lines }, court) {
    using world = await smallWorld(court, "data");
    const last = { jsonrpc: "2.0", id: "last of all", method: "ping" };
    const stdin = [JSON.stringify(HELLO), ...lines, JSON.stringify(last), ""].join("\n");
    const { code, stdout } = await runIn(court, world, "data", ["mcp"], { stdin });
    court.holds("replies", code === 0, () => `exits with ${code}`);
    const written = stdout.toString().split("\n").slice(0, -1);
    const messages = written.map((text) => Message.safeParse(parsed(text)));
    court.holds(
      "replies",
      messages.every(({ success }) => success),
      () => `not a message among ${written.join("\n").slice(0, 500)}`,
    );
    const replies = messages.filter(({ data }) => data?.id === "last of all").length;
    court.holds("replies", replies === 1, () => `${replies} replies to the last request`);
    world.checkTraces(court);
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
