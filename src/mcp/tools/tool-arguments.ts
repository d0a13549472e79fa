/** Checks the arguments of a call against the type of its tool, and reads them as models mean them. */
import { z } from "zod";
import { Failed } from "../../failure.ts";
import { isTooDeep } from "../../text/json-depth.ts";
import { isRecord, parseJson } from "../../text/parse-json.ts";
import { firstOfEachField } from "../../text/schema-issues.ts";

/** Problems named in a message. */
const PROBLEMS_MAX = 3;

/** Arguments of the type, as they are or as a model meant them. Throws a usage failure that names the first that are wrong. */
export function checkedArguments<Input>(type: z.ZodType<Input>, args: unknown, name: string): Input {
  const given = withoutBlanks(args ?? {});
  const strict = type.safeParse(given);
  const found = strict.success ? strict : type.safeParse(asMeant(given, strict.error.issues));
  if (found.success) return found.data;
  const { issues } = found.error;
  const problems = firstOfEachField(issues).map(({ path, code, message }) => {
    const isMissing = code === "invalid_type" && message.endsWith("received undefined");
    return `${path.map(String).join(".").slice(0, 100) || "the arguments"}: ${isMissing ? "it is missing" : message}`;
  });
  const isUnknown = issues.some(({ code, path }) => code === "unrecognized_keys" && path.length === 0);
  throw new Failed({
    code: "usage",
    message: problems.slice(0, PROBLEMS_MAX).join("; "),
    next:
      isUnknown && type instanceof z.ZodObject
        ? `${name} takes ${Object.keys(type.shape).join(", ")}`
        : `see the input schema of ${name}`,
  });
}

/** Models give null or an empty text for what they leave out, also as an entry of a list. */
function withoutBlanks(args: unknown): unknown {
  if (!isRecord(args)) return args;
  const given = Object.entries(args).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.filter((entry) => !isBlank(entry)) : value]),
  );
}

const isBlank = (value: unknown): boolean => value === null || value === "";

/** With each text that is refused read as what models mean by it. */
function asMeant(args: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  if (!isRecord(args)) return args;
  const meant = issues.flatMap((issue) => {
    const [name, inside] = [String(issue.path[0]), issue.path.length > 1];
    const text = inside ? undefined : args[name];
    return typeof text === "string" ? [[name, meantBy(text, issue)] as const] : [];
  });
  return { ...args, ...Object.fromEntries(meant) };
}

/** A choice in other letters, the only entry of a list, or the text's value in JSON; else the text. */
function meantBy(text: string, issue: z.core.$ZodIssue): unknown {
  if (issue.code === "invalid_value")
    return issue.values.find((value) => String(value).toLowerCase() === text.trim().toLowerCase()) ?? text;
  if (issue.code !== "invalid_type" && issue.code !== "invalid_union") return text;
  const value = isTooDeep(text) ? undefined : parseJson(text);
  const isEntry = issue.code === "invalid_type" && issue.expected === "array" && !Array.isArray(value);
  return isEntry ? [text] : (value ?? text);
}
