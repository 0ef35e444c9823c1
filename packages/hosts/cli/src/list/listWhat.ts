/** Implements `planloom list`: prints the components of one kind. */
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import type { AnyHook, Json, Provider, StageKind } from "@planloom/plugin/effect"
import { isObject } from "@planloom/schema"
import { hookOrder } from "@planloom/core/internal"
import type { ReadingFlags } from "../commands/options.ts"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { workflowFiles } from "../project/projectFiles.ts"
import { usage } from "../Refused.ts"
import { print, say, stderr, stdout, textWidth } from "../terminal/Screen.ts"
import { entriesJson, entriesText, type Entry } from "./Entry.ts"
import { hookOrderText } from "./hookOrderText.ts"
import type { Listable } from "./Listable.ts"
import { modelEntries } from "./modelEntries.ts"
import { toolEntries } from "./toolEntries.ts"
import { withInventory, type Inventory } from "./Inventory.ts"

export interface ListFlags extends ReadingFlags {
  readonly what: Listable
  readonly workflow: string | undefined
  readonly order: boolean
  readonly json: boolean
}

export const listWhat: Handler<ListFlags> = (flags) =>
  withInventory(
    flags.workflow,
    flags,
    (inventory) =>
      Effect.gen(function* () {
        if (flags.order) return yield* listOrder(flags, inventory)
        const entries = yield* entriesOf(flags.what, inventory)
        if (flags.json) print(entriesJson(entries))
        else if (entries.length > 0) print(entriesText(entries, stdout.style, textWidth(stdout)))
        else say(stderr.style.dim(`no ${flags.what} found`))
        return "ok" as ExitName
      }),
    flags.what === "models" || flags.what === "providers",
  )

/** Prints hooks by point, in the order in which they run. */
const listOrder = Effect.fnUntraced(function* ({ json, what }: ListFlags, { workflow }: Inventory) {
  if (what !== "hooks" || workflow === undefined) {
    return yield* Effect.fail(
      usage("--order prints the hooks of a workflow", "planloom list hooks <workflow> --order"),
    )
  }
  const order = hookOrder(workflow.pipeline)
  if (json) print(JSON.stringify(order, null, 2))
  else if (order.length > 0) print(hookOrderText(order, stdout.style))
  else say(stderr.style.dim("no hooks found"))
  return "ok" as ExitName
})

const entriesOf = Effect.fnUntraced(function* (what: Listable, inventory: Inventory) {
  switch (what) {
    case "workflows":
      return (yield* Effect.promise(workflowFiles)).map((path): Entry => ({
        id: basename(path).replace(/\.ya?ml$/, ""),
        summary: path,
      }))
    case "stages":
      return [
        ...(inventory.components("stages") as ReadonlyArray<StageKind>),
        (yield* Effect.promise(() => import("@planloom/language"))).switchKind,
      ].map(stageEntry)
    case "hooks":
      return (inventory.components("hooks") as ReadonlyArray<AnyHook>).map(hookEntry)
    case "providers":
      return yield* Effect.forEach(
        inventory.components("providers") as ReadonlyArray<Provider>,
        providerEntry,
      )
    case "tools":
      return toolEntries(inventory.tools)
    case "plugins":
      return pluginEntries(inventory)
    case "models":
      return yield* modelEntries(yield* named(inventory, what))
    case "files":
      return fileEntries((yield* named(inventory, what)).resources.files)
    case "triggers": {
      const { pipeline } = yield* named(inventory, what)
      const { triggerEntries } = yield* Effect.promise(() => import("../serve/triggerLines.ts"))
      return triggerEntries(pipeline, pipeline.name, Date.now())
    }
    case "functions":
      return yield* Effect.promise(functionEntries)
    case "prompts":
      return [...(yield* named(inventory, what)).resources.prompts.values()].map(
        ({ name, path }): Entry => ({ id: name, summary: path }),
      )
    default:
      return inventory.components(what)
  }
})

/** The functions of expressions, which no plugin extends. */
const functionEntries = async (): Promise<ReadonlyArray<Entry>> => {
  const { functionGroups } = await import("@planloom/expression/check")
  return functionGroups.flatMap(({ functions }) =>
    functions.map(({ example, name, signature, summary }): Entry => ({
      id: signature,
      summary,
      data: { name, example },
    })),
  )
}

/** Returns the workflow, or refuses: models, files, prompts and triggers exist only in a workflow. */
const named = ({ workflow }: Inventory, what: Listable) =>
  workflow === undefined
    ? Effect.fail(usage(`${what} belong to a workflow`, `planloom list ${what} <workflow>`))
    : Effect.succeed(workflow)

/** The files under `use.files` whose kinds plugins declare. */
const fileEntries = (files: ReadonlyMap<string, ReadonlyArray<Json>>): ReadonlyArray<Entry> =>
  [...files].flatMap(([kind, values]) =>
    values.map((value): Entry => {
      const name = isObject(value) ? value["name"] : undefined
      return { id: typeof name === "string" ? name : kind, summary: kind, data: { value } }
    }),
  )

const hookEntry = ({ id, kind, phase = "normal", point, priority = 100, summary }: AnyHook) => ({
  id,
  summary,
  aside: point,
  data: { point, kind, phase, priority },
})

const stageEntry = (
  kind: Pick<StageKind, "id" | "summary" | "input" | "model" | "mechanical">,
): Entry => {
  const ways = [
    ...(kind.model === undefined ? [] : ["model"]),
    ...(kind.mechanical === undefined ? [] : ["mechanical"]),
  ]
  return {
    id: kind.id,
    summary: kind.summary,
    ...(ways.length === 0 ? {} : { aside: ways.join("/") }),
    data: { strategies: ways, input: kind.input as never },
  }
}

/** Availability comes from the provider, which names its key but never prints it. */
const providerEntry = (provider: Provider): Effect.Effect<Entry> =>
  Effect.map(provider.available ?? Effect.succeed(true as const), (available) => ({
    id: provider.id,
    summary:
      available === true ? provider.summary : `${provider.summary} (not available: ${available})`,
    data: { available: available === true, ...(available === true ? {} : { reason: available }) },
  }))

const pluginEntries = ({ plugins, workflow }: Inventory): ReadonlyArray<Entry> =>
  workflow === undefined
    ? plugins.map(([name, { summary }]) => ({ id: name, summary }))
    : workflow.definition.use.plugins.map((name) => ({ id: name, summary: "" }))
