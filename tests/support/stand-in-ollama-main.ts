/**
 * Runs the stand-in server as a process, so that it does not block tests of the compiled binary.
 *
 * Its argument is a file of rules: JSON, or a module that exports `reply`. It prints its port on the first line and
 * serves until its standard input ends. `GET /stand-in/requests` returns the requests so far. The first matching rule
 * answers; a rule without `when` always matches, and `times` limits how often a rule is used.
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
  // The input ends when the parent process is gone.
}
