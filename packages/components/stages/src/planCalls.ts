/** Tool calls of a plan in the output of `execute`, in the order of its steps. */
import type { CallRecord, Json, JsonSchema, StageContext } from "@planloom/plugin/effect"
import type { Step } from "@planloom/planning"
import { asJson, text } from "@planloom/stage-kit"
import { madeCall, madeCalls } from "./madeCalls.ts"

const entity = {
  type: "object",
  required: ["type", "id", "name"],
  properties: { type: text, id: text, name: text },
} as const satisfies JsonSchema

export const planCall = {
  ...madeCall,
  required: ["step", ...madeCall.required],
  properties: {
    step: { ...text, description: "the id of a step, or of an item of one: pairs[1]" },
    ...madeCall.properties,
    from: { enum: ["made"], description: "an equal call of the run has answered it" },
    refused: { enum: [true], description: "it did not reach its tool" },
    entities: { type: "array", items: entity },
  },
} as const satisfies JsonSchema

/** The last call for each step and item, also one that was refused or answered by an equal one. */
export const planCalls = (
  steps: ReadonlyArray<Step>,
  { calls, path }: StageContext,
): ReadonlyArray<Json> => {
  const byKey = new Map<string, CallRecord>()
  for (const call of calls) if (call.path === path) byKey.set(call.key, call)
  return steps
    .flatMap((step) => callsOf(step, byKey))
    .map((call) => {
      const [made] = madeCalls([call]) as readonly [object]
      const { entities, from, key, refused } = call
      return asJson({
        step: key,
        ...made,
        ...(from === undefined ? {} : { from }),
        ...(refused === undefined ? {} : { refused }),
        ...(entities === undefined ? {} : { entities }),
      })
    })
}

const callsOf = (
  { each, id }: Step,
  byKey: ReadonlyMap<string, CallRecord>,
): ReadonlyArray<CallRecord> => {
  const own = byKey.get(id)
  if (own !== undefined || each === undefined) return own === undefined ? [] : [own]
  const items: Array<CallRecord> = []
  for (let at = 0; ; at++) {
    const item = byKey.get(`${id}[${at}]`)
    if (item === undefined) return items
    items.push(item)
  }
}
