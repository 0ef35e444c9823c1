/** Renders a graph as Mermaid text, which GitHub and many editors display. https://mermaid.js.org/syntax/flowchart.html */
import { labelOf, type Graph, type GraphBlock, type GraphNode } from "./Graph.ts"

export const mermaid = (graph: Graph): string =>
  [
    "flowchart TD",
    ...block(graph.main, "  "),
    ...(graph.finally === undefined
      ? []
      : ['  subgraph finally["finally"]', ...block(graph.finally, "    "), "  end"]),
    "",
  ].join("\n")

const block = ({ edges, nodes }: GraphBlock, indent: string): ReadonlyArray<string> => [
  ...nodes.flatMap((one) => node(one, indent)),
  ...edges.map(({ from, kind, label, to }) => {
    const arrow = kind === "next" ? "-->" : `-. ${text([label ?? ""])} .->`
    return `${indent}${name(from)} ${arrow} ${name(to)}`
  }),
]

const node = (one: GraphNode, indent: string): ReadonlyArray<string> => {
  const label = text(labelOf(one))
  if (one.block === undefined) return [`${indent}${name(one.path)}[${label}]`]
  return [
    `${indent}subgraph ${name(one.path)}[${label}]`,
    ...block(one.block, `${indent}  `),
    `${indent}end`,
  ]
}

/** Prefixes ids, because `end` and other keywords must not be ids. */
const name = (path: string): string => `s_${path.replaceAll(/\W/g, "__")}`

/** Quotes lines, with quotes and markup characters as entities. */
const text = (lines: ReadonlyArray<string>): string =>
  `"${lines.map((line) => line.replaceAll(/[#"<>&`]/g, (char) => `#${char.codePointAt(0)};`)).join("<br/>")}"`
