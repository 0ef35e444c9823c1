/** Renders a graph as a self-contained SVG image without scripts or fonts, with light and dark colors. */
import type { Graph, GraphEdge } from "./Graph.ts"
import { layout, metrics, type Arrow, type Box, type Placed } from "./layout.ts"

const MARGIN = 16
const { LANE, LINE, PAD } = metrics

export const svg = (graph: Graph): string => {
  const parts = layout(graph)
  const width = Math.max(...parts.map((part) => part.width)) + MARGIN * 2
  let y = MARGIN
  const drawn = parts.map((part) => {
    const text = group(part, (width - part.width) / 2, y)
    y += part.height + MARGIN * 2
    return text
  })
  const height = y - MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" aria-label="Stages of ${escaped(graph.name)}">`,
    `<style>${css}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" class="head"/></marker></defs>',
    `<rect class="page" width="100%" height="100%"/>`,
    ...drawn,
    "</svg>",
    "",
  ].join("\n")
}

/** Colors with enough contrast on both white and black pages. */
const css = [
  "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2937}",
  ".name{font-weight:600}.page{fill:#fff}",
  ".box{fill:#f8fafc;stroke:#64748b}.block{fill:none;stroke:#94a3b8;stroke-dasharray:4 3}",
  ".next,.rerun{fill:none;stroke:#64748b;stroke-width:1.3}.rerun{stroke:#b45309;stroke-dasharray:5 3}",
  ".head{fill:#64748b}.note{fill:#475569}.back{fill:#b45309}",
  "@media (prefers-color-scheme:dark){text{fill:#e5e7eb}.page{fill:#111827}.box{fill:#1f2937}.note{fill:#cbd5e1}.back{fill:#fbbf24}.rerun{stroke:#fbbf24}}",
].join("")

const group = (placed: Placed, x: number, y: number): string =>
  [
    `<g transform="translate(${round(x)} ${round(y)})">`,
    ...(placed.title === undefined
      ? []
      : [`<text class="note" x="0" y="${LINE - 4}">${escaped(placed.title)}</text>`]),
    ...edges(placed),
    ...placed.boxes.flatMap(box),
    "</g>",
  ].join("\n")

const box = ({ height, inner, label, node, width, x, y }: Box): ReadonlyArray<string> => [
  `<rect class="${inner === undefined ? "box" : "block"}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6"><title>${escaped(node.path)}</title></rect>`,
  ...label.map(
    (line, index) =>
      `<text class="${index === 0 ? "name" : "note"}" x="${round(x + PAD)}" y="${round(y + PAD * 0.5 + LINE * (index + 1) - 3)}">${escaped(line)}</text>`,
  ),
  ...(inner === undefined
    ? []
    : [group(inner, x + (width - inner.width) / 2, y + PAD * 1.5 + LINE * label.length)]),
]

const edges = (placed: Placed): ReadonlyArray<string> => {
  const byPath = new Map(placed.boxes.map((one) => [one.node.path, one]))
  const right = Math.max(0, ...placed.boxes.map(({ width, x }) => x + width))
  return [
    ...placed.arrows.map(forward),
    ...placed.reruns.flatMap((edge, index) =>
      back(edge, byPath.get(edge.from)!, byPath.get(edge.to)!, right + (LANE / 3) * (index + 1)),
    ),
  ]
}

/** Draws a curve from the first to the last point, smoothed at the points in between. */
const forward = ({ points }: Arrow): string => {
  const at = (x: number, y: number) => `${round(x)} ${round(y)}`
  const [first, ...rest] = points
  const curves = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1]!
    const isLast = index === rest.length - 2
    const [x, y] = isLast ? [next.x, next.y - 1] : [(point.x + next.x) / 2, (point.y + next.y) / 2]
    return `Q${at(point.x, point.y)} ${at(x, y)}`
  })
  return `<path class="next" marker-end="url(#arrow)" d="M${at(first!.x, first!.y)}${curves.join("")}"/>`
}

const back = (edge: GraphEdge, from: Box, to: Box, lane: number): ReadonlyArray<string> => {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2]
  // An arrow from a stage to itself ends a little below the middle, so that it has a visible length.
  const [x2, y2] = [to.x + to.width, to.y + (from === to ? to.height / 4 : to.height / 2)]
  return [
    `<path class="rerun" marker-end="url(#arrow)" d="M${round(x1)} ${round(y1)}H${round(lane - 6)}Q${round(lane)} ${round(y1)} ${round(lane)} ${round(y1 - 6)}V${round(y2 + 6)}Q${round(lane)} ${round(y2)} ${round(lane - 6)} ${round(y2)}H${round(x2 + 1)}"/>`,
    `<text class="back" x="${round(lane + 5)}" y="${round((y1 + y2) / 2)}">${escaped(edge.label ?? "")}</text>`,
  ]
}

const round = (value: number): number => Math.round(value * 10) / 10

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`)
