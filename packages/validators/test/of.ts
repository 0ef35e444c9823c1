/** The validators of the plugin, by id. */
import type { Validator } from "@planloom/plugin/effect"
import { assert } from "vitest"
import plugin from "../src/index.ts"

export const of = (id: string): Validator => {
  const found = plugin.components!.validators!.find((one) => one.id === id)
  assert.isDefined(found, `there is no validator ${id}`)
  return found!
}
