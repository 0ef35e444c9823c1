/** A reflection on the results of a plan: what it is given, what it finds missing, and the plan that it leaves. */
import type { CallRecord, JsonObject, Json, Wording } from "@planloom/plugin/effect"
import type { Each, Step } from "@planloom/planning"

/** A call in the results of `execute`. */
export interface StepResultCall extends Pick<
  CallRecord,
  "tool" | "params" | "ok" | "summary" | "error" | "class" | "entities" | "from" | "refused"
> {
  /** The id of a step, or of an item of one: `pairs[1]`. */
  readonly step: string
}

/** The part of the output of `execute` that is read. */
export interface PlanResults {
  readonly steps: JsonObject
  readonly calls: ReadonlyArray<StepResultCall>
}

/** A step for each of the entities of a type that the calls found: `as` names one in references. */
export interface EachEntity {
  readonly entities: string
  readonly as: string
  readonly limit?: number
}

/** A step of a rule; `$from` may also name a tool: its first step is meant. */
export type WrittenStep = Pick<Step, "id" | "tool"> &
  Partial<Omit<Step, "each">> & { readonly each?: Each | EachEntity }

/** A condition under which something is missing. */
export interface Rule {
  readonly id: string
  readonly when: string
  /** The gaps, for the model and the record. */
  readonly reason: string
  /** The steps that find it, so that no model is asked. */
  readonly then?: ReadonlyArray<WrittenStep>
}

/** The rules that need no expression. */
export const builtInRules = [
  "failed_calls",
  "empty_results",
  "unmet_wishes",
  "unserved_requirements",
  "unused_names",
] as const

/** The rules of a reflection that names none. */
export const defaultRules: ReadonlyArray<BuiltInRule> = builtInRules.filter(
  (rule) => rule !== "unused_names",
)
export type BuiltInRule = (typeof builtInRules)[number]

/** Something that is missing in the results. */
export interface Missing {
  readonly rule: string
  readonly reason: string
  /** The step that found nothing. */
  readonly step?: string
  readonly then?: ReadonlyArray<WrittenStep>
}

/** Words in their order; or groups of them, of which a request has one of each in a clause, in any order. */
export type WishPhrase = string | ReadonlyArray<ReadonlyArray<string>>

/** The words of a request that ask for something, by language, and the tools that find it. */
export interface Wish {
  readonly tools: ReadonlyArray<string>
  readonly words: { readonly [language: string]: ReadonlyArray<WishPhrase> }
  /** Things that can be left out only if they are looked for, by language: `rug` for "skip the rugs". */
  readonly without?: { readonly [language: string]: ReadonlyArray<string> }
}

/** The change of a param when a search is relaxed: `set`, else times, then raised, then lowered. */
export interface ParamChange {
  readonly set?: Json
  readonly times?: number
  readonly at_least?: number
  readonly at_most?: number
}

/** A strategy that the workflow adds. */
export interface DeclaredStrategy {
  /** The case in which a model is to choose it. */
  readonly description: string
  /** The sentence for the user if the model's own cannot be shown. */
  readonly thinking: Wording
}

/** The strategies that every workflow has, with their descriptions for the model. */
export const strategies = {
  extend: "something that was found has to be looked up further: add steps",
  relax: "the words are right, but the search was too strict: it is repeated with wider limits",
  rewrite: "what is searched says it in other words: change the texts",
  pivot: "another tool, table or mode fits the request better: change it",
  none: "nothing more can be found, or nothing is missing for the request",
} as const
