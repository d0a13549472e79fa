/** Reads stack frames whose file, line and function are fields of JSON, as in events of monitoring, error responses and structured logs. */

/** `deepestLast`: the deepest frame is the last one, as in the events of Sentry, which call the line `lineno`. */
type FieldFrame = {
  readonly path: string;
  readonly line: string;
  readonly name: string;
  readonly deepestLast: boolean;
};

/** A field of a frame, else any string or bracket. */
const TOKEN =
  /"(?:(file(?:[nN]ame|Path)?)|(line(?:no|Number)?)|function|func|method(?:Name)?)"\s{0,4}:\s{0,4}(?:"([^"\\]{1,400})"|(\d{1,9})(?!\d))|"(?:[^"\\]|\\.)*(?:"|$)|[{}]/g;

/** The frames in the lines of a text, in order. A frame ends with its object, or where a field of it comes again. */
export function framesAsFields(lines: readonly string[]): readonly FieldFrame[] {
  const found: FieldFrame[] = [];
  const none = { path: "", line: "", name: "", deepestLast: false };
  let open = none;
  let depth = 0;
  let openedAt = 0;
  const close = () => {
    if (open.path !== "" && open.line !== "") found.push(open);
    open = none;
  };
  for (const text of lines) {
    for (const [token, file, line, string = "", number = ""] of text.matchAll(TOKEN)) {
      if (token === "{") depth += 1;
      if (token === "}" && depth === openedAt) close();
      if (token === "}") depth -= 1;
      const field = file !== undefined ? "path" : line !== undefined ? "line" : "name";
      const value = field === "line" ? number : string;
      if (value === "") continue;
      if (open[field] !== "") close();
      if (open === none) openedAt = depth;
      open = { ...open, [field]: value, deepestLast: open.deepestLast || line === "lineno" };
    }
  }
  close();
  return found;
}
