/** Flags switched from outside the file: by the process's environment, then by the caller. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin"
import { meant } from "@planloom/expression/suggestion"
import type { Document } from "../source/Document.ts"
import type { LoadOptions } from "./LoadOptions.ts"
import type { Reading } from "./Reading.ts"
import type { Setting } from "./settings.ts"

/** `careful` → `PLANLOOM_FLAG_CAREFUL`. */
const variableOf = (name: string): string => `PLANLOOM_FLAG_${name.toUpperCase()}`

/**
 * Only flags that the file declares, with values of the same type. What the caller names and nobody declares is
 * told, unless the workflow is a nested one: then it is another one's.
 */
export const flagSettings = (
  document: Document,
  { flag, flags = {} }: LoadOptions,
  reading: Reading,
  nested: boolean,
): ReadonlyArray<Setting> => {
  const declared = declaredIn(document.value)
  const names = Object.keys(declared)
  const refuse = (by: string, message: string, help?: string): ReadonlyArray<Setting> => {
    reading.beside(document.file.path, "PL4015", by, message, help)
    return []
  }
  const set = (name: string, given: Json, by: string): ReadonlyArray<Setting> => {
    const was = declared[name]!
    const value = sameType(given, was)
    return value === undefined
      ? refuse(
          by,
          `the flag "${name}" is ${kinds[typeof was as keyof typeof kinds] ?? "plain"}, not ${JSON.stringify(given)}`,
        )
      : [{ path: `flags.${name}`, value }]
  }
  const read = flag ?? ((name: string) => process.env[variableOf(name)])
  const fromEnvironment = names.flatMap((name) => {
    const given = read(name)
    return given === undefined ? [] : set(name, given, variableOf(name))
  })
  const fromCaller = Object.entries(flags).flatMap(([name, given]) => {
    if (Object.hasOwn(declared, name)) return set(name, given, `--flag ${name}`)
    return nested
      ? []
      : refuse(
          `--flag ${name}`,
          `there is no flag "${name}"; ${names.length === 0 ? "the workflow declares none" : `there are: ${names.join(", ")}`}`,
          meant(name, names),
        )
  })
  return [...fromEnvironment, ...fromCaller]
}

const kinds = { boolean: "true or false", number: "a number", string: "text" } as const

const declaredIn = (workflow: Json): { readonly [name: string]: Json } => {
  const flags = isObject(workflow) ? workflow["flags"] : undefined
  return flags !== undefined && isObject(flags) ? flags : {}
}

/** Text from outside, read as the flag's type; undefined when it is none. */
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
