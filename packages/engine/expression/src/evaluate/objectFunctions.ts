/** Expression functions on objects. */
import type { Json, JsonObject } from "@planloom/plugin/effect"
import { define as setKey } from "./access.ts"
import { define, fail, show } from "./ExpressionFunction.ts"
import type { ExpressionFunction } from "./ExpressionFunction.ts"
import {
  any,
  fieldIn,
  listOf,
  mapOf,
  membersOf,
  namesIn,
  objectOf,
  string,
  union,
} from "../infer/Type.ts"
import type { Field, ObjectType, Type } from "../infer/Type.ts"

/** The type of all values of an object, whatever their keys. */
const valueType = (type: Type | undefined): Type =>
  union(
    membersOf(type ?? any).map((member) =>
      member.kind === "object"
        ? union([
            ...namesIn(member).map((name) => fieldIn(member, name)?.type ?? any),
            ...(member.rest ? [member.rest] : []),
          ])
        : any,
    ),
  )

const mergeTypes = (left: Type, right: Type): Type =>
  union(
    membersOf(left).flatMap((a) =>
      membersOf(right).map((b) =>
        a.kind === "object" && b.kind === "object" ? mergeFields(a, b) : mapOf(any),
      ),
    ),
  )

/** Fields of the second replace those of the first, unless they may be missing. */
const mergeFields = (a: ObjectType, b: ObjectType): ObjectType => {
  const fields: { [name: string]: Field } = {}
  for (const name of new Set([...namesIn(a), ...namesIn(b)])) {
    const before = fieldIn(a, name) ?? (a.rest && { type: a.rest, optional: true })
    const after = fieldIn(b, name) ?? (b.rest && { type: b.rest, optional: true })
    fields[name] =
      after === undefined || (after.optional && before !== undefined)
        ? {
            type: after ? union([before!.type, after.type]) : before!.type,
            optional: before!.optional,
          }
        : after
  }
  const rests = [a.rest, b.rest].filter((rest) => rest !== undefined)
  return { kind: "object", fields, rest: rests.length === 0 ? undefined : union(rests) }
}

const fromEntries = (
  entries: ReadonlyArray<{ readonly key: string; readonly value: Json }>,
): JsonObject => {
  const object: { [key: string]: Json } = {}
  for (const { key, value } of entries) {
    if (typeof key !== "string") fail(`to_object(): the key ${show(key ?? null)} is not text`)
    if (Object.hasOwn(object, key)) fail(`to_object(): the key ${show(key)} occurs twice`)
    setKey(object, key, value ?? null)
  }
  return object
}

export const objectFunctions = (): ReadonlyArray<ExpressionFunction> => [
  define("keys(object) → list<text>", {
    summary: "The keys of an object, in order.",
    example: ["keys({'a': 1, 'b': 2})", ["a", "b"]],
    params: [mapOf(any)],
    returns: listOf(string),
    apply: (value: object) => Object.keys(value),
  }),
  define("values(object<A>) → list<A>", {
    summary: "The values of an object, in the order of its keys.",
    example: ["values({'a': 1, 'b': 2})", [1, 2]],
    params: [mapOf(any)],
    returns: ([object]) => listOf(valueType(object)),
    apply: (value: object) => Object.values(value),
  }),
  define("entries(object<A>) → list<{ key: text, value: A }>", {
    summary: "The keys of an object with their values, in order.",
    example: ["entries({'a': 1})", [{ key: "a", value: 1 }]],
    params: [mapOf(any)],
    returns: ([object]) => listOf(objectOf({ key: string, value: valueType(object) })),
    apply: (value: JsonObject) => Object.entries(value).map(([key, one]) => ({ key, value: one })),
  }),
  define("to_object(list<{ key: text, value: A }>) → object<A>", {
    summary: "An object of keys and values; fails if a key occurs twice.",
    example: ["to_object([{'key': 'a', 'value': 1}])", { a: 1 }],
    params: [listOf(objectOf({ key: string, value: any }))],
    returns: ([list]) =>
      mapOf(
        union(
          membersOf(list?.kind === "list" ? list.item : any).map((item) =>
            item.kind === "object" ? (fieldIn(item, "value")?.type ?? any) : any,
          ),
        ),
      ),
    apply: fromEntries,
  }),
  define("merge(object, object, …) → object", {
    summary: "One object with the fields of all; of equal names, the last counts.",
    example: ["merge({'id': 7, 'state': 'new'}, {'state': 'done'})", { id: 7, state: "done" }],
    params: [mapOf(any), mapOf(any)],
    variadic: true,
    returns: (types) => types.reduce(mergeTypes),
    apply: (...objects: ReadonlyArray<JsonObject>) => {
      const merged: { [key: string]: Json } = {}
      for (const object of objects)
        for (const [key, value] of Object.entries(object)) setKey(merged, key, value)
      return merged
    },
  }),
]
