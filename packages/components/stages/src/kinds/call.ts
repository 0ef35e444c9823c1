/** Stage kind `call`: calls one tool. */
import { stageKind } from "@planloom/plugin/effect"
import type { JsonObject } from "@planloom/plugin/effect"
import { refersTo, withSummary } from "@planloom/stage-kit"
import { repairCall } from "../repairCall.ts"
import { reuse, reuseOf, reuses, type Reuse } from "../reuse.ts"

interface Input {
  readonly tool: string
  readonly params: JsonObject
  readonly inputs: JsonObject
  readonly reuse: Reuse
}

export const call = stageKind<Input>({
  id: "call",
  summary: "Calls one tool.",
  // What the tool gives is its data, unless a model wrote what it is given.
  relays: true,
  input: {
    type: "object",
    additionalProperties: false,
    required: ["tool"],
    properties: {
      tool: { type: "string", minLength: 1 },
      params: { type: "object", default: {}, description: "the tool's arguments" },
      inputs: { type: "object", default: {}, description: "slot → data" },
      reuse,
    },
  },
  expects: ({ tool }, receivers) => ({
    params: typeof tool === "string" ? receivers.tool(tool) : undefined,
  }),
  /** The result of the tool, when its name is written out. */
  output: ({ tool }, known) =>
    (typeof tool === "string" ? known.toolResult(tool) : undefined) ?? true,
  reuses,
  refers: refersTo({ tool: "tool" }),
  asks: ({ with: { tool } }) => ({
    calls: 1,
    ...(typeof tool === "string" ? { tools: [tool] } : {}),
  }),
  run: withSummary(
    ({ tool, params, inputs, reuse: from }, context) =>
      context.callTool({
        tool,
        params,
        inputs,
        key: "call",
        repair: repairCall,
        ...reuseOf(from),
      }),
    (output, _, { calls }) => (output === null ? undefined : calls.at(-1)?.summary),
  ),
})
