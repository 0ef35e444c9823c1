/** Paths of settings: every stage at any depth is found by its id. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { Json } from "@planloom/plugin/effect"
import { cases } from "../../../../../../.config/cases.ts"
import { settingPath } from "./settingPath.ts"

type Tree = { readonly block: ReadonlyArray<Tree> } | { readonly cases: ReadonlyArray<Tree> } | null

const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.constant(null),
    fc.record({ block: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ cases: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
  ),
})).tree

/** A workflow of these trees, with the path of each stage by its id. */
const workflowOf = (trees: ReadonlyArray<Tree>) => {
  const paths = new Map<string, ReadonlyArray<string>>()
  let number = 0
  const stage = (one: Tree, path: ReadonlyArray<string>): Json => {
    const id = `s${number++}`
    paths.set(id, path)
    if (one === null) return { id, uses: "set", with: { value: 1 } }
    if ("block" in one) {
      return {
        id,
        stages: one.block.map((inner, at) => stage(inner, [...path, "stages", `${at}`])),
      }
    }
    const all = one.cases.map((inner, at) => {
      const name = at === 0 ? ["else"] : ["cases", `c${at}`]
      return [name, stage(inner, [...path, "with", ...name])] as const
    })
    return {
      id,
      uses: "switch",
      with: {
        on: "inputs.x",
        cases: Object.fromEntries(all.slice(1).map(([[, name], inner]) => [name!, inner])),
        else: all[0]![1],
      },
    }
  }
  const stages = trees.map((one, at) => stage(one, ["stages", `${at}`]))
  return { workflow: { stages } as Json, paths }
}

const valueAt = (value: Json | undefined, path: ReadonlyArray<string>): Json | undefined =>
  path.reduce<Json | undefined>((at, key) => {
    if (typeof at !== "object" || at === null) return undefined
    if (!Array.isArray(at)) return (at as { readonly [key: string]: Json })[key]
    const items = at as ReadonlyArray<Json>
    return items[Number(key)] ?? items.find((one) => (one as { readonly id?: string }).id === key)
  }, value)

it("finds a stage by its id, however deep it is", () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 3 }), (trees) => {
      const { paths, workflow } = workflowOf(trees)
      for (const [id, path] of paths) {
        const found = settingPath(workflow, { path: `stages.${id}.timeout`, value: "1s" })
        expect(valueAt(workflow, found.slice(0, -1))).toBe(valueAt(workflow, path))
      }
    }),
    { numRuns: cases(100) },
  )
})

it("finds a case by the name of its switch and its value", () => {
  const way = { id: "way", uses: "switch", with: { on: "inputs.x", cases: { a: { uses: "set" } } } }
  const workflow = { stages: [way] }
  expect(settingPath(workflow, { path: "stages.way_a.timeout", value: "1s" })).toEqual([
    "stages",
    "0",
    "with",
    "cases",
    "a",
    "timeout",
  ])
  const unknown = { path: "stages.way_b.timeout", value: "1s" }
  expect(settingPath(workflow, unknown)).toEqual(["stages", "way_b", "timeout"])
})
