/** Every flag of every command acts: what can be seen of the command differs with it. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { once } from "node:events"
import { createServer, type AddressInfo, type Server } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { flagNames } from "../../../../.ci/docs/commands.ts"
import { documentation, flagExamples, shownElsewhere, type FlagExample } from "./flagExamples.ts"
import { flagWorld } from "./flagWorld.ts"
import { fixture, planloom, trusting } from "./planloom.ts"

/** `words` stand for what is known only when the test runs. */
let world: { readonly folder: string; readonly words: ReadonlyMap<string, string> }
let busy: Server
let root: string

beforeAll(async () => {
  await mkdir(join(fixture, ".planloom"), { recursive: true })
  root = await mkdtemp(join(fixture, ".planloom", "flags-"))
  busy = createServer().listen(0, "127.0.0.1")
  await once(busy, "listening")
  const { port } = busy.address() as AddressInfo
  const { folder, runs } = await flagWorld(join(root, "world"))
  world = { folder, words: new Map([...runs, ["BUSY", String(port)]]) }
}, 120_000)

afterAll(async () => {
  busy.close()
  await rm(root, { recursive: true, force: true })
})

/** What a command prints and writes, without what differs from one run to the next. */
const observe = async (
  args: ReadonlyArray<string>,
  { after, input, isFresh }: FlagExample,
): Promise<string> => {
  const cwd = await mkdtemp(join(root, "one-"))
  await cp(world.folder, cwd, { recursive: true })
  await trusting(cwd)
  if (isFresh === true) await rm(join(cwd, ".planloom"), { recursive: true, force: true })
  const named = (words: ReadonlyArray<string>) => words.map((word) => world.words.get(word) ?? word)
  const said = await planloom(named(args), { cwd, ...(input === undefined ? {} : { input }) })
  const later = after && (await planloom(named(after), { cwd }))
  const { code, stderr, stdout } = said
  const seen = [String(code), stdout, stderr, later?.stdout, ...(await written(cwd))].join("\n")
  await rm(cwd, { recursive: true })
  return seen
    .replaceAll(cwd, "")
    .replaceAll(/\b1\d{12}\b/g, "time")
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")
    .replaceAll(/plk_[\w-]+|\b[0-9a-f]{12}\b/g, "key")
    .replaceAll(/[0-9a-f]{8}/g, "id")
    .replaceAll(/\d+(\.\d+)?( ?m?s\b|Z)|"(ms|at)":\d+|\d{4}-\d\d-\d\d[T ][\d:.]+/g, "time")
}

/** All files with their texts, but the text of the store. */
const written = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !/\.db-/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return await Promise.all(
    files
      .toSorted()
      .map(async (path) =>
        path.endsWith(".db") ? path : `${path}\n${await readFile(path, "utf8")}`,
      ),
  )
}

const bases = new Map<string, Promise<string>>()
const baseOf = (one: FlagExample): Promise<string> => {
  const key = JSON.stringify([one.base, one.after, one.isFresh])
  const known = bases.get(key) ?? observe(one.base, one)
  bases.set(key, known)
  return known
}

describe("a flag", () => {
  it.each(flagExamples.map((one) => [`${one.base.join(" ")} ${one.with.join(" ")}`, one] as const))(
    "acts: %s",
    async (_, one) => {
      const without = await baseOf(one)
      expect(await observe([...one.base, ...one.with], one)).not.toBe(without)
    },
  )

  it.each([...new Map(flagExamples.map((one) => [one.base.join(" "), one])).values()])(
    "is what differs: $base gives the same twice",
    async (one) => {
      expect(await observe(one.base, one)).toBe(await baseOf(one))
    },
  )
})

describe("flags", () => {
  it("of every command have an example, and no others do", async () => {
    const shown = new Set([
      ...[...flagExamples.map(({ flag }) => flag), ...Object.keys(shownElsewhere)].map((flag) =>
        flag.replace(/ --no-(store|resume|browser)$/, " --$1"),
      ),
      ...documentation,
    ])
    expect([...shown].toSorted()).toEqual((await flagNames()).toSorted())
  })

  it("that another test shows are used there", async () => {
    for (const [flag, file] of Object.entries(shownElsewhere)) {
      const text = await readFile(join(import.meta.dirname, file), "utf8")
      expect(text, flag).toContain(`"${flag.split(" ").at(-1)!}`)
    }
  })

  it("that only document are few", () => {
    expect(documentation.size).toBeLessThanOrEqual(10)
  })
})
