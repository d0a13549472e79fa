/**
 * Fills a data folder for the recall benchmark with entries, values and vectors. `recall.ts` runs it as a process with
 * the folder, which has an index, and the number of entries.
 */
import { join } from "node:path";
import { openMemory } from "../../src/db/memory/open-store.ts";
import { entriesOf, experienceAt, valuesOf } from "./recall-entries.ts";
import { storeMeaning } from "./recall-meaning.ts";

const [data = "", entries = ""] = process.argv.slice(2);
const store = openMemory(join(data, "memory.sqlite"), "write");
store.put(entriesOf(Number(entries)));
store.replaceValues(valuesOf(Array.from({ length: 200 }, (_, at) => experienceAt(at * 10))));
store.close();
storeMeaning(data);
