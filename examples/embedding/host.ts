/** A host in under thirty lines: loads a workflow, runs it, shows events as they happen. */
import { loadWorkflow } from "@planloom/embed"
import type { Greeting } from "./greeting.types.ts"

const workflow = await loadWorkflow<Greeting>(`${import.meta.dirname}/greeting.yaml`)

// Ctrl-C reaches every stage and tool that is at work.
const cancel = new AbortController()
process.once("SIGINT", () => cancel.abort())

const events = workflow.events({ names: ["Ada", "Lin"] }, { signal: cancel.signal })
for await (const event of events) {
  if (event.type === "StageFinished") console.log(`${event.path} done`)
}

const { outputs, usage } = await events.result
console.log(outputs.text)
console.log(`${usage.modelCalls} model calls, ${usage.toolCalls} tool calls`)
await workflow.close()
