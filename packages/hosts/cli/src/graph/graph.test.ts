import { join } from "node:path"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { check } from "@planloom/embed"
import type { Pipeline } from "@planloom/core"
import { dot } from "./dot.ts"
import { graphOf, type Graph, type GraphNode } from "./Graph.ts"
import { layout } from "./layout.ts"
import { mermaid } from "./mermaid.ts"
import { svg } from "./svg.ts"

const pipelineOf = async (name: string): Promise<Pipeline> => {
  const path = join(import.meta.dirname, "../../test/fixture/workflows", `${name}.yaml`)
  const { diagnostics, workflow } = await Effect.runPromise(check(path))
  if (workflow === undefined) throw new Error(JSON.stringify(diagnostics))
  return workflow.pipeline
}

let graph: Graph

beforeAll(async () => {
  graph = graphOf(await pipelineOf("gate"))
})

describe("the diagram of a workflow", () => {
  it("as Mermaid has blocks as subgraphs, dotted reruns and quoted labels", () => {
    expect(mermaid(graph)).toMatchInlineSnapshot(`
      "flowchart TD
        s_a["a<br/>give"]
        s_b["b<br/>give<br/>if inputs.deep"]
        subgraph s_c["c"]
          s_c__x["x<br/>give"]
          s_c__y["y<br/>give"]
          s_c__x --> s_c__y
          s_c__y -. "rerun ≤ 2" .-> s_c__x
        end
        s_d["d<br/>flaky<br/>on error: continue"]
        s_a --> s_c
        s_b --> s_c
        s_c --> s_d
        subgraph finally["finally"]
          s_finally__bye["bye<br/>give"]
        end
      "
    `)
  })

  it("as Graphviz has edges that end at the border of a block", () => {
    const text = dot(graph)
    expect(text).toContain('"a" -> "c/x" [lhead="cluster_c"]')
    expect(text).toContain('"c/y" -> "d" [ltail="cluster_c"]')
    expect(text).toContain('"c/y" -> "c/x" [style=dashed constraint=false label="rerun ≤ 2"]')
  })

  it("has layers: a waiting stage is below, parallel stages are level, boxes do not overlap", () => {
    const [main] = layout(graph)
    const box = (id: string) => main!.boxes.find(({ node }) => node.id === id)!
    expect(box("a").y).toBe(box("b").y)
    expect(box("c").y).toBeGreaterThanOrEqual(box("b").y + box("b").height)
    expect(box("d").y).toBeGreaterThanOrEqual(box("c").y + box("c").height)
    expect(box("b").x).toBeGreaterThanOrEqual(box("a").x + box("a").width)
    const inner = box("c").inner!
    for (const { height, width, x, y } of inner.boxes) {
      expect(x + width).toBeLessThanOrEqual(inner.width)
      expect(y + height).toBeLessThanOrEqual(inner.height)
    }
  })

  it("contains every arrow, even one that passes three layers of boxes", () => {
    const stage = (path: string): GraphNode => ({
      path,
      id: path,
      uses: "give",
      model: undefined,
      condition: undefined,
      notes: [],
      block: undefined,
    })
    const next = (from: string, to: string) =>
      ({ from, to, kind: "next", label: undefined }) as const
    const [placed] = layout({
      name: "wide",
      finally: undefined,
      main: {
        nodes: ["fetch", "left", "right", "deep", "merge"].map(stage),
        edges: [
          next("fetch", "left"),
          next("fetch", "right"),
          next("left", "deep"),
          next("deep", "merge"),
          next("right", "merge"),
          next("fetch", "merge"),
        ],
      },
    })
    const { arrows, height, width } = placed!
    const points = arrows.flatMap((arrow) => arrow.points)
    expect(points.length).toBeGreaterThanOrEqual(18)
    for (const { x, y } of points) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThanOrEqual(width)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(height)
    }
  })

  it("as SVG has one box per stage and escapes text of the file", async () => {
    const hostile: Graph = {
      ...graph,
      name: '"><script>alert(1)</script>',
      main: {
        ...graph.main,
        nodes: graph.main.nodes.map((node) => ({ ...node, condition: '"<b>&' })),
      },
    }
    const drawn = svg(hostile)
    expect(drawn.match(/<rect class="(box|block)"/g)).toHaveLength(7)
    expect(drawn).not.toMatch(/<script|<b>/)
    expect(mermaid(hostile)).not.toMatch(/<b>|&/)
  })
})
