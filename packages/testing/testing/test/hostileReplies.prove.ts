/** Giant, endless, slow and malformed replies over three wire formats, whole and streamed: failure class, time and memory. */
import { fork } from "node:child_process"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Ended } from "./hostile/client.ts"
import { formats, hostileServer, outcomes, type Format, type Reply } from "./hostile/replies.ts"

const script = join(import.meta.dirname, "hostile/client.ts")
const replies = Object.keys(outcomes) as ReadonlyArray<Reply>
const MAX_MEMORY_MB = 300
/** The stage has 3 s; the rest is for a busy machine. */
const MAX_MS = 8000

describe.each(Object.keys(formats) as ReadonlyArray<Format>)("replies over %s", (format) => {
  const ended: Array<Ended> = []
  let close: (() => void) | undefined

  beforeAll(async () => {
    const server = await hostileServer()
    close = server.close
    for (const reply of replies) {
      const client = fork(script, [server.url, format, reply])
      client.on("message", (one) => ended.push(one as Ended))
      const code = await new Promise<number | null>((resolve) => client.on("exit", resolve))
      assert.strictEqual(code, 0)
    }
    for (const { milliseconds, outcome, peak, reply, streams } of ended) {
      const way = streams ? "streamed" : "whole"
      process.stdout.write(
        `${format} ${reply} ${way}: ${outcome}, ${milliseconds} ms, ${peak} MB\n`,
      )
    }
  }, 300_000)
  afterAll(() => close?.())

  for (const reply of replies) {
    it.each([false, true])(`${reply} ends as documented, streamed: %s`, (streams) => {
      const found = ended.find((one) => one.reply === reply && one.streams === streams)
      assert.strictEqual(found?.outcome, outcomes[reply])
      assert.isBelow(found!.milliseconds, MAX_MS)
    })
  }

  it(`take less than ${MAX_MEMORY_MB} MB of memory`, () => {
    assert.isBelow(Math.max(...ended.map(({ peak }) => peak)), MAX_MEMORY_MB)
  })
})
