/** `cra schema`: JSON Schemas made from the zod types that check input and describe output. */
import { z } from "zod";
import { CONFIG_KEYS, type ConfigKey, DEFAULT_SETTINGS, keyFacts, keySchema } from "../../config/keys.ts";
import { TOML_TEXTS } from "../../config/parse-value.ts";
import type { Command, Context } from "../syntax/command.ts";

type Schema = { readonly type: z.ZodType; readonly io?: "input" };

/** Each schema by its name, loaded when it is asked for. */
const SCHEMAS: Readonly<Record<string, () => Promise<Schema>>> = {
  package: async () => ({ type: (await import("../../retrieval/model/package-schema.ts")).ContextPackage }),
  bundle: async () => ({ type: (await import("../../retrieval/model/package-schema.ts")).Bundle }),
  event: async () => ({ type: (await import("../../retrieval/model/events.ts")).EventLine }),
  config: async () => ({ type: configFile(), io: "input" }),
  "budget-config": async () => ({ type: (await import("../../config/read-files.ts")).BudgetFile }),
  refinement: async () => ({ type: (await import("../../retrieval/requests/refinement.ts")).RefinementRequest }),
  handoff: async () => ({ type: (await import("../../escalation/handoff-bundle.ts")).HandoffDocument, io: "input" }),
  escalation: async () => {
    const { EscalationDecision, RetrievalBundle } = await import("../../escalation/escalation-schema.ts");
    return { type: z.union([RetrievalBundle, EscalationDecision]) };
  },
  entry: async () => ({ type: (await import("../../memory/entry-draft.ts")).DraftSchema, io: "input" }),
  recall: async () => ({ type: (await import("../../recall/context/context-json.ts")).ContextJson }),
  entries: async () => ({ type: (await import("../../memory/entry-list.ts")).EntryList }),
  values: async () => ({ type: (await import("../../recall/values/values-json.ts")).ValuesJson }),
  log: async () => ({ type: (await import("../../retrieval/explain/run-record.ts")).RunRecord }),
  search: async () => ({ type: (await import("../../present/answers.ts")).SearchAnswer }),
  read: async () => ({ type: (await import("../../present/answers.ts")).ReadAnswer }),
  explain: async () => ({ type: (await import("../../present/answers.ts")).ExplainAnswer }),
  status: async () => ({ type: (await import("../../present/answers.ts")).StatusAnswer }),
  answer: async () => ({ type: (await import("../../present/answers.ts")).PackageAnswer }),
  error: async () => ({ type: (await import("../output/output.ts")).ErrorObject }),
};

export const SCHEMA_NAMES: readonly string[] = Object.keys(SCHEMAS);

export const SCHEMA: Command = {
  name: "schema",
  summary: "print the JSON Schemas of what cra reads and prints",
  arguments: [{ name: "name", summary: SCHEMA_NAMES.join(", "), required: false, choices: SCHEMA_NAMES }],
  options: [],
  examples: [{ line: "cra schema package", does: "the schema of --format json" }],
  run,
};

/** With a name that schema; without one, an object that holds all of them. */
async function run({ values, output }: Context): Promise<number> {
  const chosen = values.argument("name");
  const schemas: [string, unknown][] = [];
  for (const [name, load] of Object.entries(SCHEMAS)) {
    if (chosen !== undefined && chosen !== name) continue;
    const { type, io = "output" } = await load();
    schemas.push([name, z.toJSONSchema(type, { io })]);
  }
  const [only] = schemas;
  await output.json(
    chosen !== undefined && only ? only[1] : { schema_version: 1, schemas: Object.fromEntries(schemas) },
  );
  return 0;
}

/** What a file may hold for a key: the value, or a text that stands for it. */
function writtenSchema(key: ConfigKey): z.ZodType {
  const text = TOML_TEXTS[keyFacts(key).notation];
  if (text === undefined) return keySchema(key);
  return z.union([keySchema(key), z.string().regex(text)]).meta({ default: DEFAULT_SETTINGS[key] });
}

/** All settings in the shape of a configuration file, where dotted keys are tables. */
function configFile(): z.ZodType {
  const top = new Map<string, z.ZodType>();
  const tables = new Map<string, Map<string, z.ZodType>>();
  for (const key of CONFIG_KEYS) {
    const schema = writtenSchema(key);
    const [table = "", name] = key.split(".");
    if (name === undefined) top.set(table, schema);
    else tables.set(table, (tables.get(table) ?? new Map<string, z.ZodType>()).set(name, schema));
  }
  for (const [table, rows] of tables) top.set(table, z.strictObject(Object.fromEntries(rows)).optional());
  return z.strictObject(Object.fromEntries(top));
}
