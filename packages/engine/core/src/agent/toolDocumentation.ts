/** Documentation of a tool as a model reads it: its parameters, and its page of the catalog. */
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { modelParams, type Json, type Tool } from "@planloom/plugin/effect"

/** Characters of a page that a model reads. */
const MAX_PAGE_CHARACTERS = 16_000

/** Pages by tool: a changed catalog has other tools. */
const pages = new WeakMap<Tool, Promise<string | undefined>>()

/** Starts to read the pages, so that the first request for one does not wait. */
export const warmPages = (tools: ReadonlyArray<Tool>): void => {
  for (const tool of tools) if (tool.docs !== undefined) void pageOf(tool)
}

export const toolDocumentation = (tool: Tool): Effect.Effect<Json> =>
  Effect.map(
    Effect.promise(() => pageOf(tool)),
    (page) => ({
      name: tool.name,
      summary: tool.summary,
      ...(tool.when_to_use === undefined ? {} : { when_to_use: tool.when_to_use }),
      parameters: modelParams(tool) as Json,
      ...(page === undefined ? {} : { documentation: page }),
    }),
  )

/** Undefined without a page, or if it cannot be read: parameters and summary are what a call needs. */
const pageOf = (tool: Tool): Promise<string | undefined> => {
  const known = pages.get(tool)
  if (known !== undefined) return known
  const page =
    tool.docs === undefined
      ? Promise.resolve(undefined)
      : readFile(tool.docs, "utf8").then(
          (text) =>
            text.length <= MAX_PAGE_CHARACTERS
              ? text
              : `${text.slice(0, MAX_PAGE_CHARACTERS)}\n(cut: the page has ${text.length} characters)`,
          () => undefined,
        )
  pages.set(tool, page)
  return page
}
