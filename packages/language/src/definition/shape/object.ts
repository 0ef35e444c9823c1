/** Shapes of mappings with fixed keys: every other key is an error with a suggestion. */
import { isObject } from "@planloom/schema"
import type { Json, SectionOwner } from "@planloom/plugin/effect"
import { snakeCase, suggest } from "@planloom/expression/suggestion"
import { ownMember } from "../ownMember.ts"
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

export interface ObjectOptions {
  readonly expected: string
  /** Words people bring from elsewhere, and what they are called here. */
  readonly aliases?: { readonly [foreign: string]: string }
  /** The code of a missing key that has one of its own. */
  readonly missingCodes?: {
    readonly [key: string]: { readonly code: string; readonly help: string }
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
          const problem = unknownKey(key, keys, value, options)
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
  const alias = ownMember(options.aliases, snakeCase(key))
  if (alias !== undefined && (known.includes(alias) || alias.includes(" "))) return alias
  return suggest(key, known)
}

const unknownKey = (
  key: string,
  keys: ReadonlyArray<string>,
  value: { readonly [key: string]: Json },
  options: ObjectOptions,
) => {
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
    spot: "key" as const,
  }
}
