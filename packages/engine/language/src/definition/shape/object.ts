/** Shapes of mappings with fixed keys: every other key is an error with a suggestion. */
import { isObject } from "@planloom/schema"
import type { Json, SectionOwner } from "@planloom/plugin/effect"
import { onlyNear, snakeCase, suggest } from "@planloom/expression/suggestion"
import type { Fix } from "../Fix.ts"
import { ownMember } from "../ownMember.ts"
import { movedUnder } from "../restructure.ts"
import { wrongType } from "../Shape.ts"
import type { DecodeContext, Shape } from "../Shape.ts"

export interface Field<out A> {
  readonly shape: Shape<A>
  readonly required: boolean
  readonly absent: A
  readonly description: string
  /** Shown to editors as the value that holds when the key is not written. */
  readonly shown?: Json
}

type Fields = { readonly [key: string]: Field<unknown> }
type Decoded<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer A> ? A : never
}

export const required = <A>(shape: Shape<A>, description: string): Field<A> => ({
  shape,
  required: true,
  absent: undefined as A,
  description,
})

export const optional = <A>(shape: Shape<A>, description: string): Field<A | undefined> => ({
  shape,
  required: false,
  absent: undefined,
  description,
})

/** A key with a value of its own when it is not written. */
export const defaulted = <A>(shape: Shape<A>, absent: A, description: string): Field<A> => ({
  shape,
  required: false,
  absent,
  description,
  ...(absent === null || ["string", "number", "boolean"].includes(typeof absent)
    ? { shown: absent as Json }
    : {}),
})

/** A word whose entry is written in another way. */
export interface Elsewhere {
  readonly help: string
  /** The edit for an entry with this value; undefined where the value leaves it open. */
  readonly fix: (value: Json) => Fix | undefined
}

/** Moves a word of other tools under another key. */
export const under = (holder: string, key: string, example = "…"): Elsewhere => ({
  help: `write it under ${holder}: { ${key}: ${example} }`,
  fix: () => movedUnder(holder, key),
})

export interface ObjectOptions {
  readonly expected: string
  /** Words people bring from elsewhere, and what they are called here, or how their entry is written here. */
  readonly aliases?: { readonly [foreign: string]: string | ReadonlyArray<string> | Elsewhere }
  /** The code of a missing key that has one of its own. */
  readonly missingCodes?: {
    readonly [key: string]: { readonly code: string; readonly help: string; readonly fix?: Fix }
  }
  /** The text to write in place of a value that is not a mapping. */
  readonly helpFor?: (value: Json) => string | undefined
  /** Sections of plugins may stand here. */
  readonly sections?: SectionOwner
  /** Constraints between keys. */
  readonly check?: (raw: { readonly [key: string]: Json }, context: DecodeContext) => void
}

export const object = <const F extends Fields>(
  fields: F,
  options: ObjectOptions,
): Shape<Decoded<F>> => {
  const keys = Object.keys(fields)
  return {
    kind: "object",
    expected: options.expected,
    decode: (value, context) => {
      const decoded: { [key: string]: unknown } = {}
      for (const key of keys) decoded[key] = fields[key]!.absent
      if (!isObject(value)) {
        wrongType(context, options.expected, value, options.helpFor?.(value))
        return fillIn(fields, decoded)
      }
      for (const [key, entry] of Object.entries(value)) {
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined
        if (!field) {
          if (key.startsWith("x-")) continue
          const problem = unknownKey(key, fields, value, options, context)
          // What a misspelt record declares is known: its names are no problems of their own.
          const name = problem.fix !== undefined && "key" in problem.fix ? problem.fix.key : ""
          const shape = Object.hasOwn(fields, name) ? fields[name]!.shape : undefined
          if (shape?.kind === "record") decoded[name] = shape.decode(entry, context.at(key))
          const { sections } = options
          if (sections === undefined || context.extra === undefined) {
            context.at(key).problem(problem)
          } else {
            const { path } = context
            const reported = { ...problem, path: [...path, key] }
            context.extra({ on: sections, path, key, value: entry, problem: reported })
          }
        } else if (entry === null) {
          // `key:` without a value counts as missing.
          wrongType(context.at(key), field.shape.expected, null)
        } else decoded[key] = field.shape.decode(entry, context.at(key))
      }
      reportMissing(fields, value, options, context)
      options.check?.(value, context)
      return fillIn(fields, decoded)
    },
    schema: (definitions) => ({
      type: "object",
      required: keys.filter((key) => fields[key]!.required),
      properties: Object.fromEntries(
        keys.map((key) => {
          const { shape, description, shown } = fields[key]!
          const schema = shape.schema(definitions)
          const known = {
            description,
            ...(shown === undefined ? {} : { default: shown }),
          }
          // Draft-07 ignores what stands beside a $ref.
          return [key, "$ref" in schema ? { allOf: [schema], ...known } : { ...schema, ...known }]
        }),
      ),
      patternProperties: { "^x-": {} },
      additionalProperties: false,
    }),
  }
}

const reportMissing = (
  fields: Fields,
  value: { readonly [key: string]: Json },
  options: ObjectOptions,
  context: DecodeContext,
): void => {
  for (const [key, field] of Object.entries(fields)) {
    // A merge key, which is reported, may have been meant to give it.
    if (!field.required || Object.hasOwn(value, key) || Object.hasOwn(value, "<<")) continue
    // A key that was written wrongly is reported as what it is.
    if (Object.keys(value).some((found) => meant(found, [key], options) === key)) continue
    const own = ownMember(options.missingCodes, key)
    context.problem({
      code: own?.code ?? "PL0102",
      message: `the key "${key}" is missing`,
      help: own?.help ?? `${key}: ${field.description}`,
      fix: own?.fix,
      spot: "key",
    })
  }
}

/** Stand-ins for required keys that were not there, so that later rules find the type they expect. */
const fillIn = <F extends Fields>(fields: F, decoded: { [key: string]: unknown }): Decoded<F> => {
  const silent: DecodeContext = { path: [], at: () => silent, problem: () => {} }
  for (const [key, field] of Object.entries(fields)) {
    if (field.required && decoded[key] === undefined) {
      decoded[key] = field.shape.decode(null, silent)
    }
  }
  return decoded as Decoded<F>
}

const meant = (
  key: string,
  known: ReadonlyArray<string>,
  options: ObjectOptions,
): string | undefined => {
  const given = ownMember(options.aliases, snakeCase(key))
  const several = Array.isArray(given) ? (given as ReadonlyArray<string>) : undefined
  if (typeof given === "object" && "help" in given) return given.help
  const alias =
    several === undefined
      ? (given as string | undefined)
      : several.find((one) => known.includes(one))
  if (alias !== undefined && (known.includes(alias) || alias.includes(" "))) return alias
  return suggest(key, known)
}

/** The name that a key can only stand for, if its value fits there and no other key means the same. */
const renamed = (
  key: string,
  fields: Fields,
  value: { readonly [key: string]: Json },
  options: ObjectOptions,
  context: DecodeContext,
): Fix | undefined => {
  const entry = value[key]!
  const alias = ownMember(options.aliases, snakeCase(key))
  if (typeof alias === "object" && "fix" in alias) return alias.fix(entry)
  const free = Object.keys(fields).filter((one) => !Object.hasOwn(value, one))
  const name = alias === undefined ? onlyNear(key, free) : meant(key, free, options)
  if (name === undefined || !free.includes(name)) return undefined
  const others = Object.keys(value).filter(
    (other) =>
      other !== key && !Object.hasOwn(fields, other) && meant(other, free, options) === name,
  )
  return others.length === 0 && fitsAt(fields[name]!.shape, entry, context)
    ? { key: name }
    : undefined
}

/** Whether a value has the form of a shape; problems further inside of it are others. */
const fitsAt = (shape: Shape<unknown>, value: Json, { path }: DecodeContext): boolean => {
  let fits = value !== null
  const inside: DecodeContext = { path, at: () => inside, problem: () => {} }
  const here: DecodeContext = {
    path,
    at: () => inside,
    problem: ({ fix }) => (fits &&= fix !== undefined),
  }
  shape.decode(value, here)
  return fits
}

const unknownKey = (
  key: string,
  fields: Fields,
  value: { readonly [key: string]: Json },
  options: ObjectOptions,
  context: DecodeContext,
) => {
  const keys = Object.keys(fields)
  const free = keys.filter((known) => !Object.hasOwn(value, known))
  // One that is there, too, was meant all the same: from outside the file it is to be replaced.
  const near = meant(key, free, options) ?? meant(key, keys, options)
  const listed =
    key === "<<"
      ? "YAML merge keys are not supported: repeat the keys that are shared"
      : `known here: ${keys.join(", ")}`
  return {
    code: "PL0101",
    message: `unknown key "${key}"`,
    help:
      near === undefined ? listed : near.includes(" ") ? near : `did you mean "${near}"? ${listed}`,
    fix: renamed(key, fields, value, options, context),
    spot: "key" as const,
  }
}
