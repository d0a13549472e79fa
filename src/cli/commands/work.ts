/** `cra work`: parses contents and indexes commits for a team, on any number of machines. */
import { flagLayer } from "../../config/settings.ts";
import { Failed } from "../../failure.ts";
import { counted } from "../../text/counted.ts";
import { LEASE_RETURN_MS } from "../options/store-options.ts";
import type { Command, Context } from "../syntax/command.ts";

export const WORK: Command = {
  name: "work",
  summary: "parse and index for a team: takes jobs from its store, on as many machines as you like",
  arguments: [],
  options: [
    { flag: "--from", value: "address", summary: "the store, as postgres://user@host/database" },
    { flag: "--bucket", value: "address", summary: "bucket that holds the store's chunks, as s3://bucket/folder" },
    {
      flag: "--clone",
      value: "address",
      summary: "also index queued commits, cloned from here; * stands for a repository's name, as in 'https://*.git'",
    },
    { flag: "--until-done", summary: "end when no job is left, instead of waiting for more" },
    { flag: "--workers", value: "n", key: "index.workers", summary: "parse with this many threads" },
  ],
  examples: [
    { line: "cra work --from postgres://worker@db.example.com/cra", does: "work until Ctrl-C" },
    {
      line: "cra work --from postgres://ci@db.example.com/cra --clone 'ssh://git@*.git'",
      does: "also index what is queued",
    },
  ],
  run,
};

async function run({ values, output, environment, signal, takeTime }: Context): Promise<number> {
  const address = values.text("--from");
  if (address === undefined)
    throw new Failed({
      code: "usage",
      message: "--from is missing",
      next: "name the store: --from postgres://user@host/database",
    });
  takeTime(LEASE_RETURN_MS);
  const { work } = await import("../../app/team/work.ts");
  const done = await work(
    environment,
    {
      store: { address, bucket: values.text("--bucket"), flag: "--from" },
      clone: values.text("--clone"),
      untilDone: values.switch("--until-done"),
      flags: [flagLayer(values.flags)],
      onJob: ({ jobs, contents }) =>
        void output.detail(`cra: ${counted(jobs, "job")}, ${counted(contents, "content")}`),
      onLost: (problem) => void output.say(`cra: note: ${problem}; trying again`),
      onProblem: (problem) => void output.say(`cra: note: a job was given back: ${problem}`),
    },
    signal,
  );
  await output.result({
    json: () => ({ schema_version: 1, ...done }),
    text: () => `${counted(done.jobs, "job")} done, ${done.failed} given back, ${counted(done.contents, "content")}\n`,
  });
  return done.failed > 0 ? 1 : 0;
}
