/** Hooks in use as a workflow, stage or hook set writes them, and their shape. */
import {
  hookPoints,
  hookPhases,
  type HookFilter,
  type HookUse,
  type JsonObject,
  type JsonSchema,
  type PointId,
} from "@planloom/plugin/effect"

type Names = string | ReadonlyArray<string>

export interface WrittenUse {
  readonly use: string
  readonly with?: JsonObject
  readonly when?: string
  readonly timeout?: string
  readonly on_error?: "skip" | "fail"
  readonly point?: PointId | ReadonlyArray<PointId>
  readonly stage?: Names
  readonly section?: Names
  readonly mode?: Names
  readonly tool?: Names
  readonly model?: Names
  readonly reviewer?: Names
  readonly phase?: (typeof hookPhases)[number]
  readonly before?: Names
  readonly after?: Names
  readonly priority?: number
}

const oneOrMore = (items: object, description: string): JsonSchema => ({
  description,
  anyOf: [items, { type: "array", items, minItems: 1 }],
})
const names = (description: string) => oneOrMore({ type: "string", minLength: 1 }, description)

export const hookUsesSchema: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      use: { type: "string", description: "Id of a hook of a declared plugin." },
      with: {
        type: "object",
        description: "Its options; expressions are evaluated for each call.",
      },
      when: {
        type: "string",
        format: "cel",
        description: "The hook runs if this is true. `draft` is what it would see.",
      },
      timeout: {
        type: "string",
        format: "duration",
        description: "A hook that takes longer fails; 5s unless the hook declares another.",
      },
      on_error: {
        enum: ["skip", "fail"],
        description: "Whether the call continues without a failed hook.",
      },
      point: oneOrMore(
        { enum: hookPoints.map(({ id }) => id) },
        "Points of the hook at which it runs; all of them unless written.",
      ),
      stage: names("Stages in which it runs."),
      section: names("Sections of prompts for which it runs."),
      mode: names("Modes of prompts in which it runs."),
      tool: names("Tools around whose calls it runs."),
      model: names("Models around whose calls it runs, as `provider/model`."),
      reviewer: names("Reviewers around whose model calls it runs, instead of those of stages."),
      phase: {
        enum: [...hookPhases],
        description:
          "Hooks of an earlier phase run first; `normal` unless the hook declares another.",
      },
      before: names("Ids of hooks that run after it."),
      after: names("Ids of hooks that run before it."),
      priority: {
        type: "integer",
        description: "Lower runs first; 100 unless the hook declares another.",
      },
    },
    required: ["use"],
    additionalProperties: false,
  },
}

/** The uses as the contract has them, each with its location. */
export const boundUses = (uses: ReadonlyArray<WrittenUse>): ReadonlyArray<HookUse> =>
  uses.map(
    (
      {
        after,
        before,
        mode,
        model,
        on_error: onError,
        point,
        reviewer,
        section,
        stage,
        tool,
        ...use
      },
      index,
    ) => {
      const only: HookFilter = given({
        stage: listOf(stage),
        section: listOf(section),
        mode: listOf(mode),
        tool: listOf(tool),
        model: listOf(model),
        reviewer: listOf(reviewer),
      })
      return {
        ...use,
        ...given({
          onError,
          before: listOf(before),
          after: listOf(after),
          points: listOf(point),
        }),
        ...(Object.keys(only).length === 0 ? {} : { only }),
        at: [index],
      }
    },
  )

const listOf = <A>(value: A | ReadonlyArray<A> | undefined): ReadonlyArray<A> | undefined =>
  value === undefined || Array.isArray(value)
    ? (value as ReadonlyArray<A> | undefined)
    : [value as A]

type Given<A> = { readonly [K in keyof A]?: Exclude<A[K], undefined> }

const given = <A extends object>(values: A): Given<A> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<A>
