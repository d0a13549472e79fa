/**
 * `cra schema`: JSON Schemas made from the zod types that output is made with and input is checked with.
 *
 * One name gives one schema; without a name, one object with all of them.
 */
import { z } from "zod";
import { CONFIG_KEYS, keySchema } from "../../config/keys.ts";
import { BudgetFile } from "../../config/read-files.ts";
import { EscalationDecision, RetrievalBundle } from "../../escalation/escalation-schema.ts";
import { HandoffDocument } from "../../escalation/handoff-bundle.ts";
import { DraftSchema } from "../../memory/entry-draft.ts";
import { EntryList } from "../../memory/entry-list.ts";
import { ExplainAnswer, PackageAnswer, SearchAnswer, StatusAnswer } from "../../present/answers.ts";
import { ContextJson } from "../../recall/context/context-json.ts";
import { ValuesJson } from "../../recall/values/values-json.ts";
import { RunRecord } from "../../retrieval/explain/run-record.ts";
import { EventLine } from "../../retrieval/model/events.ts";
import { Bundle, ContextPackage } from "../../retrieval/model/package-schema.ts";
import { RefinementRequest } from "../../retrieval/model/refinement.ts";
import { ErrorObject } from "../output/output.ts";
import type { Runner } from "../syntax/command.ts";
import { SCHEMA_NAMES, type SchemaName } from "../syntax/names.ts";

export const run: Runner = async ({ values, output }) => {
  const asked = values.argument("name");
  const names = SCHEMA_NAMES.filter((name) => asked === undefined || name === asked);
  const schemas = names.map((name) => [name, schemaOf(name)] as const);
  const [only] = schemas;
  await output.json(
    asked !== undefined && only ? only[1] : { schema_version: 1, schemas: Object.fromEntries(schemas) },
  );
  return 0;
};

/** The JSON Schema (draft 2020-12) of one thing. */
function schemaOf(name: SchemaName): unknown {
  switch (name) {
    case "package":
      return z.toJSONSchema(ContextPackage);
    case "bundle":
      return z.toJSONSchema(Bundle);
    case "event":
      return z.toJSONSchema(EventLine);
    case "config":
      return z.toJSONSchema(configFile(), { io: "input" });
    case "budget-config":
      return z.toJSONSchema(BudgetFile);
    case "refinement":
      return z.toJSONSchema(RefinementRequest);
    case "escalation":
      return z.toJSONSchema(z.union([RetrievalBundle, EscalationDecision]));
    case "handoff":
      return z.toJSONSchema(HandoffDocument, { io: "input" });
    case "recall":
      return z.toJSONSchema(ContextJson);
    case "entry":
      return z.toJSONSchema(DraftSchema, { io: "input" });
    case "entries":
      return z.toJSONSchema(EntryList);
    case "values":
      return z.toJSONSchema(ValuesJson);
    case "log":
      return z.toJSONSchema(RunRecord);
    case "search":
      return z.toJSONSchema(SearchAnswer);
    case "explain":
      return z.toJSONSchema(ExplainAnswer);
    case "status":
      return z.toJSONSchema(StatusAnswer);
    case "answer":
      return z.toJSONSchema(PackageAnswer);
    case "error":
      return z.toJSONSchema(ErrorObject);
  }
}

/** The settings in the shape of the file: dotted keys are tables. */
function configFile(): z.ZodType {
  const top = new Map<string, z.ZodType>();
  const tables = new Map<string, Map<string, z.ZodType>>();
  for (const key of CONFIG_KEYS) {
    const schema = keySchema(key);
    const [table = "", name] = key.split(".");
    if (name === undefined) top.set(table, schema);
    else tables.set(table, (tables.get(table) ?? new Map<string, z.ZodType>()).set(name, schema));
  }
  for (const [table, rows] of tables) top.set(table, z.strictObject(Object.fromEntries(rows)).optional());
  return z.strictObject(Object.fromEntries(top));
}
