/** The files of a cassette: `cassette.yaml`, and one file for each stage occurrence that called something. */
import { access, constants, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { StoreFailed, type Json, type JsonObject } from "@planloom/plugin/effect"
import { fromYaml, lineOf, toYaml } from "@planloom/language"
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

/**
 * Replaces the recording in the folder. Stages are in the order of their paths, calls in that of their names.
 * The index stands there before any stage does, as unfinished: what is left of a recording that broke off, on a
 * full disk say, is recognized as ours, and is not replayed.
 */
export const write = async (folder: string, workflow: string, calls: Calls): Promise<void> => {
  const before = await readIndex(folder).catch(() => undefined)
  const paths = [...calls.keys()].toSorted()
  await writing(folder, async () => {
    await mkdir(folder, { recursive: true })
    const either = [...new Set([...(before?.stages ?? []), ...paths])].toSorted()
    await writeIndex(folder, workflow, { unfinished: true, stages: either })
    for (const stage of paths) {
      const file = join(folder, fileOf(stage))
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, toYaml({ stage, calls: inOrder(calls.get(stage)!).map(entryJson) }))
    }
    for (const stage of before?.stages ?? []) {
      if (!calls.has(stage)) await rm(join(folder, fileOf(stage)), { force: true })
    }
    await writeIndex(folder, workflow, { stages: paths })
  })
}

const writeIndex = (folder: string, workflow: string, rest: JsonObject): Promise<void> =>
  writeFile(
    join(folder, INDEX),
    `# Calls of a run of ${workflow}, recorded by planloom.\n${toYaml({ workflow, ...rest })}`,
  )

/** `model:2` before `model:10`. */
const inOrder = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.toSorted((a, b) => collator.compare(a.call, b.call))

const collator = new Intl.Collator("en", { numeric: true })

export const read = async (folder: string): Promise<Calls> => {
  const index = await readIndex(folder)
  if (index.unfinished) {
    throw refused("corrupt", `the recording in ${folder} broke off while it was written; ${ANEW}`)
  }
  const calls = new Map<string, ReadonlyArray<Entry>>()
  for (const stage of index.stages) calls.set(stage, await readStage(join(folder, fileOf(stage))))
  return calls
}

const readStage = async (file: string): Promise<ReadonlyArray<Entry>> => {
  const { data, text } = await readData(file)
  const held = data["calls"]
  if (!Array.isArray(held)) throw broken(file, 1, "it has no list `calls`")
  return (held as ReadonlyArray<Json>).map((value, at) => {
    const entry = entryOf(value)
    if (typeof entry === "string") throw broken(file, lineOf(text, ["calls", at]), entry)
    return entry
  })
}

const ANEW = "record it anew with --record"

const broken = (file: string, line: number, why: string): StoreFailed =>
  refused("corrupt", `${file}:${line} is no recording: ${why}; ${ANEW}`)

const readIndex = async (folder: string) => {
  const file = join(folder, INDEX)
  const { data } = await readData(file)
  const { stages, unfinished } = data
  if (!Array.isArray(stages)) throw broken(file, 1, "it has no list `stages`")
  return { stages: (stages as ReadonlyArray<Json>).map(String), unfinished: unfinished === true }
}

const readData = async (
  file: string,
): Promise<{ readonly data: JsonObject; readonly text: string }> => {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT"
      ? refused("missing", `there is no recording: ${file} is missing; record one with --record`)
      : refused("unavailable", `${file} cannot be read: ${error.message}`)
  })
  let data: Json
  try {
    data = fromYaml(text)
  } catch (error) {
    // The parser's word ends in its place: "… at line 1, column 5:".
    const why = (error as Error).message.split("\n")[0]!.replace(/:$/, "")
    throw refused("corrupt", `${file} cannot be read: ${why}; ${ANEW}`)
  }
  if (typeof data === "object" && data !== null && !Array.isArray(data)) {
    return { data: data as JsonObject, text }
  }
  throw broken(file, 1, data === null ? "it is empty" : "it is not a mapping")
}
