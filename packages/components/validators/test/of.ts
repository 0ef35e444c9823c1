/** The validators of the plugin, by id. */
import type { Draft, Finding, JsonObject, Validator } from "@planloom/plugin/effect"
import { assert } from "vitest"
import plugin from "../src/index.ts"

export const of = (id: string): Validator => {
  const found = plugin.components!.validators!.find((one) => one.id === id)
  assert.isDefined(found, `there is no validator ${id}`)
  return found!
}

/** A text about which nothing else is known. */
export const draft = (text: string): Draft => ({
  text,
  request: "",
  part: { start: 0, end: text.length, last: true },
  turns: [],
  calls: [],
  data: null,
})

export const validated = (id: string, text: string, options: JsonObject = {}): Finding =>
  of(id).validate(text, options, draft(text))

/** The text of each place that a validator found. */
export const places = (id: string, text: string, options: JsonObject = {}): ReadonlyArray<string> =>
  (validated(id, text, options).spans ?? []).map(({ end, start }) => text.slice(start, end))

export const isBlocked = (text: string): boolean => validated("promises", text).verdict === "block"
