/** All attacks, in the order of their turns. */
import type { Attack } from "../attack.ts";
import { commandLines } from "./command-lines.ts";
import { crowds } from "./crowds.ts";
import { documents } from "./documents.ts";
import { modelServers } from "./model-servers.ts";
import { protocol } from "./protocol.ts";
import { repositories } from "./repositories.ts";
import { signals } from "./signals.ts";
import { stores } from "./stores.ts";
import { terminals } from "./terminals.ts";
import { watchers } from "./watchers.ts";

export const ATTACKS: readonly Attack[] = [
  repositories,
  commandLines,
  protocol,
  documents,
  modelServers,
  stores,
  signals,
  crowds,
  terminals,
  watchers,
];
