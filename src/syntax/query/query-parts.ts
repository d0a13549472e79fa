/**
 * Named parts of queries, so that what several patterns share is written once.
 *
 * `; part name` and `; end` enclose a part, and `{name}` stands for it in what follows. A part may have a parameter:
 * `; part type(kind)` with `@reference.{kind}` in it is used as `{type(call)}`. Parts may use earlier ones.
 */

const PART = /^; part ([a-z-]+)(?:\(([a-z]+)\))?\n([\s\S]*?)^; end\n/gm;
const USE = /\{([a-z-]+)(?:\(([a-z]+)\))?\}/g;

/** A query without parts, each use replaced. Throws for a part that is not defined. */
export function expandParts(query: string): string {
  const parts = new Map<string, { readonly parameter: string | undefined; readonly body: string }>();
  const expanded = (text: string): string =>
    text.replace(USE, (use, name: string, argument: string | undefined) => {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`a query uses ${use}, which no part defines`);
      const { parameter, body } = part;
      return expanded(parameter === undefined ? body : body.replaceAll(`{${parameter}}`, argument ?? ""));
    });
  const rest = query.replace(PART, (_, name: string, parameter: string | undefined, body: string) => {
    parts.set(name, { parameter, body: body.trim() });
    return "";
  });
  return expanded(rest);
}
