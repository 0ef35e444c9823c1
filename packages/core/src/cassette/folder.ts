/** The files of a cassette: `cassette.yaml`, and one file for each stage occurrence that called something. */
import { access, constants, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { StoreFailed, type Json, type JsonObject } from "@planloom/plugin"
import { fromYaml, toYaml } from "../source/yamlText.ts"
import { entryJson, entryOf, type Entry } from "./Entry.ts"

const INDEX = "cassette.yaml"

export type Calls = ReadonlyMap<string, ReadonlyArray<Entry>>

/** `work[2]/results` is kept in `work[2]/results.yaml`; characters a file name may not have are written as %XX. */
const fileOf = (path: string): string =>
  `${path
    .split("/")
    .map((part) => part.replace(/[^\w[\]~-]/g, (one) => encodeURIComponent(one).replace(one, hex)))
    .join("/")}.yaml`

const hex = (one: string): string =>
  `%${one.codePointAt(0)!.toString(16).toUpperCase().padStart(2, "0")}`

const refused = (reason: StoreFailed["reason"], message: string) =>
  new StoreFailed({ reason, message })

/** Makes the folder. Refuses one that holds something else, for recording replaces what is there, and one that cannot be written. Gives whether a recording is there. */
export const prepare = async (folder: string): Promise<boolean> => {
  const names = await readdir(folder).catch((): ReadonlyArray<string> => [])
  if (names.length > 0 && !names.includes(INDEX)) {
    throw refused("exists", `${folder} holds something else than a recording; name an empty folder`)
  }
  await writing(folder, async () => {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  })
  return names.length > 0
}

const writing = async (folder: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    const why = (error as Error).message
    throw refused("read_only", `the recording cannot be written to ${folder}: ${why}`)
  }
}

/** Replaces the recording in the folder. Stages are in the order of their paths, calls in that of their names. */
export const write = async (folder: string, workflow: string, calls: Calls): Promise<void> => {
  const before = await readIndex(folder).catch(() => undefined)
  const paths = [...calls.keys()].toSorted()
  await writing(folder, async () => {
    await mkdir(folder, { recursive: true })
    for (const stage of paths) {
      const file = join(folder, fileOf(stage))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, toYaml({ stage, calls: inOrder(calls.get(stage)!).map(entryJson) }))
    }
    await writeFile(
      join(folder, INDEX),
      `# Calls of a run of ${workflow}, recorded by planloom.\n${toYaml({ workflow, stages: paths })}`,
    )
    for (const stage of before?.stages ?? []) {
      if (!calls.has(stage)) await rm(join(folder, fileOf(stage)), { force: true })
    }
  })
}

/** `model:2` before `model:10`. */
const inOrder = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.toSorted((a, b) => collator.compare(a.call, b.call))

const collator = new Intl.Collator("en", { numeric: true })

export const read = async (folder: string): Promise<Calls> => {
  const index = await readIndex(folder)
  const calls = new Map<string, ReadonlyArray<Entry>>()
  for (const stage of index.stages) {
    const file = join(folder, fileOf(stage))
    const held = (await readData(file))["calls"]
    const entries = (Array.isArray(held) ? (held as ReadonlyArray<Json>) : [null]).map(entryOf)
    if (entries.includes(undefined)) throw refused("corrupt", `${file} is no recording of calls`)
    calls.set(stage, entries as ReadonlyArray<Entry>)
  }
  return calls
}

const readIndex = async (folder: string) => {
  const { stages } = await readData(join(folder, INDEX))
  if (!Array.isArray(stages)) throw refused("corrupt", `${join(folder, INDEX)} lists no stages`)
  return { stages: (stages as ReadonlyArray<Json>).map(String) }
}

const readData = async (file: string): Promise<JsonObject> => {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT"
      ? refused("missing", `there is no recording: ${file} is missing; record one with --record`)
      : refused("unavailable", `${file} cannot be read: ${error.message}`)
  })
  try {
    const data = fromYaml(text)
    if (typeof data === "object" && data !== null && !Array.isArray(data)) return data as JsonObject
  } catch (error) {
    throw refused("corrupt", `${file} cannot be read: ${(error as Error).message.split("\n")[0]}`)
  }
  throw refused("corrupt", `${file} is no recording`)
}
