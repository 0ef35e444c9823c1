/** An attempt as its model calls see it. */
import type { Effect } from "effect/Effect"
import type { Failure, JsonObject, StageContext } from "@planloom/plugin/effect"
import type { LiveTools, ToolRegistry } from "@planloom/language"
import type { HookSite } from "../../../hook/HookSite.ts"
import type { CallSite } from "../../../model/CallSite.ts"
import type { KindWork } from "../../../pipeline/Pipeline.ts"
import type { ExampleSearch } from "@planloom/prompt"
import type { BuiltRecord } from "../../../tool/identity/CallList.ts"
import type { DefaultsScope } from "../../../tool/ToolExpressions.ts"
import type { Frame } from "../../Frame.ts"
import type { KindOccurrence } from "../Occurrence.ts"
import type { NamedUse, ReviewModel } from "./reviewOne.ts"

export interface ModelSite extends CallSite, DefaultsScope {
  readonly attempt: number
  readonly occurrence: KindOccurrence
  readonly frame: Frame
  readonly work: KindWork
  readonly registry: ToolRegistry
  /** Takes the newest tools, between the turns of a loop. */
  readonly newestTools: (live: LiveTools) => Effect<void>
  readonly hookSite: HookSite
  /** The model of a reviewer of a reply. */
  readonly reviewModel: (path: string, use: NamedUse, isInside: boolean) => ReviewModel
  /** Adds to a record of a call of the attempt what the attempt knows of it besides its outcome. */
  readonly complement: (record: BuiltRecord) => void
  /** For the tools that a model calls. */
  readonly callTool: StageContext["callTool"]
  /** Reads documents of the workflow, each at most once in the attempt. */
  readonly readDocuments: (names: ReadonlySet<string> | "all") => Effect<JsonObject, Failure>
  /** Records a search that calls an embedder. */
  readonly recorded: ExampleSearch["recorded"]
  /** Reasoning of its models is in no event. */
  readonly hidesReasoning?: boolean
}
