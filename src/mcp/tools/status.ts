/** The tool `status`: the state of the index. */
import { z } from "zod";
import { StatusAnswer } from "../../present/answers.ts";
import { statusJson, statusText } from "../../present/status-report.ts";
import { tool } from "./tool.ts";

export const STATUS = tool({
  name: "status",
  title: "State of the index",
  description:
    "Says which repository this server answers for, what of it is indexed, whether the index is older than the files, and which versions are at work. Use it when answers look wrong or out of date; retrieve brings the index up to date by itself.",
  writes: false,
  isIdempotent: true,
  less: "there is nothing to ask for less with",
  input: z.strictObject({}),
  output: StatusAnswer,
  async answer(_, { app, signal }) {
    const status = await app.status(signal);
    return { text: statusText(status), structured: statusJson(status) };
  },
});
