/** Progress of a run with more events than a client wants to receive. */
import type { ServerContext } from "@modelcontextprotocol/server"
import type { RunEvent } from "@planloom/plugin/effect"
import { afterEach, expect, it, vi } from "vitest"
import { RunProgress } from "./RunProgress.ts"

const started = (path: string) => ({ type: "StageStarted", path }) as RunEvent

const progressOf = (notify: (message: any) => Promise<void>, progressToken?: number) =>
  new RunProgress({ mcpReq: { _meta: { progressToken }, notify } } as unknown as ServerContext)

afterEach(() => {
  vi.useRealTimers()
})

it("sends a burst, then one for each 50 ms, with numbers that increase", async () => {
  vi.useFakeTimers()
  const numbers: Array<number> = []
  const progress = progressOf(async ({ params }) => void numbers.push(params.progress), 7)
  const show = async (events: number) => {
    for (let event = 0; event < events; event++) {
      progress.show(started(`rows[${event}]`))
      await Promise.resolve()
    }
  }
  await show(1000)
  expect(numbers).toHaveLength(20)
  vi.advanceTimersByTime(120)
  await show(1000)
  expect(numbers).toEqual(Array.from({ length: 22 }, (_, index) => index + 1))
})

it("sends no more while one is on its way, and none that was not asked for", async () => {
  let sent = 0
  const never = () => {
    sent++
    return new Promise<void>(() => undefined)
  }
  const slow = progressOf(never, 7)
  for (const path of ["a", "b", "c"]) slow.show(started(path))
  expect(sent).toBe(1)
  progressOf(never).show(started("a"))
  expect(sent).toBe(1)
})

it("sends the next one after a notification that could not be sent", async () => {
  let sent = 0
  const progress = progressOf(() => {
    sent++
    return Promise.reject(new Error("closed"))
  }, 7)
  progress.show(started("a"))
  await vi.waitFor(() => {
    progress.show(started("b"))
    expect(sent).toBeGreaterThan(1)
  })
})
