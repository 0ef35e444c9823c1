/** The tool calls of one attempt beside those of the run and of earlier attempts of its stage, which may answer them. */
import {
  transientFailures,
  type FailureRecord,
  type Tool,
  type ToolReuse,
} from "@planloom/plugin/effect"
import type { RegisteredTool, ToolRegistry } from "@planloom/language"
import type { CallIdentity, Hiding } from "./CallIdentity.ts"
import type { CallsOfStage } from "./CallsOfStage.ts"
import type { KnownTools, MadeCall, MadeCalls } from "./MadeCalls.ts"
import { writes } from "../writes.ts"

/** The knowledge of an attempt about the calls of its stage. */
export interface AttemptCalls {
  readonly run: MadeCalls
  /** Calls of all attempts of the stage occurrence in this process, with their results. */
  readonly stage: CallsOfStage
  readonly path: string
  /** Names of its calls begin with it. */
  readonly attemptPath: string
  /** Of the workflow now. */
  readonly tools: () => ToolRegistry
  /** The failure of the attempt before it. */
  readonly previous: FailureRecord | undefined
  readonly hiding: Hiding
  /** Number of the workflow in the run. */
  readonly workflow: number
  /** Whether calls of other stages may be answered by its calls. */
  readonly keepsResults: boolean
}

export class StageCalls {
  readonly given: AttemptCalls
  /** Calls of earlier attempts that have answered a call of this one: each answers once. */
  private used: Set<MadeCall | string> | undefined

  constructor(given: AttemptCalls) {
    this.given = given
  }

  /** No call can answer this one, unless calls of the whole run do. */
  isFirst(identity: CallIdentity): boolean {
    const { run, stage } = this.given
    if (run.isResumed) return false
    return stage.isOf(this) || stage.others(identity.key, this).length === 0
  }

  /** The call that answers this one; undefined if it has to be made. */
  answerTo(
    identity: CallIdentity,
    { tool }: RegisteredTool,
    asked: ToolReuse | undefined,
  ): MadeCall | undefined {
    const { run } = this.given
    const isFresh = tool.reuse === "never" || asked === "never"
    for (const call of this.ofEarlierAttempts(identity)) {
      // A retry never repeats a write. What it reads again has to be as it was.
      if (this.mayRepeat(call, tool) || !(call.writes || (!isFresh && run.holds(call)))) continue
      ;(this.used ??= new Set()).add(call.name ?? call)
      return call
    }
    if (isFresh || !(asked === "run" || tool.reuse === "run")) return undefined
    const equal = run.equal(identity, this.known).filter((call) => run.holds(call))
    return (
      equal.findLast(({ failure }) => failure === undefined) ??
      equal.findLast((call) => !(this.isOfEarlierAttempt(call) && this.mayRepeat(call, tool)))
    )
  }

  get known(): KnownTools {
    const registry = this.given.tools()
    return (name) => {
      const { source, tool } = registry.get(name) ?? {}
      return source === undefined || tool === undefined
        ? undefined
        : {
            source: source.id,
            writes: writes(tool),
            canChange: changing(registry).has(source.id),
          }
    }
  }

  /** Records a call that reached its tool. */
  add(call: MadeCall, tool: Tool): void {
    const { keepsResults, run, stage } = this.given
    stage.add(call)
    if (keepsResults || tool.reuse === "run") run.add(call)
  }

  private ofEarlierAttempts(identity: CallIdentity): ReadonlyArray<MadeCall> {
    const { run, stage } = this.given
    const before = run.before(identity, this.known).filter((call) => this.isOfEarlierAttempt(call))
    return [...before, ...stage.others(identity.key, this)].filter(
      (call) => this.used?.has(call.name ?? call) !== true,
    )
  }

  private isOfEarlierAttempt({ attempt, name, path }: MadeCall): boolean {
    const { attemptPath, path: own } = this.given
    if (path !== own) return false
    return name === undefined ? attempt !== this : !name.startsWith(`${attemptPath}/tool:`)
  }

  /** Whether a retry makes it again: a read whose failure may pass, or is the one that the retry is for. */
  private mayRepeat({ failure, writes: isWrite }: MadeCall, { idempotent }: Tool): boolean {
    if (failure === undefined || (isWrite && idempotent !== true)) return false
    return transientFailures.includes(failure.class) || failure.class === this.given.previous?.class
  }
}

const sources = new WeakMap<ToolRegistry, ReadonlySet<string>>()

/** Ids of the sources that have a tool which writes. */
const changing = (registry: ToolRegistry): ReadonlySet<string> => {
  let found = sources.get(registry)
  if (found === undefined) {
    found = new Set(
      [...registry.values()].flatMap(({ source, tool }) =>
        source !== undefined && writes(tool) ? [source.id] : [],
      ),
    )
    sources.set(registry, found)
  }
  return found
}
