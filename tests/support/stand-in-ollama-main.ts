/**
 * The stand-in server as a process of its own, for tests of the compiled binary that must not be held up by it.
 *
 * Argument: a file of rules, JSON or a module that exports `reply`. It prints its port on the first line and serves
 * until its standard input ends. `GET /stand-in/requests` answers what was asked so far. Rules are tried in order; one
 * without `when` fits always, one with `times` is used up after so many answers.
 */
import { startOllama } from "./stand-in-ollama.ts";
import { replyFrom } from "./stand-in-rules.ts";

const [rules = ""] = process.argv.slice(2);
const { reply, models, embed } = await replyFrom(rules);
await using server = await startOllama({
  reply,
  ...(models === undefined ? {} : { models }),
  ...(embed === undefined ? {} : { embed }),
});
process.stdout.write(`${server.port}\n`);
for await (const _ of process.stdin) {
  // Only its end matters: it comes when whoever started this has gone.
}
