import { assert, describe, it } from "@effect/vitest"
import { earlyOutputs } from "./earlyOutputs.ts"
import type { Node, NodeAssertion, PipelineOutput } from "../Pipeline.ts"

const stage = (id: string, reruns: ReadonlyArray<number> = []): Node =>
  ({
    id,
    work: { type: "kind" },
    forEach: undefined,
    policy: undefined,
    assertions: reruns.map((node) => ({ rerun: { node } }) as NodeAssertion),
  }) as unknown as Node

const outputOf = (id: string): PipelineOutput =>
  ({ name: id, value: { references: [["stages", id]] } }) as unknown as PipelineOutput

describe("when an output of a graph is final", () => {
  it("waits for the assertions behind the stage it reads, and for no branch beside", () => {
    // a → b → c, a → d; c may go back to b.
    const nodes = [stage("a"), stage("b"), stage("c", [1]), stage("d")]
    const needs = [[], [0], [1], [0]]
    const outputs = ["a", "b", "d"].map(outputOf)
    const after = earlyOutputs(outputs, { nodes, needs }).map((early) => [...early.after])
    assert.deepStrictEqual(after, [["a"], ["b", "c"], ["d"]])
  })

  it("is found by reading each need a few times, however many ways lead through the stages", () => {
    // Layers of two stages that each need both of the layer before: 2^12 ways.
    const layers = 12
    let reads = 0
    const needs = Array.from({ length: 2 * layers }, (_, at) => {
      const layer = at >> 1
      const row = layer === 0 ? [] : [2 * layer - 2, 2 * layer - 1]
      return new Proxy(row, {
        get: (target, key) => {
          if (typeof key === "string" && /^\d+$/.test(key)) reads++
          return Reflect.get(target, key)
        },
      })
    })
    // The last stage goes back to one that is on none of these ways.
    const aside = needs.length
    const nodes = [...needs.keys()].map((at) => stage(`s${at}`, at === aside - 1 ? [aside] : []))
    earlyOutputs([outputOf("s0")], { nodes: [...nodes, stage("aside")], needs: [...needs, []] })
    assert.isAtMost(reads, 10 * 4 * layers)
  })
})
