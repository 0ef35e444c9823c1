/** A stage as the site of its tool loop. Its functions are the class's: a closure for each would take longer than a call. */
import type {
  AgentLimits,
  Ask,
  Json,
  JsonObject,
  JsonSchema,
  ModelReply,
  StageContext,
  Tool,
} from "@planloom/plugin/effect"
import type { AgentSite } from "../../../agent/AgentSite.ts"
import { suggest } from "@planloom/expression/suggestion"
import { readReply } from "../../../reply/readReply.ts"
import type { BuiltRecord } from "../../../tool/identity/CallList.ts"
import { callParams } from "../../../tool/callParams.ts"
import { summarize } from "../../../tool/ToolExpressions.ts"
import { writes } from "../../../tool/writes.ts"
import type { ModelSite } from "./ModelSite.ts"
import { noteDocumentation } from "./promptNotes.ts"

interface Asks {
  readonly askInLoop: AgentSite["ask"]
  readonly complete: (
    ask: Ask,
    reply: ModelReply,
    continues: boolean,
  ) => ReturnType<AgentSite["complete"]>
}

export class LoopSite implements AgentSite {
  readonly path: string
  readonly writes = writes
  readonly suggest = suggest
  private readonly site: ModelSite
  private readonly limits: AgentLimits
  private readonly asks: Asks
  private readonly callTool: StageContext["callTool"]

  constructor(site: ModelSite, limits: AgentLimits, asks: Asks) {
    this.path = site.path
    this.site = site
    this.limits = limits
    this.asks = asks
    this.callTool = site.callTool
  }

  tool(name: string): Tool | undefined {
    return this.site.registry.get(name)?.tool
  }

  prepare(tool: Tool, params: JsonObject): JsonObject {
    return callParams(tool, params, this.site, this.limits.repair).params
  }

  summarize(tool: Tool, params: JsonObject, result: Json): string {
    return summarize(tool, params, result).summary
  }

  read(reply: ModelReply, schema: JsonSchema): ReturnType<AgentSite["read"]> {
    return readReply(reply, schema)
  }

  ask(ask: Ask, more: Parameters<AgentSite["ask"]>[1]): ReturnType<AgentSite["ask"]> {
    return this.asks.askInLoop(ask, more)
  }

  complete(ask: Ask, reply: ModelReply): ReturnType<AgentSite["complete"]> {
    return this.asks.complete(ask, reply, false)
  }

  call(one: Parameters<AgentSite["call"]>[0]): ReturnType<AgentSite["call"]> {
    const { repair, reuse } = this.limits
    return (repair ?? reuse) === undefined
      ? this.callTool(one)
      : this.callTool({
          ...one,
          ...(repair === undefined ? {} : { repair }),
          ...(reuse === undefined ? {} : { reuse }),
        })
  }

  complement(record: BuiltRecord): void {
    this.site.complement(record)
  }

  reportRead(tool: string): void {
    noteDocumentation(this.site, tool)
  }
}
