/** Places a graph's boxes on a plane: layers from top to bottom, blocks around what is in them. */
import { labelOf, type Graph, type GraphBlock, type GraphEdge, type GraphNode } from "./Graph.ts"

/** Pixels. */
const LINE = 16
const CHARACTER = 7.3
const PAD = 12
const GAP_X = 28
const GAP_Y = 34
const LANE = 104

export interface Box {
  readonly node: GraphNode
  readonly label: ReadonlyArray<string>
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly inner: Placed | undefined
}

/** Boxes and arrows in the coordinates of their block. */
export interface Placed {
  readonly title: string | undefined
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyArray<Box>
  readonly edges: ReadonlyArray<GraphEdge>
}

/** Main and `finally`, one below the other. */
export const layout = (graph: Graph): ReadonlyArray<Placed> => [
  place(graph.main, undefined),
  ...(graph.finally === undefined ? [] : [place(graph.finally, "finally")]),
]

/** The layer of a node is the length of the longest way to it. */
const layers = ({ edges, nodes }: GraphBlock): ReadonlyArray<ReadonlyArray<GraphNode>> => {
  const depths = new Map<string, number>()
  const depth = (path: string): number => {
    const known = depths.get(path)
    if (known !== undefined) return known
    // Seen while it is worked out: a cycle, which `check` does not let through, ends here.
    depths.set(path, 0)
    const before = edges.filter((edge) => edge.kind === "next" && edge.to === path)
    const found = Math.max(0, ...before.map((edge) => depth(edge.from) + 1))
    depths.set(path, found)
    return found
  }
  const rows: Array<Array<GraphNode>> = []
  for (const node of nodes) (rows[depth(node.path)] ??= []).push(node)
  return rows.filter((row) => row !== undefined)
}

const place = (block: GraphBlock, title: string | undefined): Placed => {
  const rows = layers(block).map((row) => row.map(sized))
  const widths = rows.map(
    (row) => row.reduce((sum, { width }) => sum + width, 0) + GAP_X * (row.length - 1),
  )
  const widest = Math.max(0, ...widths)
  const top = title === undefined ? 0 : LINE + PAD / 2
  let y = top
  const boxes = rows.flatMap((row, index) => {
    let x = (widest - widths[index]!) / 2
    const placed = row.map((box) => {
      const at = { ...box, x, y }
      x += box.width + GAP_X
      return at
    })
    y += Math.max(...row.map(({ height }) => height)) + GAP_Y
    return placed
  })
  // Arrows back run on the right, each in a lane of its own.
  const reruns = block.edges.filter(({ kind }) => kind === "rerun").length
  return {
    title,
    width: widest + (reruns === 0 ? 0 : LANE + (reruns - 1) * (LANE / 3)),
    height: Math.max(0, y - GAP_Y),
    boxes,
    edges: block.edges,
  }
}

const sized = (node: GraphNode): Omit<Box, "x" | "y"> => {
  const label = labelOf(node)
  const text = Math.max(...label.map((line) => line.length)) * CHARACTER
  const head = label.length * LINE
  if (node.block === undefined) {
    return { node, label, width: text + PAD * 2, height: head + PAD * 1.5, inner: undefined }
  }
  const inner = place(node.block, undefined)
  return {
    node,
    label,
    inner,
    width: Math.max(text, inner.width) + PAD * 2,
    height: head + inner.height + PAD * 2.5,
  }
}

export const metrics = { LINE, PAD, LANE } as const
