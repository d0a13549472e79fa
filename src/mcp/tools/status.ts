/** The tool `status`: the state of the index. */
import { z } from "zod";
import { StatusAnswer } from "../../present/answers.ts";
import { statusJson, statusText } from "../../present/status-report.ts";
import { tool } from "./tool.ts";

export const STATUS = tool({
  name: "status",
  title: "State of the index",
  description:
    "Reports which repository this server serves, what is indexed, whether the index is older than the files, and the versions in use. Use it when answers look wrong or out of date; retrieve updates the index by itself.",
  writes: false,
  isIdempotent: true,
  less: "status has no argument that shortens its answer",
  input: z.strictObject({}),
  output: StatusAnswer,
  async answer(_, { app, signal }) {
    const status = await app.status(signal);
    const model = await app.modelStatus({ asks: true }, signal);
    return { text: statusText(status, model), structured: statusJson(status, model) };
  },
});
