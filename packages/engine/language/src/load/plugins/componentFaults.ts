/** Checks what a plugin gives as its components: malformed ones are named, with what is wrong, and left out. */
import * as Effect from "effect/Effect"
import type { Components } from "@planloom/plugin/effect"
import { suggest } from "@planloom/expression/suggestion"
import { hookFault } from "./hookFault.ts"

type Kind = keyof Components
type Given = { readonly [member: string]: unknown }
/** What is wrong with a component; undefined if nothing is. */
type Rule = (given: Given) => string | undefined

/** The components that can be used, and a sentence for each that cannot. */
export const usableComponents = (
  given: unknown,
): { readonly components: Components; readonly faults: ReadonlyArray<string> } => {
  if (!isRecord(given)) {
    return {
      components: {},
      faults: [`its components are ${shown(given)}, not an object such as { stages: [...] }`],
    }
  }
  const faults: Array<string> = []
  const components: { [kind: string]: ReadonlyArray<unknown> } = {}
  for (const [kind, list] of Object.entries(given)) {
    if (list === undefined) continue
    if (!isKind(kind)) {
      const near = suggest(kind, Object.keys(rules))
      const hint = near === undefined ? "" : `; did you mean "${near}"?`
      faults.push(`there is no component kind "${kind}"${hint}`)
    } else if (!Array.isArray(list)) {
      faults.push(`its ${kind} are ${shown(list)}, not a list`)
    } else {
      components[kind] = list.filter((one, index) => {
        const fault = faultOf(kind, one)
        if (fault !== undefined) faults.push(`${kind} ${nameOf(kind, one, index)}: ${fault}`)
        return fault === undefined
      })
    }
  }
  return { components: components as Components, faults }
}

const faultOf = (kind: Kind, given: unknown): string | undefined => {
  if (!isRecord(given)) return `it is ${shown(given)}, not an object`
  for (const rule of rules[kind]) {
    const fault = rule(given)
    if (fault !== undefined) return fault
  }
  return undefined
}

const text =
  (...names: ReadonlyArray<string>): Rule =>
  (given) =>
    first(names, (name) =>
      typeof given[name] === "string" && given[name] !== ""
        ? undefined
        : `\`${name}\` is ${shown(given[name])}, not a text`,
    )

const functions =
  (...names: ReadonlyArray<string>): Rule =>
  (given) =>
    first(names, (name) =>
      typeof given[name] === "function"
        ? undefined
        : `\`${name}\` is ${shown(given[name])}, not a function`,
    )

/** Each is a function or absent, and one is there. */
const someOf =
  (...names: ReadonlyArray<string>): Rule =>
  (given) => {
    const present = names.filter((name) => given[name] !== undefined)
    return present.length === 0
      ? `it has no function ${names.map((name) => `\`${name}\``).join(", ")}; it needs one of them`
      : functions(...present)(given)
  }

const schema =
  (...names: ReadonlyArray<string>): Rule =>
  (given) =>
    first(names, (name) =>
      typeof given[name] === "boolean" || isRecord(given[name])
        ? undefined
        : `\`${name}\` is ${shown(given[name])}, not a JSON Schema`,
    )

const effect =
  (name: string): Rule =>
  ({ [name]: value }) =>
    Effect.isEffect(value)
      ? undefined
      : `\`${name}\` is ${shown(value)}, not an Effect; for an async function use toolSource of @planloom/plugin`

const first = (
  names: ReadonlyArray<string>,
  rule: (name: string) => string | undefined,
): string | undefined => {
  for (const name of names) {
    const fault = rule(name)
    if (fault !== undefined) return fault
  }
  return undefined
}

const described = text("id", "summary")

const rules: { readonly [kind in Kind]-?: ReadonlyArray<Rule> } = {
  stages: [
    described,
    schema("input"),
    (given) => (typeof given["output"] === "function" ? undefined : schema("output")(given)),
    someOf("run", "model", "mechanical"),
  ],
  providers: [described, someOf("generate", "stream")],
  embedders: [
    described,
    text("model"),
    ({ dimensions }) =>
      Number.isInteger(dimensions)
        ? undefined
        : `\`dimensions\` is ${shown(dimensions)}, not an integer`,
    functions("embed"),
  ],
  rerankers: [described, text("model"), functions("rerank")],
  indexes: [described, functions("build")],
  tools: [
    described,
    effect("list"),
    (given) => (given["known"] === undefined ? undefined : effect("known")(given)),
    functions("call"),
    (given) => (given["preview"] === undefined ? undefined : functions("preview")(given)),
  ],
  hooks: [described, hookFault],
  subagents: [described, functions("review")],
  validators: [described, functions("validate")],
  stores: [described],
  domains: [described],
  fileKinds: [text("kind", "summary"), schema("schema")],
  sections: [text("key", "on", "summary"), schema("schema")],
  events: [text("name", "summary"), schema("schema")],
}

const isKind = (kind: string): kind is Kind => Object.hasOwn(rules, kind)

const isRecord = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name that the author gave it, or else its position in the list. */
const nameOf = (kind: Kind, given: unknown, index: number): string => {
  const member =
    kind === "fileKinds" ? "kind" : kind === "sections" ? "key" : kind === "events" ? "name" : "id"
  const name = isRecord(given) ? given[member] : undefined
  return typeof name === "string" && name !== "" ? `"${name}"` : `[${index}]`
}

/** A value in a few words, never its content: it may hold a secret. */
const shown = (value: unknown): string => {
  if (value === undefined) return "missing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (value instanceof Promise) return "a Promise"
  if (typeof value === "object") return Effect.isEffect(value) ? "an Effect" : "an object"
  return `a ${typeof value}`
}
