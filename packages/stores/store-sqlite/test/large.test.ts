/** A very large output is recorded and read back in bounded memory. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { newFile } from "./store.ts"

const MEGABYTES = 100

/** A separate process, so that the memory peak is its own. */
const program = (path: string) => `
  import * as Effect from "effect/Effect"
  const { openStore } = await import(${JSON.stringify(join(import.meta.dirname, "../src/index.ts"))})
  const start = { run: "r", workflow: "t", inputs: {} }
  const once = (effect) => Effect.runPromise(Effect.scoped(Effect.gen(function* () {
    const store = yield* openStore(${JSON.stringify(path)})
    const { close, journal } = yield* store.open(start)
    const value = yield* journal.step("a", effect)
    yield* close
    return value.text.length
  })))
  const before = process.resourceUsage().maxRSS
  const began = performance.now()
  const written = await once(Effect.sync(() => ({ text: "0123456789abcdef".repeat(${MEGABYTES} * 65536) })))
  const middle = performance.now()
  const read = await once(Effect.die("not recorded"))
  console.log(JSON.stringify({
    written, read, writeMs: middle - began, readMs: performance.now() - middle,
    grownMB: (process.resourceUsage().maxRSS - before) / 1024,
  }))`

it("the SQLite store records and reads an output of 100 MB in at most six times its memory", () => {
  const { stderr, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", program(newFile())],
    { cwd: join(import.meta.dirname, ".."), encoding: "utf8" },
  )
  assert.notStrictEqual(stdout, "", stderr)
  const sizes = JSON.parse(stdout) as Record<string, number>
  assert.strictEqual(sizes["written"], MEGABYTES * 1024 * 1024)
  assert.strictEqual(sizes["read"], MEGABYTES * 1024 * 1024)
  assert.isBelow(sizes["grownMB"]!, 6 * MEGABYTES, stdout)
})
