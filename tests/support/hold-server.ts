/** A process that asks a model server: takes its turn, says so, and gives it back when its input ends. */
import { serverQueue } from "../../src/app/workspace/server-queue.ts";

const [server = ""] = process.argv.slice(2);
const queue = serverQueue(server, process.env, { pid: process.pid, host: "other", startedAt: "2024-01-01T00:00:00Z" });
const turn = await queue?.take(new AbortController().signal);
process.stdout.write("asking\n");
await new Response(Bun.stdin.stream()).text();
turn?.[Symbol.dispose]();
