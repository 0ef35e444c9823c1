/** The tools of the sample device with the words of their catalogs, and how a message is read without a model. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileTools } from "@planloom/tools-files"
import { callWords, english, readRequest, type RequestReading } from "@planloom/planning/reading"
import type { Tool } from "@planloom/plugin/effect"
import { embedded } from "@planloom/retrieval"
import * as Effect from "effect/Effect"
import { parse } from "yaml"
import { sourceOf } from "../source.ts"
import type { App } from "../tools/open_app.ts"

const folder = join(import.meta.dirname, "..")

/** The catalogs of the workflow. */
export const catalogs = ["../../catalog/files.yaml", "catalog.yaml"]

export const yamlOf = <A>(file: string): A => parse(readFileSync(join(folder, file), "utf8")) as A

/** The sources' tools with the catalogs' words, merged as the engine does; only those that serve an intent. */
const deviceTools = async (): Promise<ReadonlyArray<Tool>> => {
  const words = catalogs.flatMap(
    (path) => yamlOf<{ readonly tools: ReadonlyArray<Tool> }>(path).tools,
  )
  const apps = yamlOf<ReadonlyArray<App>>("device/apps.json")
  const search = await fileTools({ root: join(folder, "device") })
  const lists = [search.list, sourceOf({} as never, apps).list]
  const listed = (await Promise.all(lists.map((list) => Effect.runPromise(list)))).flatMap(
    ({ tools }) => tools,
  )
  return listed
    .map((tool) => ({ ...tool, ...words.find(({ name }) => name === tool.name) }))
    .filter(({ group }) => group !== "file_reading")
}

/** Reads each text as of Saturday, 2026-11-21. */
export const messageReader = async (): Promise<
  (text: string, before?: string) => RequestReading
> => {
  const tools = await deviceTools()
  const document = ({ examples, keywords = [], name, summary, when_to_use: when = "" }: Tool) => ({
    id: name,
    fields: { name, summary, when_to_use: when, keywords: keywords.join(" ") },
    ...(examples === undefined ? {} : { examples }),
  })
  const index = await Effect.runPromise(embedded.build(tools.map(document)))
  const calls = tools.map((tool) => callWords(tool, english))
  const near = (text: string) =>
    Effect.runSync(index.search(text, { limit: 5 })).map(({ id }) => id)
  const read = (text: string, before?: string): RequestReading =>
    readRequest({
      text,
      grammar: english,
      today: "2026-11-21",
      calls,
      near,
      ...(before === undefined ? {} : { before: { text: before, reading: read(before) } }),
    })
  return read
}
