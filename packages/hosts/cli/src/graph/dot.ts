/** Renders a graph as Graphviz text. https://graphviz.org/doc/info/lang.html */
import { labelOf, type Graph, type GraphBlock, type GraphNode } from "./Graph.ts"

export const dot = (graph: Graph): string =>
  [
    `digraph ${quoted([graph.name])} {`,
    "  compound=true",
    '  node [shape=box style=rounded fontname="sans-serif"]',
    '  edge [fontname="sans-serif" fontsize=10]',
    ...block(graph.main, "  "),
    ...(graph.finally === undefined
      ? []
      : [
          "  subgraph cluster_finally {",
          '    label="finally"',
          ...block(graph.finally, "    "),
          "  }",
        ]),
    "}",
    "",
  ].join("\n")

const block = ({ edges, nodes }: GraphBlock, indent: string): ReadonlyArray<string> => {
  const byPath = new Map(nodes.map((one) => [one.path, one]))
  return [
    ...nodes.flatMap((one) => node(one, indent)),
    ...edges.map(({ from, kind, label, to }) => {
      const [source, target] = [byPath.get(from)!, byPath.get(to)!]
      const attributes = [
        ...(source.block === undefined ? [] : [`ltail=${quoted([`cluster_${from}`])}`]),
        ...(target.block === undefined ? [] : [`lhead=${quoted([`cluster_${to}`])}`]),
        ...(kind === "rerun" ? ["style=dashed", "constraint=false"] : []),
        ...(label === undefined ? [] : [`label=${quoted([label])}`]),
      ]
      const tail = attributes.length === 0 ? "" : ` [${attributes.join(" ")}]`
      return `${indent}${quoted([last(source)])} -> ${quoted([first(target)])}${tail}`
    }),
  ]
}

const node = (one: GraphNode, indent: string): ReadonlyArray<string> =>
  one.block === undefined
    ? [`${indent}${quoted([one.path])} [label=${quoted(labelOf(one))}]`]
    : [
        `${indent}subgraph ${quoted([`cluster_${one.path}`])} {`,
        `${indent}  label=${quoted(labelOf(one))}`,
        ...block(one.block, `${indent}  `),
        `${indent}}`,
      ]

/** Graphviz connects nodes, not clusters: an edge of a block starts or ends at a node inside it. */
const first = ({ block: inner, path }: GraphNode): string =>
  inner === undefined ? path : first(inner.nodes[0]!)
const last = ({ block: inner, path }: GraphNode): string =>
  inner === undefined ? path : last(inner.nodes.at(-1)!)

const quoted = (lines: ReadonlyArray<string>): string =>
  `"${lines.map((line) => line.replaceAll("\\", "\\\\").replaceAll('"', '\\"')).join("\\n")}"`
