/** Tools of a workflow whose sources may list others later: the newest lists, and those of a record. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Json, JsonObject, Tool } from "@planloom/plugin/effect"
import { loadedOnce } from "@planloom/plugin/late"
import { canonicalJson, isObject } from "@planloom/schema"
import {
  listProblems,
  readToolList,
  relisted,
  type ListedTools,
  type ListProblem,
} from "./listTools.ts"
import { mergeTools, type ToolRegistry } from "./ToolRegistry.ts"

/** Loaded for a source that reports changes. */
const streamModule = loadedOnce(() => import("effect/Stream"))

/** Lists that are read at once of one source: an answer that never comes must not keep later ones away. */
const MAX_UNDER_WAY = 2

/** Tools at one moment; never changes. */
export interface ToolSnapshot {
  readonly registry: ToolRegistry
  /** The lists of the sources that may change, by source, for a record. */
  readonly lists: Json
  /** Equal for equal lists. */
  readonly digest: string
  readonly problems: ReadonlyArray<ListProblem>
}

export interface LiveTools {
  /** The tools as they are known now. */
  readonly snapshot: () => ToolSnapshot
  /** The tools with lists of a record, in place of the present ones of their sources. */
  readonly recorded: (lists: Json) => ToolRegistry
}

class Snapshot implements ToolSnapshot {
  private readonly listed: ReadonlyArray<ListedTools>
  private readonly catalog: ReadonlyArray<Tool>
  private madeRegistry: ToolRegistry | undefined
  private madeDigest: string | undefined

  constructor(listed: ReadonlyArray<ListedTools>, catalog: ReadonlyArray<Tool>) {
    this.listed = listed
    this.catalog = catalog
  }

  get registry(): ToolRegistry {
    return (this.madeRegistry ??= mergeTools(this.listed, this.catalog))
  }

  get lists(): Json {
    return Object.fromEntries(
      this.listed.flatMap(({ open, problem, source, tools }) =>
        isLive(source)
          ? [
              [
                source.id,
                {
                  tools,
                  ...(open === undefined ? {} : { open }),
                  ...(problem === undefined ? {} : { problem }),
                },
              ],
            ]
          : [],
      ),
    ) as unknown as Json
  }

  get digest(): string {
    return (this.madeDigest ??= digestOf(canonicalJson(this.lists)))
  }

  get problems(): ReadonlyArray<ListProblem> {
    return listProblems(this.listed)
  }

  withList(index: number, found: ListedTools): Snapshot {
    return new Snapshot(this.listed.with(index, found), this.catalog)
  }

  withLists(lists: Json): Snapshot {
    const given = isObject(lists) ? lists : {}
    const listed = this.listed.map((one) => {
      const recorded = Object.hasOwn(given, one.source.id) ? given[one.source.id] : undefined
      return isObject(recorded) ? recordedList(one, recorded) : one
    })
    return new Snapshot(listed, this.catalog)
  }
}

const recordedList = ({ source }: ListedTools, recorded: JsonObject): ListedTools => {
  const { problem } = recorded
  const list = readToolList(source, recorded)
  return typeof problem === "string" ? { ...list, problem } : list
}

/** Node's cryptography is loaded with the first list that is recorded. */
const digestOf = (text: string): string =>
  process.getBuiltinModule("node:crypto").hash("sha256", text)

/** Whether its list may be another one later in this process, or in the next one that resumes a run. */
const isLive = ({ changes, known }: ListedTools["source"]): boolean =>
  changes !== undefined || known !== undefined

/** Undefined if the lists of all sources are fixed. A source that cannot list its tools keeps the earlier ones. */
export const liveTools = (
  listed: ReadonlyArray<ListedTools>,
  catalog: ReadonlyArray<Tool>,
): Effect.Effect<LiveTools | undefined, never, Scope> =>
  Effect.gen(function* () {
    if (!listed.some(({ source }) => isLive(source))) return undefined
    let current = new Snapshot(listed, catalog)
    for (const [index, { source }] of listed.entries()) {
      if (source.changes === undefined) continue
      const { runForEach } = yield* streamModule()
      const first = listed[index]!.tools
      const relists = new Relists(source, (found) => {
        current = current.withList(index, withMissing(found, first))
      })
      const watch = runForEach(source.changes, () => relists.changed)
      yield* Effect.forkScoped(
        Effect.catchDefect(watch, (error) =>
          Effect.logWarning(
            `the tool source "${source.id}" reports no more changes: ${String(error)}`,
          ),
        ),
      )
    }
    return {
      snapshot: () => current,
      recorded: (lists) => current.withLists(lists).registry,
    }
  })

/** The list with tools that the workflow was checked with and that are no longer listed: unavailable, rather than unknown. */
const withMissing = (found: ListedTools, checked: ReadonlyArray<Tool>): ListedTools => {
  const names = new Set(found.tools.map(({ name }) => name))
  const missing = checked.flatMap(({ name }) => (names.has(name) ? [] : [name]))
  return missing.length === 0 ? found : { ...found, open: [...(found.open ?? []), ...missing] }
}

/** Reads the list of a source after its changes: a few times at once, and an older answer never replaces a newer one. */
class Relists {
  private readonly source: ListedTools["source"]
  private readonly use: (found: ListedTools) => void
  private generation = 0
  private newest = 0
  private underWay = 0
  private isAgain = false

  constructor(source: ListedTools["source"], use: (found: ListedTools) => void) {
    this.source = source
    this.use = use
  }

  readonly changed: Effect.Effect<unknown, never, Scope> = Effect.suspend(() => {
    if (this.underWay >= MAX_UNDER_WAY) {
      this.isAgain = true
      return Effect.void
    }
    this.underWay++
    return Effect.forkScoped(this.relist(++this.generation))
  })

  private relist(own: number): Effect.Effect<unknown, never, Scope> {
    return Effect.flatMap(relisted(this.source), (found) => {
      this.underWay--
      const again = this.isAgain
      this.isAgain = false
      return Effect.andThen(this.took(own, found), again ? this.changed : Effect.void)
    })
  }

  private took(own: number, found: ListedTools): Effect.Effect<void> {
    const { problem, tools } = found
    if (problem !== undefined && tools.length === 0) {
      return Effect.logWarning(`the tool source "${this.source.id}" ${problem}`)
    }
    if (own > this.newest) {
      this.newest = own
      this.use(found)
    }
    return Effect.void
  }
}
