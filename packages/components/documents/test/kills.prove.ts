/** A hundred syncs that are killed at any moment: the index answers afterwards, and each of its files is whole. */
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import { DocumentIndex } from "../src/index.ts"
import { startSync } from "./startSync.ts"

const KILLS = 100
const FILES = 60
/** Passages of a file. */
const PARTS = 4

const { signal } = new AbortController()

let base: string
let root: string

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "planloom-kills-"))
  root = join(base, "docs")
  mkdirSync(root)
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

const path = () => join(base, "index.sqlite")
const names = Array.from({ length: FILES }, (_, at) => `${at}.md`)

/** Every passage of a file has the word of its version. */
const fill = (version: string) => {
  for (const name of names)
    writeFileSync(
      join(root, name),
      Array.from(
        { length: PARTS },
        (_, at) => `## Part ${at} of ${name}\n\n${`${version} parcels. `.repeat(80)}\n`,
      ).join("\n"),
    )
}

/** Undefined if it ended before it was killed. */
const killedSync = async (afterMs: number): Promise<NodeJS.Signals | null> => {
  const child = startSync(path(), root)
  child.stdout.resume()
  const ended = once(child, "exit")
  const abort = new AbortController()
  const timer = wait(afterMs, undefined, { signal: abort.signal }).then(
    () => child.kill("SIGKILL"),
    () => undefined,
  )
  const [, killedBy] = (await ended) as [number | null, NodeJS.Signals | null]
  abort.abort()
  await timer
  return killedBy
}

/** The version of each file, after a check that all its passages have it. */
const versionsIn = (index: DocumentIndex): ReadonlyArray<string> =>
  names.map((name) => {
    const passages = index.show(name)
    expect(passages.length, name).toBe(PARTS)
    const versions = new Set(passages.map(({ text }) => /version\d+/.exec(text)![0]))
    expect([...versions], name).toHaveLength(1)
    return [...versions][0]!
  })

/** The file is sound, and its full-text tables hold what its passages do. */
const checkFile = (expected: ReadonlyMap<string, number>) => {
  const file = new DatabaseSync(path())
  try {
    expect(file.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" })
    file.exec("INSERT INTO words (words) VALUES ('integrity-check')")
    for (const [version, count] of expected)
      expect(
        file.prepare("SELECT count(*) AS n FROM words WHERE words MATCH ?").get(version)!["n"],
      ).toBe(count * PARTS)
  } finally {
    file.close()
  }
}

it("no index is lost, and no file of one is half", async () => {
  fill("version0")
  const startedAt = performance.now()
  expect(await killedSync(600_000)).toBeNull()
  const whole = performance.now() - startedAt
  let state = 11
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647
  let kills = 0
  let tries = 0
  let mixed = 0
  while (kills < KILLS) {
    // A machine that is faster than at the first sync ends before the kill.
    expect(++tries).toBeLessThan(KILLS * 5)
    fill(`version${tries}`)
    if ((await killedSync(random() * whole)) === "SIGKILL") kills++
    const index = new DocumentIndex(path(), { folder: { root } })
    try {
      const versions = versionsIn(index)
      if (new Set(versions).size > 1) mixed++
      expect(index.search("parcels", { limit: 5 }).hits).toHaveLength(5)
      const counts = Map.groupBy(versions, (version) => version)
      checkFile(new Map([...counts].map(([version, all]) => [version, all.length])))
      // The lock of the killed process is free: what waits for it would end behind.
      if (kills % 10 === 0)
        expect(await index.sync({ signal, patience: 0 })).toMatchObject({ isBehind: false })
    } finally {
      index.close()
    }
  }
  process.stdout.write(`${kills} kills in ${tries} syncs, ${mixed} in the middle of the files\n`)
  expect(mixed).toBeGreaterThan(0)
  const index = new DocumentIndex(path(), { folder: { root } })
  const fresh = new DocumentIndex(join(base, "fresh.sqlite"), { folder: { root } })
  try {
    await index.sync({ signal })
    await fresh.sync({ signal })
    for (const name of names) expect(index.show(name)).toEqual(fresh.show(name))
    expect(index.search("part of parcels", { limit: 50 })).toEqual(
      fresh.search("part of parcels", { limit: 50 }),
    )
  } finally {
    index.close()
    fresh.close()
  }
})
