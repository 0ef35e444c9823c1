/** The lock between processes: one works at a time, and what a dead one left is taken over. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { withFileLock } from "./FileLock.ts"

const folder = mkdtempSync(join(tmpdir(), "lock-"))
const file = join(folder, "a.lock")
afterAll(() => rmSync(folder, { recursive: true }))

it("lets one work at a time, and is given back also after a failure", async () => {
  let working = 0
  let most = 0
  const work = (index: number) =>
    withFileLock(file, async () => {
      most = Math.max(most, ++working)
      await new Promise(setImmediate)
      working--
      if (index % 2 === 0) throw new Error(`of ${index}`)
      return index
    })
  const ended = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => work(index)))
  expect(most).toBe(1)
  expect(ended.map(({ status }) => status)).toEqual(
    [0, 1, 2, 3, 4, 5].map((index) => (index % 2 === 0 ? "rejected" : "fulfilled")),
  )
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  [
    "of a process that has died",
    () => JSON.stringify({ pid: spawnSync(process.execPath, ["-e", ""]).pid, host: hostname() }),
    0,
  ],
  ["that is old", () => JSON.stringify({ pid: process.pid, host: hostname() }), 120],
  ["that is old and has no holder", () => "?", 120],
])("takes a lock over %s", async (_, holder, seconds) => {
  writeFileSync(file, holder())
  const made = Date.now() / 1000 - seconds
  utimesSync(file, made, made)
  expect(await withFileLock(file, async () => "done")).toBe("done")
  expect(readdirSync(folder)).toEqual([])
})
