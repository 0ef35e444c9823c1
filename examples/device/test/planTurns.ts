/** Plans turns without a model, as the workflow's first stage does, and compares them with what is expected. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { embedded } from "@planloom/retrieval"
import type { PastTurn, Tool, TurnPlan } from "@planloom/plugin/effect"
import { parse } from "yaml"
import { mechanicalPlan } from "../planning/mechanicalPlan.ts"
import { documentOf } from "../planning/toolDocument.ts"
import { fileTools } from "@planloom/tools-files"
import { sourceOf } from "../source.ts"

const folder = join(import.meta.dirname, "..")

/** The catalogs of the workflow. */
export const catalogs = ["../../catalog/files.yaml", "catalog.yaml"]

export const yamlOf = <A>(file: string): A => parse(readFileSync(join(folder, file), "utf8")) as A

/** The source's tools with the catalog's words, merged as the engine does. */
export const deviceTools = async (): Promise<ReadonlyArray<Tool>> => {
  const words = catalogs.flatMap(
    (path) => yamlOf<{ readonly tools: ReadonlyArray<Tool> }>(path).tools,
  )
  const search = await fileTools({ root: join(folder, "device") })
  const lists = [search.list, sourceOf({} as never).list]
  const listed = (await Promise.all(lists.map((list) => Effect.runPromise(list)))).flatMap(
    ({ tools }) => tools,
  )
  return listed.map((tool) => ({ ...tool, ...words.find(({ name }) => name === tool.name) }))
}

/** Plans each text as of Saturday, 2026-11-21, at 14:05. */
export const planner = async (): Promise<
  (text: string, history?: ReadonlyArray<PastTurn>) => TurnPlan
> => {
  const tools = await deviceTools()
  const index = await Effect.runPromise(embedded.build(tools.map(documentOf)))
  const near = (text: string) =>
    Effect.runSync(index.search(text, { limit: 5 })).map(({ id }) => id)
  return (text, history = []) =>
    mechanicalPlan({ text, today: "2026-11-21", time: "14:05", history, tools, near })
}
