/** The models of a workflow as entries: every alias, then the stages that name a model directly. */
import type { Json, Provider } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { ModelFacts } from "@planloom/plugin/facts"
import type { LoadedWorkflow } from "@planloom/core"
import { count, money } from "../terminal/quantity.ts"
import type { Entry } from "./Entry.ts"

export const modelEntries = (loaded: LoadedWorkflow): Effect.Effect<ReadonlyArray<Entry>> =>
  Effect.gen(function* () {
    const { factsOf, unsupportedSettings } = yield* Effect.promise(
      () => import("@planloom/plugin/facts"),
    )
    const { facts, models } = loaded.pipeline
    const { providers } = loaded.resources.components
    const available = new Map(
      yield* Effect.forEach([...providers.values()], (provider) =>
        Effect.map(availability(provider), (one) => [provider.id, one] as const),
      ),
    )
    const model = (name: string) => {
      const slash = name.indexOf("/")
      const provider = name.slice(0, slash)
      const known = factsOf(name, facts)
      const refuses = unsupportedSettings(known, providers.get(provider), name.slice(slash + 1))
      return { name, known, refuses, now: available.get(provider) ?? "not declared" }
    }
    const stages = models.stages.filter(({ alias, models: names }) => !alias && names.length > 0)
    return [
      ...models.aliases.map(({ alias, models: names, otherwise }) =>
        entry(alias, undefined, names.map(model), otherwise),
      ),
      ...stages.map(({ models: names, stage }) => entry(stage, "stage", names.map(model), "fail")),
    ]
  })

interface Named {
  readonly name: string
  readonly known: ModelFacts | undefined
  /** Settings that are not sent to the model. */
  readonly refuses: ReadonlyArray<string>
  /** `true`, or why it is not available. */
  readonly now: true | string
}

const availability = ({ available }: Provider): Effect.Effect<true | string> =>
  available ?? Effect.succeed(true)

const entry = (
  id: string,
  aside: string | undefined,
  models: ReadonlyArray<Named>,
  otherwise: "fail" | "mechanical",
): Entry => ({
  id,
  ...(aside === undefined ? {} : { aside }),
  summary: [...models.map(modelText), ...(otherwise === "mechanical" ? ["mechanical"] : [])].join(
    ", then ",
  ),
  data: {
    try: models.map(({ name }) => name),
    otherwise,
    models: models.map(modelJson),
  },
})

const modelText = ({ known, name, now, refuses }: Named): string => {
  const said = [
    ...(known === undefined ? ["no known facts"] : factsText(known)),
    ...(refuses.length === 0 ? [] : [`does not accept ${refuses.join(", ")}`]),
    ...(now === true ? [] : [`not available: ${now}`]),
  ]
  return said.length === 0 ? name : `${name} (${said.join("; ")})`
}

const factsText = ({ context, max_output, price }: ModelFacts): ReadonlyArray<string> => [
  ...(context === undefined ? [] : [`reads ${count(context)}`]),
  ...(max_output === undefined ? [] : [`writes ${count(max_output)} tokens`]),
  ...(price === undefined
    ? ["price not known"]
    : price.input === 0 && price.output === 0
      ? ["free"]
      : [`${money(price.input)} in, ${money(price.output)} out a million`]),
]

const modelJson = ({ known, name, now, refuses }: Named): Json => ({
  model: name,
  available: now === true,
  ...(now === true ? {} : { reason: now }),
  refuses,
  ...(known === undefined ? {} : { facts: JSON.parse(JSON.stringify(known)) as Json }),
})
