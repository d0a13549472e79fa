/** What is searched for in a task whose names are looked up: a path that names a file is found, so its words are not. */
import type { TaskQuery } from "../../task/query.ts";
import { searchedTask } from "../../task/searched-task.ts";
import type { Anchor } from "../model/anchor.ts";

export const searchFor = (task: TaskQuery, anchors: readonly Anchor[]): TaskQuery =>
  searchedTask(task, {
    paths: anchors.flatMap(({ kind, text, files }) => (kind === "path" && files.length > 0 ? [text] : [])),
    namesSymbol: anchors.some(({ kind, codeLike }) => (kind === "definition" || kind === "qualified") && codeLike),
  });
