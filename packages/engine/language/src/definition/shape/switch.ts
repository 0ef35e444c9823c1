/** The shape of `uses: switch`: one of several stages, chosen by an expression. */
import type { Json, JsonSchema } from "@planloom/plugin/effect"
import type { Stage } from "../Definition.ts"
import type { DecodeContext, Shape } from "../Shape.ts"
import { record } from "./collections.ts"
import { object, optional, required } from "./object.ts"
import { expression, json } from "./scalars.ts"

/** The stage kind that the language itself has, because its input holds stages. */
export const SWITCH = "switch"

const cases: Shape<{ readonly [name: string]: Json }> = {
  ...record(json, { names: "free", expected: "a mapping of values to stages" }),
}

const written = object(
  {
    on: required(
      {
        ...expression("text, a whole number, or true or false"),
        schema: () => ({ type: "string", format: "cel" }),
      },
      "An expression; the case with its value runs.",
    ),
    cases: required(
      {
        ...cases,
        schema: () => ({
          type: "object",
          minProperties: 1,
          additionalProperties: { type: "object" },
        }),
      },
      "Values, each with the stage that runs.",
    ),
    else: optional(
      { ...json, expected: "a stage", schema: () => ({ type: "object" }) },
      "The stage that runs for any other value; without it, the switch fails.",
    ),
  },
  {
    expected: "with such as { on: …, cases: { … }, else: … }",
    aliases: {
      value: "on",
      expression: "on",
      switch: "on",
      default: "else",
      otherwise: "else",
      case: "cases",
    },
  },
)

/** As lists, documentation and editors show it beside the kinds of plugins. */
export const switchKind: {
  readonly id: string
  readonly summary: string
  readonly input: JsonSchema
} = {
  id: SWITCH,
  summary: "Runs one of several stages, chosen by an expression.",
  input: written.schema({ define: (name) => name }) as JsonSchema,
}

/** Reads the cases of a switch as its inner stages. */
export const withCases = (stage: Stage, context: DecodeContext, inCase: Shape<Stage>): Stage => {
  const inside = context.at("with")
  const given = written.decode(stage.with, inside)
  const names = Object.keys(given.cases)
  if (names.length === 0 && stage.with["cases"] !== undefined) {
    inside.at("cases").problem({ code: "PL0106", message: "must have at least 1 entry" })
  }
  const listed = [
    ...names.map((name) => ({ name, at: ["with", "cases", name] })),
    ...(given.else === undefined ? [] : [{ name: null, at: ["with", "else"] }]),
  ]
  const taken = new Set<string>()
  const stages = listed.map(({ at, name }): Stage => {
    const place = at.reduce((where: DecodeContext, part) => where.at(part), context)
    const one = inCase.decode(name === null ? given.else! : given.cases[name]!, place)
    for (const key of ["if", "needs"] as const) {
      if (one[key] === undefined) continue
      const message = `the stage of a case has no \`${key}\``
      place.at(key).problem({ code: "PL0110", message, help: "remove it", spot: "key" })
    }
    return { ...one, id: one.id === "" ? idOf(stage.id, name ?? "else", taken) : one.id }
  })
  return { ...stage, uses: undefined, with: {}, stages, branch: { on: given.on, cases: listed } }
}

/** `route_refund` for the case "refund" of "route"; a number makes it unique. */
const idOf = (owner: string, name: string, taken: Set<string>): string => {
  const word = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
  const wanted = `${owner}_${word === "" ? "case" : word}`
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}_${number}`
  taken.add(id)
  return id
}
