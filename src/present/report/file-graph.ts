/**
 * The files of a package and their imports as a graph in layers: what imports is left of what it imports.
 *
 * The layout is the same for the same package. Imports in a circle are drawn backwards.
 */
import { nameOf } from "../../text/repo-path.ts";
import { type Html, html, NOTHING } from "./html.ts";

type Edge = readonly [from: string, to: string];

type Node = { readonly path: string; readonly id: number; readonly layer: number; readonly row: number };

/** More files than these are a tangle; the list below the graph has all edges. */
const NODES_MAX = 48;
const LAYERS_MAX = 6;
const NAME_CHARS_MAX = 24;
const [WIDTH, HEIGHT, GAP_X, GAP_Y] = [190, 26, 70, 10];

/** `paths` are the files, the best first; `idOf` is the id of a file's part of the page. */
export function fileGraph(paths: readonly string[], edges: readonly Edge[], idOf: ReadonlyMap<string, number>): Html {
  const linked = new Set(edges.flat());
  const drawn = paths.filter((path) => linked.has(path)).slice(0, NODES_MAX);
  if (drawn.length === 0) return html`<p class="soft">No file of the package imports another one.</p>`;
  const isDrawn = new Set(drawn);
  const inside = edges.filter(([from, to]) => from !== to && isDrawn.has(from) && isDrawn.has(to));
  const nodes = placed(drawn, inside, idOf);
  const layers = Math.max(...nodes.map(({ layer }) => layer)) + 1;
  const rows = Math.max(...nodes.map(({ row }) => row)) + 1;
  const [width, height] = [layers * (WIDTH + GAP_X), rows * (HEIGHT + GAP_Y) + GAP_Y];
  const byPath = new Map(nodes.map((node) => [node.path, node]));
  const left = paths.length - drawn.length;
  return html`<div class="scroll"><svg role="group" aria-label="Files and what they import" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
${inside.map(([from, to]) => edgeLine(byPath.get(from), byPath.get(to)))}
${nodes.map(nodeBox)}
</svg></div>
<p class="soft">A line goes from a file to what it imports, from left to right.${left === 0 ? "" : ` ${left} more files are not drawn.`}</p>`;
}

function placed(paths: readonly string[], edges: readonly Edge[], idOf: ReadonlyMap<string, number>): readonly Node[] {
  const layerOf = layersOf(paths, edges);
  const rowOf = new Map<string, number>();
  const layers = Map.groupBy(paths, (path) => layerOf.get(path) ?? 0);
  const importers = Map.groupBy(edges, ([, to]) => to);
  for (const [, members] of [...layers].sort(([a], [b]) => a - b)) {
    const middle = (path: string): number => {
      const known = (importers.get(path) ?? []).flatMap(([from]) => rowOf.get(from) ?? []);
      return known.length === 0 ? paths.indexOf(path) : known.reduce((sum, row) => sum + row, 0) / known.length;
    };
    const ordered = members.map((path) => [path, middle(path)] as const).sort(([, a], [, b]) => a - b);
    for (const [row, [path]] of ordered.entries()) rowOf.set(path, row);
  }
  return paths.map((path) => ({
    path,
    id: idOf.get(path) ?? 0,
    layer: layerOf.get(path) ?? 0,
    row: rowOf.get(path) ?? 0,
  }));
}

/** The layer of each file: one more than its last importer, as far as imports are no circle. */
function layersOf(paths: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const imports = Map.groupBy(edges, ([from]) => from);
  const reached = new Map(paths.map((path) => [path, reachedFrom(path, imports)]));
  const forward = edges.filter(([from, to]) => reached.get(to)?.has(from) !== true);
  const layers = new Map(paths.map((path) => [path, 0]));
  for (let pass = 1; pass < LAYERS_MAX; pass += 1)
    for (const [from, to] of forward)
      if (layers.get(from) === pass - 1 && (layers.get(to) ?? 0) < pass) layers.set(to, pass);
  return layers;
}

/** What a file imports, and what that imports, and so on. */
function reachedFrom(path: string, imports: ReadonlyMap<string, readonly Edge[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const next = [path];
  for (let at = next.pop(); at !== undefined; at = next.pop())
    for (const [, to] of imports.get(at) ?? [])
      if (!seen.has(to)) {
        seen.add(to);
        next.push(to);
      }
  return seen;
}

const xOf = ({ layer }: Node): number => layer * (WIDTH + GAP_X);
const yOf = ({ row }: Node): number => GAP_Y + row * (HEIGHT + GAP_Y);

function edgeLine(from: Node | undefined, to: Node | undefined): Html {
  if (from === undefined || to === undefined) return NOTHING;
  const [x1, y1] = [xOf(from) + WIDTH, yOf(from) + HEIGHT / 2];
  const [x2, y2] = [xOf(to), yOf(to) + HEIGHT / 2];
  const bend = Math.max(GAP_X / 2, Math.abs(x2 - x1) / 2);
  return html`<path class="edge" data-from="${from.id}" data-to="${to.id}" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`;
}

function nodeBox(node: Node): Html {
  const { path, id } = node;
  const [x, y] = [xOf(node), yOf(node)];
  const name = nameOf(path);
  const short = name.length <= NAME_CHARS_MAX ? name : `${name.slice(0, NAME_CHARS_MAX - 1).toWellFormed()}…`;
  return html`<a class="node" data-id="${id}" href="#file-${id}"><title>${path}</title><rect x="${x + 1}" y="${y}" width="${WIDTH - 2}" height="${HEIGHT}" rx="5"/><text x="${x + 9}" y="${y + 17}">${short}</text></a>
`;
}
