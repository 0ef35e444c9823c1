/** Runs one stage until it asks its model, and returns the request instead of sending it. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as JsonPatch from "effect/JsonPatch"
import type {
  Json,
  JsonObject,
  ModelRequest,
  Prompts,
  RunEvent,
  Section,
} from "@planloom/plugin/effect"
import { hook } from "@planloom/plugin/effect"
import type { LoadedWorkflow } from "@planloom/core"
import type { Node } from "@planloom/core/internal"
import { problem, type Refused } from "../Refused.ts"
import { alone, type Doubles, type Place } from "./PromptStage.ts"

type Plan = NonNullable<Node["hooks"]>
type HookRan = Extract<RunEvent, { readonly type: "HookRan" }>

/** What one hook did to the draft of its point. */
export interface HookChange extends Pick<
  HookRan,
  "hook" | "point" | "of" | "patch" | "failure" | "skipped" | "finding"
> {
  readonly before: Json
  readonly after: Json
}

export interface Captured {
  /** As the provider would get it. */
  readonly request: ModelRequest
  readonly sections: ReadonlyArray<Section>
  /** Empty without one. */
  readonly mode: string
  readonly hooks: ReadonlyArray<HookChange>
  /** Versions of the prompts that are not their files, by prompt. */
  readonly versions: { readonly [prompt: string]: string }
  readonly warnings: ReadonlyArray<string>
}

export interface CaptureOptions extends Pick<Doubles, "outputs" | "mode"> {
  readonly inputs: JsonObject
  readonly user: JsonObject | undefined
  readonly prompts: Prompts | undefined
}

export const captureRequest = (
  { definition, pipeline, secrets }: LoadedWorkflow,
  place: Place,
  { inputs, mode, outputs, prompts, user }: CaptureOptions,
): Effect.Effect<Captured, Refused> =>
  Effect.gen(function* () {
    const { run } = yield* Effect.promise(() => import("@planloom/core"))
    const { scrubber } = yield* Effect.promise(() => import("@planloom/core/internal"))
    const asked = yield* Deferred.make<ModelRequest>()
    const drafts = new Map<string, Json>()
    const hooks: Array<HookChange> = []
    const warnings = new Set<string>()
    let versions: Captured["versions"] = {}
    let assembled: Pick<Captured, "sections" | "mode"> = { sections: [], mode: "" }
    const stage = alone(pipeline, place, {
      mode,
      outputs,
      onSearchByWords: () => warnings.add(byWordsOnly(definition.embeddings!)),
      provider: (real) =>
        Object.create(real, {
          stream: { value: undefined },
          generate: {
            value: (request: ModelRequest) =>
              Effect.andThen(Deferred.succeed(asked, request), Effect.never),
          },
        }) as typeof real,
      hooks: (plan) =>
        watched(plan, drafts, (sections, of) => (assembled = { sections, mode: of })),
    })
    const ended = run(stage, inputs, {
      user,
      secrets,
      ...(prompts === undefined ? {} : { prompts }),
      onEvent: (event) => {
        if (event.type === "PromptsPinned") versions = { ...versions, ...event.versions }
        if (event.type === "Noted" && event.note === "unknown_mode") warnings.add(event.text!)
        if (event.type !== "HookRan") return
        const before = drafts.get(draftKey(event.hook, event.point, event.of)) ?? null
        const { failure, finding, hook: id, of, patch, point, skipped } = event
        const after = patch === undefined ? before : (JsonPatch.apply(patch, before) as Json)
        hooks.push({
          hook: id,
          point,
          before,
          after,
          ...(of === undefined ? {} : { of }),
          ...(patch === undefined ? {} : { patch }),
          ...(failure === undefined ? {} : { failure }),
          ...(finding === undefined ? {} : { finding }),
          ...(skipped === undefined ? {} : { skipped }),
        })
      },
    })
    const request = yield* Effect.raceFirst(
      Deferred.await(asked),
      Effect.matchEffect(ended, {
        onFailure: ({ message }) =>
          Effect.fail(problem(`${place.path} cannot be asked: ${message}`)),
        onSuccess: () => Effect.fail(problem(`${place.path} ends without asking a model`)),
      }),
    )
    const scrub = scrubber(secrets)
    const made = { request, ...assembled, hooks, versions, warnings: [...warnings] }
    return scrub === undefined ? made : (scrub(made as never) as unknown as typeof made)
  })

const byWordsOnly = (embedder: string): string =>
  `tools and examples were found by words; a run also uses the embedder "${embedder}"`

const draftKey = (id: string, point: string, of: string | undefined): string =>
  `${id}\n${point}\n${of ?? ""}`

/** The plan, whose transforms leave their drafts, with an observer of the prompt after all other hooks. */
const watched = (
  plan: Plan | undefined,
  drafts: Map<string, Json>,
  seen: (sections: ReadonlyArray<Section>, mode: string) => void,
): Plan => {
  const observer = hook({
    id: "prompt",
    summary: "Shows the prompt.",
    point: "before_model",
    kind: "observe",
    run: ({ system }, { mode }) => seen(system, mode ?? ""),
  })
  const watching = Object.fromEntries(
    Object.entries(plan ?? {}).map(([point, hooks]) => [
      point,
      {
        ...hooks,
        transforms: hooks.transforms.map((bound) => ({
          ...bound,
          hook: leavingDraft(bound.hook, point, drafts),
        })),
      },
    ]),
  )
  const { ids = [], readers = [], transforms = [] } = watching["before_model"] ?? {}
  return {
    ...watching,
    before_model: {
      transforms,
      ids,
      readers: [
        ...readers,
        {
          hook: observer,
          when: undefined,
          only: undefined,
          constant: {},
          with: { evaluate: () => ({}), references: [], constant: true },
          validate: () => [],
          timeout: 1000,
          onError: "fail",
        },
      ],
    },
  }
}

type AnyHook = Plan[keyof Plan] extends infer P
  ? NonNullable<P> extends { readonly transforms: ReadonlyArray<{ readonly hook: infer H }> }
    ? H
    : never
  : never

const leavingDraft = (real: AnyHook, point: string, drafts: Map<string, Json>): AnyHook => {
  const run = (draft: unknown, context: unknown) => {
    const { id } = draft as { readonly id?: string }
    drafts.set(draftKey(real.id, point, of(point, draft, id)), draft as Json)
    return (real.run as (draft: unknown, context: unknown) => unknown)(draft, context)
  }
  return Object.create(real, { run: { value: run } }) as AnyHook
}

/** What the call of a hook is for, as its event names it. */
const of = (point: string, draft: unknown, id: string | undefined): string | undefined =>
  point === "before_model" ? (draft as { readonly model: string }).model : id
