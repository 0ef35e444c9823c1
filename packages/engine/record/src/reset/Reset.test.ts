/** Going back in records that the command's own tests do not have: rounds, items, attempts of blocks. */
import { assert, describe, it } from "@effect/vitest"
import type { RunEvent } from "@planloom/plugin/effect"
import type { Pipeline } from "@planloom/core"
import { resetTo } from "./Reset.ts"

const kind = (id: string, each = false) => ({
  id,
  work: { type: "kind", workflows: [] },
  forEach: each ? {} : undefined,
})
const block = (id: string, ...nodes: ReadonlyArray<object>) => ({
  id,
  work: { type: "block", block: { nodes, needs: undefined }, repeat: undefined },
  forEach: undefined,
})

/** Only what the walk looks at. */
const pipeline = {
  main: {
    nodes: [
      kind("plan"),
      kind("check"),
      kind("rows", true),
      block("work", kind("in")),
      kind("end"),
    ],
    needs: undefined,
  },
  finally: { nodes: [kind("tidy")], needs: undefined },
  workflows: new Map(),
} as unknown as Pipeline

const paths = [
  "plan",
  "check",
  "plan~2",
  "check~2",
  "rows",
  "rows[0]",
  "rows[1]",
  "work",
  "work/in",
  "work/attempt:2/in",
  "end",
  "tidy",
]
const events = paths.map(
  (path, seq) => ({ type: "StageStarted", path, stage: path, uses: "x", seq, at: seq }) as RunEvent,
)
const steps = [
  "plan",
  "check",
  "plan~2",
  "check~2",
  "rows[0]",
  "rows[1]",
  "rows",
  "work/in",
  "work",
  "work/pause:1",
  "work/attempt:2/in",
  "work/attempt:2",
  "end",
  "tidy",
]

const kept = (from: string): ReadonlyArray<string> | undefined => {
  const back = resetTo(pipeline, { events, steps }, from)
  return back && steps.filter((name) => !back.drops(name))
}

describe("a reset", () => {
  it("to a round keeps the rounds before it", () => {
    assert.deepStrictEqual(kept("check"), ["plan"])
    assert.deepStrictEqual(kept("plan~2"), ["plan", "check"])
  })

  it("to an item keeps the other items", () => {
    assert.deepStrictEqual(kept("rows[1]"), ["plan", "check", "plan~2", "check~2", "rows[0]"])
  })

  it("into a retried block drops later attempts and keeps earlier ones", () => {
    const before = ["plan", "check", "plan~2", "check~2", "rows[0]", "rows[1]", "rows"]
    assert.deepStrictEqual(kept("work/in"), before)
    assert.deepStrictEqual(kept("work/attempt:2/in"), [
      ...before,
      "work/in",
      "work",
      "work/pause:1",
    ])
  })

  it("into a workflow that a stage ran in several attempts drops later attempts and keeps earlier ones", () => {
    const nested = {
      ...pipeline,
      main: { nodes: [kind("first"), kind("second")], needs: undefined },
    }
    const outer = {
      ...pipeline,
      main: { nodes: [kind("outer")], needs: undefined },
      workflows: new Map([["nested", nested]]),
    } as unknown as Pipeline
    const done = [
      "outer/first",
      "outer/second",
      "outer",
      "outer/pause:1",
      "outer/run:2/first",
      "outer/run:2/second",
      "outer/run:2/workflow:2/first",
      "outer/run:2/workflow:2/second",
      "outer/run:2",
      "outer/run:2/pause:2",
      "outer/answered:1/first",
      "outer/answered:1",
    ]
    const told = done
      .filter((path) => /first|second/.test(path))
      .map((path, seq) => ({ type: "StageStarted", path, seq }) as unknown as RunEvent)
    const left = (from: string) => {
      const back = resetTo(outer, { events: told, steps: done }, from)
      return done.filter((name) => back?.drops(name) !== true)
    }
    assert.deepStrictEqual(left("outer/second"), ["outer/first"])
    const first = ["outer/first", "outer/second", "outer", "outer/pause:1"]
    assert.deepStrictEqual(left("outer/run:2/first"), first)
    assert.deepStrictEqual(left("outer/run:2/workflow:2/second"), [
      ...first,
      "outer/run:2/first",
      "outer/run:2/second",
      "outer/run:2/workflow:2/first",
    ])
    assert.deepStrictEqual(left("outer/answered:1/first").includes("outer/run:2/second"), true)
  })

  it("to a `finally` stage keeps everything before it, and yields undefined for what did not run", () => {
    assert.deepStrictEqual(
      kept("tidy"),
      steps.filter((name) => name !== "tidy"),
    )
    assert.strictEqual(kept("work/out"), undefined)
    assert.strictEqual(kept("plan~3"), undefined)
  })
})
