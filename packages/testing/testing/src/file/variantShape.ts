/** The words by which a file beside a workflow says how it is read, and their shape alone: a variant. */
import type { Shape } from "@planloom/language/shape"
import {
  record,
  flagValue,
  defaulted,
  object,
  optional,
  json,
  text,
} from "@planloom/language/shape"
import type { Variant } from "./Variant.ts"

export const variantFields = {
  set: defaulted(
    record(json, { names: "free" }),
    {},
    "Path in the workflow to its value here, such as defaults.model: writer.",
  ),
  env: optional(text("the name of an environment"), "The environment of planloom.yaml."),
  flags: defaulted(record(flagValue), {}, "Flags of the workflow by name."),
  sources: optional(
    record(json, { names: "free" }),
    "What tool sources list, by their ids, without being started: { tools: [ … ] }, or fail: …, or the form of the source's plugin.",
  ),
}

export const variantAliases = {
  environment: "env",
  flag: "flags",
  settings: "set",
  source: "sources",
}

export const variant: Shape<Variant> = object(variantFields, {
  expected: "a variant such as { set: { defaults.model: writer } }",
  aliases: variantAliases,
})
