/** Applies flags that are set from outside the file: by the process's environment, then by the caller. */
import { isObject } from "@planloom/schema"
import type { Json } from "@planloom/plugin/effect"
import { didYouMean } from "@planloom/expression/suggestion"
import type { Flag, FlagValue } from "../../definition/Definition.ts"
import { isFlagValue, mismatchOf } from "../../definition/flagValue.ts"
import type { Document } from "../../source/Document.ts"
import type { LoadOptions } from "../LoadOptions.ts"
import type { Reading } from "../Reading.ts"
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

export type DeclaredFlag = Pick<Flag, "value"> & Partial<Flag>

/** A value from outside, and who gives it. */
interface Given {
  readonly value: Json
  readonly by: string
  /** A variable that the file names may hold anything: its value is in no message. */
  readonly isShown: boolean
}

/**
 * Accepts flags that the file declares, with values of the same type within their bounds. A flag of the caller that the
 * workflow does not declare is rejected, except in a nested workflow, where it may belong to another one.
 */
export const flagValues = (
  declared: { readonly [name: string]: DeclaredFlag },
  options: Pick<LoadOptions, "flag" | "flags" | "variable">,
  nested: boolean,
): FlagValues => {
  const { flags = {} } = options
  const names = Object.keys(declared)
  const values: Array<readonly [string, FlagValue]> = []
  const refused: Array<FlagValues["refused"][number]> = []
  const set = (name: string, { by, isShown, value: given }: Given) => {
    const rules = declared[name]!
    const value = sameType(given, rules.value)
    const wanted =
      value === undefined
        ? (kinds[typeof rules.value as keyof typeof kinds] ?? "plain")
        : mismatchOf(value, rules)
    if (wanted === undefined) values.push([name, value!])
    else {
      const found = isShown ? `, not ${JSON.stringify(given)}` : ", which its value is not"
      const verb = value === undefined ? "is" : "must be"
      refused.push({ by, message: `the flag "${name}" ${verb} ${wanted}${found}` })
    }
  }
  for (const name of names) {
    const given = fromVariable(name, declared[name]!, options)
    if (given !== undefined) set(name, given)
  }
  for (const [name, value] of Object.entries(flags)) {
    if (Object.hasOwn(declared, name)) set(name, { value, by: `--flag ${name}`, isShown: true })
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

/** The variable of planloom comes before the one that the flag names. A host that gives values itself reads no variable. */
const fromVariable = (
  name: string,
  { env }: DeclaredFlag,
  { flag, variable = (named) => process.env[named] }: Pick<LoadOptions, "flag" | "variable">,
): Given | undefined => {
  const own = flag === undefined ? process.env[variableOf(name)] : flag(name)
  if (own !== undefined) return { value: own, by: variableOf(name), isShown: true }
  const named = flag === undefined && env !== undefined ? variable(env) : undefined
  return named === undefined ? undefined : { value: named, by: env!, isShown: false }
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

/** As far as they are what a flag may be: decoding reports the rest. */
const declaredIn = (workflow: Json): { readonly [name: string]: DeclaredFlag } => {
  const flags = isObject(workflow) ? workflow["flags"] : undefined
  if (flags === undefined || !isObject(flags)) return {}
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, given]): ReadonlyArray<[string, DeclaredFlag]> => {
      if (!isObject(given)) return isFlagValue(given) ? [[name, { value: given }]] : []
      const { default: value, enum: values, env, maximum, minimum } = given
      if (!isFlagValue(value)) return []
      return [
        [
          name,
          {
            value,
            ...(typeof minimum === "number" ? { minimum } : {}),
            ...(typeof maximum === "number" ? { maximum } : {}),
            ...(Array.isArray(values) ? { enum: values.filter(isFlagValue) } : {}),
            // Text that could be anything is no flag from a variable.
            ...(typeof env === "string" && (typeof value !== "string" || Array.isArray(values))
              ? { env }
              : {}),
          },
        ],
      ]
    }),
  )
}

/** Parses text as the flag's type; undefined when it does not match. */
const sameType = (given: Json, was: FlagValue): FlagValue | undefined => {
  if (typeof given === typeof was) return given as FlagValue
  if (typeof was === "string") return String(given)
  if (typeof given !== "string") return undefined
  if (typeof was === "boolean") {
    return given === "true" ? true : given === "false" ? false : undefined
  }
  const number = given.trim() === "" ? Number.NaN : Number(given)
  return Number.isFinite(number) ? number : undefined
}
