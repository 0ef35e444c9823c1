/** The models that a loaded workflow calls; they can be listed and swapped while runs are under way. */
import * as Effect from "effect/Effect"
import type { Provider, SwappedModels } from "@planloom/plugin/effect"
import type { Definition } from "@planloom/language"
import { factsOf, unsupportedReasoning, type Facts } from "@planloom/plugin/facts"
import {
  choiceOf,
  resolveModel,
  unsetModel,
  type ModelChoice,
  type ResolvedModel,
} from "./resolveModel.ts"
import {
  currentOf,
  followingCell,
  isSwapped,
  writtenCell,
  type AliasCell,
  type Cell,
  type StageCell,
} from "./ModelCell.ts"
import {
  SwapRefused,
  type ProposedSwap,
  type Swap,
  type SwapReason,
  type SwapTarget,
  type UnfitSwap,
} from "./Swap.ts"

export interface AliasModels {
  readonly alias: string
  /** The list of its file, if it names other aliases and has not been swapped itself. */
  readonly names?: ReadonlyArray<string>
  readonly models: ReadonlyArray<string>
  readonly otherwise: "fail" | "mechanical"
  readonly swapped: boolean
}

export interface StageModels {
  /** The stage's id; `id/fallback:1` for the kind that runs in its place. */
  readonly stage: string
  /** What the stage names, if it names an alias and the stage itself has not been swapped. */
  readonly alias?: string
  readonly models: ReadonlyArray<string>
  readonly swapped: boolean
}

export class ModelRegistry {
  private readonly definition: Definition
  private readonly providers: ReadonlyMap<string, Provider>
  private readonly facts: Facts
  private readonly now: () => number
  private readonly aliasCells = new Map<string, AliasCell>()
  private readonly stageCells = new Map<string, StageCell>()
  private readonly entries: Array<Swap> = []
  /** Of the kept swaps that are in force. */
  private revision: number | undefined
  /** Kept swaps that do not fit this workflow. */
  unfit: ReadonlyArray<UnfitSwap> = []
  /** What each entry that can still be undone has replaced. */
  private readonly undoable: Array<{
    readonly entry: number
    readonly cell: Cell
    readonly previous: ResolvedModel | undefined
  }> = []

  constructor(
    definition: Definition,
    providers: ReadonlyMap<string, Provider>,
    facts: Facts = new Map(),
    now: () => number = Date.now,
  ) {
    this.definition = definition
    this.providers = providers
    this.facts = facts
    this.now = now
    for (const alias of Object.keys(definition.models)) {
      this.aliasCells.set(alias, this.aliasCell(alias))
    }
  }

  private aliasCell(alias: string): AliasCell {
    const { names } = this.definition.models[alias]!
    const written = this.resolved(alias)
    return names === undefined
      ? writtenCell(written)
      : followingCell(written, names, (name) => this.named(name).choices)
  }

  /** What a stage that names this model asks, at each call; undefined when neither stage nor default names one. */
  bind(stage: string, name: string | undefined): () => ResolvedModel | undefined {
    const alias = name === undefined ? undefined : this.aliasCells.get(name)
    const written = name === undefined || alias !== undefined ? undefined : this.resolved(name)
    const cell: StageCell = { ...writtenCell(written), alias: alias && name }
    this.stageCells.set(stage, cell)
    return () => currentOf(cell) ?? (alias && currentOf(alias))
  }

  /** What an alias or `provider/model` stands for at present. */
  named(name: string): ResolvedModel {
    const alias = this.aliasCells.get(name)
    return (alias && currentOf(alias)) ?? this.resolved(name)
  }

  private resolved(name: string): ResolvedModel {
    return resolveModel(name, this.definition, this.providers, this.facts)
  }

  /** Whether a swap may fit the workflow: without a provider none does. */
  get isSwappable(): boolean {
    return this.providers.size > 0
  }

  get aliases(): ReadonlyArray<AliasModels> {
    return [...this.aliasCells].map(([alias, cell]) => ({
      alias,
      ...(cell.names === undefined || isSwapped(cell) ? {} : { names: cell.names }),
      models: namesOf(currentOf(cell)),
      otherwise: currentOf(cell)?.otherwise ?? "fail",
      swapped: isSwapped(cell),
    }))
  }

  /** Every stage that can ask a model. */
  get stages(): ReadonlyArray<StageModels> {
    return [...this.stageCells].map(([stage, cell]) => ({
      stage,
      ...(cell.alias === undefined || currentOf(cell) !== undefined ? {} : { alias: cell.alias }),
      models: namesOf(this.ofStage(cell)),
      swapped: isSwapped(cell),
    }))
  }

  /** The swaps in this process, oldest first. Kept as long as the workflow is loaded. */
  get history(): ReadonlyArray<Swap> {
    return this.entries
  }

  /**
   * The next call of the stage, or of every stage with the alias, asks these models instead. Calls under way
   * end as they began. Settings such as `temperature` and `otherwise` stay. Throws `SwapRefused`.
   */
  swap(target: SwapTarget, models: string | ReadonlyArray<string>, reason: SwapReason): Swap {
    const { found, next } = this.fitting(target, models)
    return this.put(found, next, reason)
  }

  /** The change that `swap` would make; nothing changes. Throws `SwapRefused`. */
  propose(target: SwapTarget, models: string | ReadonlyArray<string>): ProposedSwap {
    const { found, next } = this.fitting(target, models)
    const { cell: _, ...at } = found
    return { ...at, before: namesOf(this.inForce(found)), after: namesOf(next) }
  }

  /** The models of an alias or a stage without a swap of it; empty for one that there is not. */
  written(target: { readonly alias: string } | { readonly stage: string }): ReadonlyArray<string> {
    if ("alias" in target) return namesOf(this.aliasCells.get(target.alias)?.written)
    const cell = this.stageCells.get(target.stage)
    const named = cell?.alias === undefined ? undefined : this.aliasCells.get(cell.alias)
    return namesOf(cell?.written ?? (named && currentOf(named)))
  }

  /** Fails with `SwapRefused` if one of the models cannot answer now: its provider is not available, or does not list it. */
  offered(models: ReadonlyArray<string>): Effect.Effect<void, SwapRefused> {
    return Effect.forEach(
      models,
      (name) =>
        Effect.gen({ self: this }, function* () {
          const { model, provider } = yield* Effect.try({
            try: () => this.choice(name),
            catch: (error) => error as SwapRefused,
          })
          const available = yield* provider.available ?? Effect.succeed(true as const)
          if (available !== true) {
            return yield* new SwapRefused({ message: `"${name}" is not available: ${available}` })
          }
          const listed = yield* provider.lists?.(model) ?? Effect.succeed(true as const)
          if (listed !== true) return yield* new SwapRefused({ message: `"${name}": ${listed}` })
        }),
      { discard: true },
    )
  }

  /** Takes the swaps that a host keeps. What fits this workflow no more is left out and stays as the file says. */
  follow(swapped: SwappedModels | undefined): void {
    if (swapped?.revision === this.revision) return
    this.revision = swapped?.revision
    const unfit: Array<UnfitSwap> = []
    for (const [cells, kept, kind] of [
      [this.aliasCells, swapped?.aliases ?? {}, "alias"],
      [this.stageCells, swapped?.stages ?? {}, "stage"],
    ] as const) {
      for (const cell of cells.values()) cell.kept = undefined
      for (const [name, models] of Object.entries(kept)) {
        try {
          const { found, next } = this.fitting({ [kind]: name } as SwapTarget, models)
          found.cell.kept = next
        } catch (error) {
          if (!(error instanceof SwapRefused)) throw error
          unfit.push({ [kind]: name, models, reason: error.message } as UnfitSwap)
        }
      }
    }
    this.unfit = unfit
  }

  private fitting(target: SwapTarget, models: string | ReadonlyArray<string>) {
    const found = this.find(target)
    const names = typeof models === "string" ? [models] : models
    if (names.length === 0) throw new SwapRefused({ message: "name at least one model" })
    const choices = names.map((name) => this.choice(name))
    const now = this.inForce(found)
    for (const name of names) {
      for (const asked of [now, ...this.followersOf(found)]) {
        const levels = unsupportedReasoning(asked?.reasoning, factsOf(name, this.facts))
        if (levels === undefined) continue
        const of = asked === now ? "" : ` of "${asked?.alias}", which names "${found.alias}"`
        throw new SwapRefused({
          message: `"${name}" does not support reasoning: ${asked?.reasoning}${of}; it supports: ${levels.join(", ")}`,
        })
      }
    }
    const next: ResolvedModel = { ...(now ?? unsetModel), choices }
    return { found, next }
  }

  /** The aliases that a swap of this one moves, too. */
  private followersOf({ alias }: Found): ReadonlyArray<ResolvedModel | undefined> {
    return [...this.aliasCells.values()]
      .filter((cell) => cell.names?.includes(alias ?? "") === true && !isSwapped(cell))
      .map(currentOf)
  }

  private inForce({ cell, stage }: Found): ResolvedModel | undefined {
    return stage === undefined ? currentOf(cell) : this.ofStage(cell)
  }

  /** Undoes the last swap that is still in force; undefined without one. */
  undo(reason: SwapReason): Swap | undefined {
    const last = this.undoable.pop()
    if (last === undefined) return undefined
    const { alias, stage } = this.entries[last.entry]!
    const found = { cell: last.cell, ...(alias === undefined ? { stage: stage! } : { alias }) }
    return this.put(found, last.previous, reason, last.entry)
  }

  private put(
    { cell, ...at }: Found,
    next: ResolvedModel | undefined,
    { by, via, why }: SwapReason,
    undoes?: number,
  ): Swap {
    const seen = () => namesOf(this.inForce({ cell, ...at }))
    const before = seen()
    if (undoes === undefined) {
      this.undoable.push({ entry: this.entries.length, cell, previous: cell.swapped })
    }
    cell.swapped = next
    const swap: Swap = {
      at: this.now(),
      ...at,
      before,
      after: seen(),
      by,
      why,
      ...(via === undefined ? {} : { via }),
      ...(undoes === undefined ? {} : { undoes }),
    }
    this.entries.push(swap)
    return swap
  }

  private ofStage(cell: Cell): ResolvedModel | undefined {
    const { alias } = cell as StageCell
    const named = alias === undefined ? undefined : this.aliasCells.get(alias)
    return currentOf(cell) ?? (named && currentOf(named))
  }

  private find(target: SwapTarget): Found {
    const name =
      typeof target === "string" ? target : "alias" in target ? target.alias : target.stage
    const alias =
      typeof target === "string" || "alias" in target ? this.aliasCells.get(name) : undefined
    const stage =
      typeof target === "string" || "stage" in target ? this.stageCells.get(name) : undefined
    if (alias !== undefined && stage !== undefined) {
      throw new SwapRefused({
        message: `"${name}" is a stage and an alias; say { stage: "${name}" } or { alias: "${name}" }`,
      })
    }
    if (alias !== undefined) return { cell: alias, alias: name }
    if (stage !== undefined) return { cell: stage, stage: name }
    throw new SwapRefused({
      message: `there is no alias and no stage "${name}" that asks a model; there are: ${[...this.aliasCells.keys(), ...this.stageCells.keys()].join(", ") || "none"}`,
    })
  }

  private choice(name: string): ModelChoice {
    const choice = choiceOf(name, this.providers, this.facts)
    if (choice !== undefined) return choice
    throw new SwapRefused({
      message: name.includes("/")
        ? `there is no provider for "${name}"; there are: ${[...this.providers.keys()].join(", ") || "none"}`
        : `"${name}" is not a model; write provider/model`,
    })
  }
}

interface Found {
  readonly cell: Cell
  readonly alias?: string
  readonly stage?: string
}

const namesOf = (model: ResolvedModel | undefined): ReadonlyArray<string> =>
  model?.choices.map(({ name }) => name) ?? []
