import { assert, describe, it } from "@effect/vitest"
import { NeedsGraph } from "./NeedsGraph.ts"

/** Every stage needs the `width` stages before it. */
const chain = (stages: number, width: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: stages }, (_, index) =>
    Array.from({ length: Math.min(index, width) }, (_none, back) => index - 1 - back),
  )

/** The same lists, and how often one of their entries has been read. */
const counted = (needs: ReadonlyArray<ReadonlyArray<number>>) => {
  const reads = { count: 0 }
  const handler: ProxyHandler<Array<number>> = {
    get: (row, key) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads.count++
      return Reflect.get(row, key)
    },
  }
  return { reads, needs: needs.map((row) => new Proxy([...row], handler)) }
}

describe("a graph of needs", () => {
  it("reports direct and transitive dependencies, and no others", () => {
    const graph = new NeedsGraph([[], [0], [1], [0]])
    assert.isTrue(graph.waitsFor(1, 0))
    assert.isTrue(graph.waitsFor(2, 0))
    assert.isFalse(graph.waitsFor(3, 1))
    assert.isFalse(graph.waitsFor(0, 2))
    assert.isFalse(graph.waitsFor(0, 0))
    assert.deepStrictEqual(graph.cycles, [])
  })

  it("reports dependencies across bit-set words", () => {
    const graph = new NeedsGraph(chain(70, 1))
    for (const other of [0, 31, 32, 63, 64, 68]) assert.isTrue(graph.waitsFor(69, other))
    assert.isFalse(graph.waitsFor(64, 65))
  })

  it("lists each cycle once, from its first stage, with mutual dependencies", () => {
    const graph = new NeedsGraph([[1], [3, 2], [], [0], [4]])
    assert.deepStrictEqual(graph.cycles, [[0, 1, 3], [4]])
    for (const stage of [0, 1, 3]) {
      for (const other of [0, 1, 2, 3]) assert.isTrue(graph.waitsFor(stage, other))
    }
    assert.isTrue(graph.waitsFor(4, 4))
    assert.isFalse(graph.waitsFor(4, 0))
  })

  it("reads each edge only a few times in a chain of 2,000 stages and in 600 stages of 60 needs", () => {
    for (const given of [chain(2_000, 1), chain(600, 60)]) {
      const { needs, reads } = counted(given)
      const graph = new NeedsGraph(needs)
      for (const stage of needs.keys()) graph.waitsFor(needs.length - 1, stage)
      assert.isAtMost(reads.count, 5 * (given.flat().length + given.length))
    }
  })

  it("handles a chain of 50,000 stages in reverse order", () => {
    const last = 49_999
    const graph = new NeedsGraph(
      Array.from({ length: 50_000 }, (_, at) => (at < last ? [at + 1] : [])),
    )
    assert.deepStrictEqual(graph.cycles, [])
  })
})
