/** The `with` of a reflection. */
import type { Json } from "@planloom/plugin/effect"
import type { WrittenPlan } from "@planloom/planning"
import type { LineLimits } from "./callLines.ts"
import type { BuiltInRule, DeclaredStrategy, PlanResults, Rule, Wish } from "./Reflection.ts"
import type { Relaxations } from "./relaxPlan.ts"

export interface ReflectInput {
  readonly request: string
  readonly plan: WrittenPlan
  readonly results: PlanResults
  readonly requirements?: Json
  readonly domain?: string
  /** Rounds of the loop before this one. */
  readonly round: number
  /** The most rounds of the loop. */
  readonly rounds: number
  readonly rules: ReadonlyArray<BuiltInRule | Rule>
  readonly wishes: { readonly [wish: string]: Wish }
  readonly strategies: { readonly [name: string]: DeclaredStrategy }
  readonly relax: Relaxations
  /** The tool whose params a model writes as `new_queries`. */
  readonly queries?: string
  readonly limits: LineLimits
  readonly language: string
  /** Words that no sentence for the user has. */
  readonly technical_terms: ReadonlyArray<string>
  /** Whether a model is asked. */
  readonly enabled: boolean
  /** Whether the plan is changed without a model. */
  readonly mechanical: boolean
}
