/** The models that a loaded workflow calls; they can be listed and swapped while runs are under way. */
import * as Data from "effect/Data"
import type { Provider } from "@planloom/plugin/effect"
import type { Definition } from "@planloom/language"
import { factsOf, unsupportedReasoning, type Facts } from "@planloom/plugin/facts"
import {
  choiceOf,
  resolveModel,
  unsetModel,
  type ModelChoice,
  type ResolvedModel,
} from "./resolveModel.ts"

/** What is swapped: an alias or a stage, by name; said out where a stage and an alias have the same name. */
export type SwapTarget = string | { readonly alias: string } | { readonly stage: string }

export interface SwapReason {
  /** Who does it. */
  readonly by: string
  readonly why: string
}

/** One entry of the history; plain data. */
export interface Swap extends SwapReason {
  /** Epoch milliseconds. */
  readonly at: number
  readonly alias?: string
  readonly stage?: string
  /** `provider/model`, first choice first. */
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  /** Index of the entry that this one undoes. */
  readonly undoes?: number
}

export interface AliasModels {
  readonly alias: string
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

/** The swap cannot be done; nothing has changed. */
export class SwapRefused extends Data.TaggedError("SwapRefused")<{ readonly message: string }> {}

interface Cell {
  readonly written: ResolvedModel | undefined
  current: ResolvedModel | undefined
}

interface StageCell extends Cell {
  readonly alias: string | undefined
}

export class ModelRegistry {
  private readonly definition: Definition
  private readonly providers: ReadonlyMap<string, Provider>
  private readonly facts: Facts
  private readonly now: () => number
  private readonly aliasCells = new Map<string, Cell>()
  private readonly stageCells = new Map<string, StageCell>()
  private readonly entries: Array<Swap> = []
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
      const written = resolveModel(alias, definition, providers, facts)
      this.aliasCells.set(alias, { written, current: written })
    }
  }

  /** What a stage that names this model asks, at each call; undefined when neither stage nor default names one. */
  bind(stage: string, name: string | undefined): () => ResolvedModel | undefined {
    const alias = name === undefined ? undefined : this.aliasCells.get(name)
    const written = name === undefined || alias !== undefined ? undefined : this.resolved(name)
    const cell: StageCell = {
      written,
      current: written,
      alias: alias === undefined ? undefined : name,
    }
    this.stageCells.set(stage, cell)
    return () => cell.current ?? alias?.current
  }

  /** What an alias or `provider/model` stands for at present. */
  named(name: string): ResolvedModel {
    return this.aliasCells.get(name)?.current ?? this.resolved(name)
  }

  private resolved(name: string): ResolvedModel {
    return resolveModel(name, this.definition, this.providers, this.facts)
  }

  get aliases(): ReadonlyArray<AliasModels> {
    return [...this.aliasCells].map(([alias, cell]) => ({
      alias,
      models: namesOf(cell.current),
      otherwise: cell.current?.otherwise ?? "fail",
      swapped: cell.current !== cell.written,
    }))
  }

  /** Every stage that can ask a model. */
  get stages(): ReadonlyArray<StageModels> {
    return [...this.stageCells].map(([stage, cell]) => ({
      stage,
      ...(cell.alias === undefined || cell.current !== undefined ? {} : { alias: cell.alias }),
      models: namesOf(this.ofStage(cell)),
      swapped: cell.current !== cell.written,
    }))
  }

  /** Oldest first. Kept as long as the workflow is loaded. */
  get history(): ReadonlyArray<Swap> {
    return this.entries
  }

  /**
   * The next call of the stage, or of every stage with the alias, asks these models instead. Calls under way
   * end as they began. Settings such as `temperature` and `otherwise` stay. Throws `SwapRefused`.
   */
  swap(target: SwapTarget, models: string | ReadonlyArray<string>, reason: SwapReason): Swap {
    const found = this.find(target)
    const names = typeof models === "string" ? [models] : models
    const choices = names.map((name) => this.choice(name))
    if (choices.length === 0) throw new SwapRefused({ message: "name at least one model" })
    const now = found.stage === undefined ? found.cell.current : this.ofStage(found.cell)
    for (const name of names) {
      const levels = unsupportedReasoning(now?.reasoning, factsOf(name, this.facts))
      if (levels === undefined) continue
      throw new SwapRefused({
        message: `"${name}" does not support reasoning: ${now?.reasoning}; it supports: ${levels.join(", ")}`,
      })
    }
    return this.put(found, { ...(now ?? unsetModel), choices }, reason)
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
    { by, why }: SwapReason,
    undoes?: number,
  ): Swap {
    const seen = () => namesOf("stage" in at ? this.ofStage(cell) : cell.current)
    const before = seen()
    if (undoes === undefined) {
      this.undoable.push({ entry: this.entries.length, cell, previous: cell.current })
    }
    cell.current = next
    const swap: Swap = {
      at: this.now(),
      ...at,
      before,
      after: seen(),
      by,
      why,
      ...(undoes === undefined ? {} : { undoes }),
    }
    this.entries.push(swap)
    return swap
  }

  private ofStage(cell: Cell): ResolvedModel | undefined {
    const { alias } = cell as StageCell
    return cell.current ?? (alias === undefined ? undefined : this.aliasCells.get(alias)?.current)
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
