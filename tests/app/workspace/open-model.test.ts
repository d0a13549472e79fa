/** Whether a model's server may be asked, before anything is sent to it. */
import { expect, test } from "bun:test";
import { openModel, readServer, sendingNotice } from "../../../src/app/workspace/open-model.ts";
import { DEFAULT_SETTINGS } from "../../../src/config/keys.ts";
import { NO_REDACTION } from "../../../src/secrets/redactor.ts";
import { failureOf } from "../../support/failure.ts";

const at = (base_url: string, allow_remote_llm = false) => ({ ...DEFAULT_SETTINGS, base_url, allow_remote_llm });

test("a server on this machine needs no permission", async () => {
  const settings = at("http://localhost:9/");
  const model = await openModel(
    { config: { settings }, redactor: NO_REDACTION, environment: { variables: {}, pid: 1, host: "here" } },
    "m:1b",
  );
  expect([model.name, model.baseUrl]).toEqual(["m:1b", "http://localhost:9"]);
  expect(sendingNotice(settings)).toBeNull();
});

test("another machine must be allowed, and is named each time", async () => {
  const remote = "http://models.example:11434";
  expect(failureOf(() => readServer(at(remote)))).toMatchObject({
    code: "usage",
    message: expect.stringContaining("models.example is not this machine"),
    next: expect.stringContaining("--allow-remote-llm"),
  });
  expect(sendingNotice(at(remote, true))).toEqual({ code: "model-remote", host: "models.example" });
});

test.each(["", "localhost", "ftp://localhost", "http://me:secret@localhost", "http://localhost/?q"])(
  "%p is no address",
  (typed) => {
    const failure = failureOf(() => readServer(at(typed, true)));
    expect(failure).toMatchObject({ code: "usage", message: expect.stringMatching(/^--base-url /) });
    expect(JSON.stringify(failure)).not.toContain("secret");
  },
);
