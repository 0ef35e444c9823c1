/** Applies flags that are set from outside the file: by the process's environment, then by the caller. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"
import { didYouMean } from "@planloom/expression/suggestion"
import type { FlagValue } from "../definition/Definition.ts"
import type { Document } from "../source/Document.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import type { Reading } from "./Reading.ts"
import type { Setting } from "./settings.ts"

/** `careful` → `PLANLOOM_FLAG_CAREFUL`. */
const variableOf = (name: string): string => `PLANLOOM_FLAG_${name.toUpperCase()}`

/** Values of flags from outside, and the rejected ones. */
export interface FlagValues {
  readonly values: { readonly [name: string]: FlagValue }
  readonly refused: ReadonlyArray<{
    /** The setting, as a user writes it. */
    readonly by: string
    readonly message: string
    readonly help?: string | undefined
  }>
}

/**
 * Accepts flags that the file declares, with values of the same type. A flag of the caller that the workflow does not
 * declare is rejected, except in a nested workflow, where it may belong to another one.
 */
export const flagValues = (
  declared: { readonly [name: string]: Json },
  { flag, flags = {} }: Pick<LoadOptions, "flag" | "flags">,
  nested: boolean,
): FlagValues => {
  const names = Object.keys(declared)
  const values: Array<readonly [string, FlagValue]> = []
  const refused: Array<FlagValues["refused"][number]> = []
  const set = (name: string, given: Json, by: string) => {
    const was = declared[name]!
    const value = sameType(given, was)
    if (value === undefined) {
      refused.push({
        by,
        message: `the flag "${name}" is ${kinds[typeof was as keyof typeof kinds] ?? "plain"}, not ${JSON.stringify(given)}`,
      })
    } else values.push([name, value as FlagValue])
  }
  const read = flag ?? ((name: string) => process.env[variableOf(name)])
  for (const name of names) {
    const given = read(name)
    if (given !== undefined) set(name, given, variableOf(name))
  }
  for (const [name, given] of Object.entries(flags)) {
    if (Object.hasOwn(declared, name)) set(name, given, `--flag ${name}`)
    else if (!nested) {
      refused.push({
        by: `--flag ${name}`,
        message: `there is no flag "${name}"; ${names.length === 0 ? "the workflow declares none" : `there are: ${names.join(", ")}`}`,
        help: didYouMean(name, names),
      })
    }
  }
  return { values: Object.fromEntries(values), refused }
}

/** The flags as settings of the file; rejected ones are reported. */
export const flagSettings = (
  document: Document,
  options: LoadOptions,
  reading: Reading,
  nested: boolean,
): ReadonlyArray<Setting> => {
  const { refused, values } = flagValues(declaredIn(document.value), options, nested)
  for (const { by, help, message } of refused) {
    reading.beside(document.file.path, "PL4015", by, message, help)
  }
  return Object.entries(values).map(([name, value]) => ({ path: `flags.${name}`, value }))
}

const kinds = { boolean: "true or false", number: "a number", string: "text" } as const

const declaredIn = (workflow: Json): { readonly [name: string]: Json } => {
  const flags = isObject(workflow) ? workflow["flags"] : undefined
  return flags !== undefined && isObject(flags) ? flags : {}
}

/** Parses text as the flag's type; undefined when it does not match. */
const sameType = (given: Json, was: Json): Json | undefined => {
  if (typeof given === typeof was) return given
  if (typeof was === "string") return String(given)
  if (typeof given !== "string") return undefined
  if (typeof was === "boolean") {
    return given === "true" ? true : given === "false" ? false : undefined
  }
  const number = given.trim() === "" ? Number.NaN : Number(given)
  return Number.isFinite(number) ? number : undefined
}
