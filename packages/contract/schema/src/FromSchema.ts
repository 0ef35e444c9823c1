/** TypeScript types of the values that a JSON Schema accepts, for schemas written as literals. */
import type { Json } from "./Schema.ts"

/**
 * The type of the values that match `Schema`: `const`, `enum`, `type`, `properties`, `required`, `items`, `prefixItems`,
 * `additionalProperties`, `anyOf`, `oneOf`, `allOf` and `$ref` into `$defs` or `definitions`. Other keywords do not narrow
 * it. `Json` for a schema that is not a literal, and below `MaxDepth` levels. With `Filled`, properties with a
 * `default` are present, as `withDefaults` fills them.
 */
export type FromSchema<Schema, Filled extends boolean = false> = Value<
  Schema,
  { readonly filled: Filled; readonly defs: DefsOf<Schema> },
  []
>

/** Levels of nesting below which a type is `Json`: enough for any `with`, and no endless type for a recursive schema. */
type MaxDepth = 12

interface Scope {
  readonly filled: boolean
  readonly defs: unknown
}

type DefsOf<Schema> = Schema extends { readonly $defs: infer Defs }
  ? Defs
  : Schema extends { readonly definitions: infer Defs }
    ? Defs
    : unknown

type List = ReadonlyArray<unknown>

type Value<Schema, In extends Scope, Depth extends List> = Depth["length"] extends MaxDepth
  ? Json
  : boolean extends Schema
    ? Json
    : Schema extends true
      ? Json
      : Schema extends false
        ? never
        : string extends keyof Schema
          ? Json
          : ByKeyword<Schema, In, [...Depth, unknown]>

type ByKeyword<Schema, In extends Scope, Depth extends List> = Schema extends {
  readonly const: infer Const
}
  ? Const
  : Schema extends { readonly enum: ReadonlyArray<infer Member> }
    ? Member
    : Schema extends { readonly $ref: infer Ref }
      ? Value<Target<Ref, In["defs"]>, In, Depth>
      : Schema extends { readonly anyOf: ReadonlyArray<infer Option> }
        ? EachOf<Option, Unfilled<In>, Depth>
        : Schema extends { readonly oneOf: ReadonlyArray<infer Option> }
          ? EachOf<Option, Unfilled<In>, Depth>
          : Schema extends { readonly allOf: infer Parts extends List }
            ? AllOf<Parts, In, Depth> & ByType<Schema, In, Depth>
            : ByType<Schema, In, Depth>

interface Unfilled<In extends Scope> {
  readonly filled: false
  readonly defs: In["defs"]
}

/** `true`, the schema of any value, for a reference that does not resolve. */
type Target<Ref, Defs> = Ref extends `#/$defs/${infer Name}` | `#/definitions/${infer Name}`
  ? Name extends keyof Defs
    ? Defs[Name]
    : true
  : true

type EachOf<Option, In extends Scope, Depth extends List> = Option extends unknown
  ? Value<Option, In, Depth>
  : never

type AllOf<Parts extends List, In extends Scope, Depth extends List> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? Value<First, In, Depth> & AllOf<Rest, In, Depth>
  : unknown

type ByType<Schema, In extends Scope, Depth extends List> = Schema extends {
  readonly type: infer Type
}
  ? TypeOf<Type extends List ? Type[number] : Type, Schema, In, Depth>
  : Schema extends { readonly properties: unknown }
    ? Members<Schema, In, Depth>
    : Json

type TypeOf<Type, Schema, In extends Scope, Depth extends List> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? Items<Schema, In, Depth>
          : Type extends "object"
            ? Members<Schema, In, Depth>
            : Json

type Items<Schema, In extends Scope, Depth extends List> = Schema extends {
  readonly prefixItems: infer Places extends List
}
  ? { readonly [At in keyof Places]: Value<Places[At], In, Depth> }
  : Schema extends { readonly items: infer Item }
    ? ReadonlyArray<Value<Item, In, Depth>>
    : ReadonlyArray<Json>

type Members<Schema, In extends Scope, Depth extends List> = Schema extends {
  readonly properties: infer Properties
}
  ? Flat<
      {
        readonly [Name in PresentIn<Schema, Properties, In>]: Value<Properties[Name], In, Depth>
      } & {
        readonly [Name in Exclude<keyof Properties, PresentIn<Schema, Properties, In>>]?: Value<
          Properties[Name],
          In,
          Depth
        >
      }
    >
  : Schema extends { readonly additionalProperties: infer Rest }
    ? { readonly [name: string]: Value<Rest, In, Depth> }
    : { readonly [name: string]: Json }

/** Names of the properties that every matching value has. */
type PresentIn<Schema, Properties, In extends Scope> =
  | (Schema extends { readonly required: ReadonlyArray<infer Name> }
      ? Extract<keyof Properties, Name>
      : never)
  | (In["filled"] extends true
      ? {
          [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown }
            ? Name
            : never
        }[keyof Properties]
      : never)

type Flat<Parts> = { readonly [Name in keyof Parts]: Parts[Name] }
