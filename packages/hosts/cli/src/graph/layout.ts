/** Computes the positions of a graph's boxes and arrows with dagre, from top to bottom; blocks enclose their stages. */
import { graphlib, layout as layOut } from "@dagrejs/dagre"
import { labelOf, type Graph, type GraphBlock, type GraphEdge, type GraphNode } from "./Graph.ts"

/** All sizes are in pixels. */
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

interface Point {
  readonly x: number
  readonly y: number
}

/** An arrow to a later stage, with points that route it around boxes. Arrows back are drawn in lanes at the side. */
export interface Arrow {
  readonly edge: GraphEdge
  readonly points: ReadonlyArray<Point>
}

/** Boxes and arrows in the coordinates of their block. */
export interface Placed {
  readonly title: string | undefined
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyArray<Box>
  readonly arrows: ReadonlyArray<Arrow>
  readonly reruns: ReadonlyArray<GraphEdge>
}

/** Lays out the main stages, then the `finally` stages below them. */
export const layout = (graph: Graph): ReadonlyArray<Placed> => [
  place(graph.main, undefined),
  ...(graph.finally === undefined ? [] : [place(graph.finally, "finally")]),
]

const place = (block: GraphBlock, title: string | undefined): Placed => {
  const top = title === undefined ? 0 : LINE + PAD / 2
  const plane = new graphlib.Graph()
  plane.setGraph({ nodesep: GAP_X, ranksep: GAP_Y, rankalign: "top" })
  const sizes = block.nodes.map(sized)
  for (const { height, node, width } of sizes) plane.setNode(node.path, { width, height })
  const forward = block.edges.filter(({ kind }) => kind === "next")
  for (const { from, to } of forward) plane.setEdge(from, to, {})
  layOut(plane, { constraints: siblingOrder(block.nodes, forward) })
  const reruns = block.edges.filter(({ kind }) => kind === "rerun")
  const { width = 0, height = 0 } = plane.graph()
  const courses = forward.map(({ from, to }) => pointsOf(plane.edge(from, to)))
  const bends = courses.flat().map(({ x }) => x)
  // dagre's width covers only the boxes; an arrow may pass outside them.
  const left = Math.min(0, ...bends)
  return {
    title,
    width:
      Math.max(width, ...bends) -
      left +
      (reruns.length === 0 ? 0 : LANE + (reruns.length - 1) * (LANE / 3)),
    height: top + height,
    boxes: sizes.map((box) => {
      // dagre returns the center of a box.
      const { x, y } = plane.node(box.node.path) as Point
      return { ...box, x: x - left - box.width / 2, y: top + y - box.height / 2 }
    }),
    arrows: forward.map((edge, index) => ({
      edge,
      points: courses[index]!.map(({ x, y }) => ({ x: x - left, y: top + y })),
    })),
    reruns,
  }
}

const pointsOf = (edge: unknown) => (edge as { readonly points: ReadonlyArray<Point> }).points

/** Keeps stages with the same `needs` in the order of the file. */
const siblingOrder = (nodes: ReadonlyArray<GraphNode>, edges: ReadonlyArray<GraphEdge>) => {
  const awaited = new Map<string, Array<string>>()
  for (const { from, to } of edges) awaited.set(to, [...(awaited.get(to) ?? []), from])
  const siblings = Object.values(
    Object.groupBy(nodes, ({ path }) => (awaited.get(path) ?? []).toSorted().join("\n")),
  )
  return siblings.flatMap((group = []) =>
    group.slice(1).map((node, index) => ({ left: group[index]!.path, right: node.path })),
  )
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
