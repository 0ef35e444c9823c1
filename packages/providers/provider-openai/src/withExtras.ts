/** Adds fields of the service's own to the body of a request. */
import type { JsonObject } from "@planloom/plugin/effect"
import { withOptions } from "@planloom/plugin/facts"

/** `body` is the config of the server and replaces any field; options of the model come before it, and replace none. */
export const withExtras = <P extends object>(
  params: P,
  body: JsonObject,
  options: JsonObject = {},
): P => ({
  ...withOptions(params, options),
  ...Object.fromEntries(Object.entries(body).filter(([key]) => !Object.hasOwn(options, key))),
})
