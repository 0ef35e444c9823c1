/** Commands that a host does not let start: nothing runs, and the tools are unavailable with the reason. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import type { Program } from "@planloom/plugin/effect"
import { cases } from "../../../../.config/cases.ts"
import { call, listOf, newState, server, sourceOf } from "./callServer.ts"

const REASON = "the folder is not trusted"
const refused = `the server "a" may not be started: ${REASON}`

it("a server that was never listed is not started by a list or a call", async () => {
  const one = server("good")
  const asked: Array<Program> = []
  const source = sourceOf(
    { a: one.declared },
    {
      mayStart: async (program) => {
        asked.push(program)
        return REASON
      },
    },
  )
  expect(await listOf(source)).toEqual({ tools: [], partial: refused, open: ["a.*"] })
  expect((await call(source, "a.echo", { text: "x" })).failure).toMatchObject({
    class: "unavailable",
    message: refused,
  })
  expect(one.seen()).toEqual([])
  expect(asked[0]).toEqual({
    what: 'the server "a"',
    command: one.declared.command,
    args: one.declared.args,
    file: expect.stringMatching(/planloom\.yaml$/),
  })
})

it("the known tools of a server that may not start are listed as unavailable, beside those of another", async () => {
  const one = server("good")
  const state = newState()
  const before = await listOf(sourceOf({ a: one.declared }, { state }))
  const starts = one.seen().length
  const source = sourceOf(
    { a: one.declared, b: server("good").declared },
    { state, mayStart: async ({ what }) => (what === 'the server "a"' ? REASON : undefined) },
  )
  const { tools } = await listOf(source)
  expect(tools.filter(({ group }) => group === "a")).toEqual(
    before.tools.map((tool) => ({ ...tool, available: refused })),
  )
  expect(tools.filter(({ group }) => group === "b").length).toBe(before.tools.length)
  expect(await call(source, "b.add", { a: 1, b: 2 })).toMatchObject({ value: { sum: 3 } })
  expect((await call(source, "a.add", { a: 1, b: 2 })).failure?.message).toBe(refused)
  expect(one.seen().length).toBe(starts)
})

it("no sequence of lists and calls starts a server before the host allows it", async () => {
  const step = fc.constantFrom("list", "call")
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const one = server("good")
      let allowed = false
      const source = sourceOf(
        { a: one.declared },
        { mayStart: async () => (allowed ? undefined : REASON) },
      )
      const act = (what: string) =>
        what === "call" ? call(source, "a.add", { a: 1, b: 2 }) : listOf(source)
      await Promise.all(steps.map(act))
      expect(one.seen()).toEqual([])
      allowed = true
      expect(await call(source, "a.add", { a: 1, b: 2 })).toMatchObject({ value: { sum: 3 } })
    }),
    { numRuns: cases(3) },
  )
})
