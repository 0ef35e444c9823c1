/** A served workflow as a tool: its name, its description, and the schemas of what it takes and gives. */
import type { Tool } from "@modelcontextprotocol/server"
import type { Json, JsonObject, JsonSchema } from "@planloom/plugin/effect"
import { nestedSchema } from "@planloom/schema"
import type { ServedWorkflow } from "./Api.ts"

const session: JsonSchema = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "Name of the conversation that this call is a turn of; the same name continues it",
}

export const workflowTool = (workflow: ServedWorkflow): Tool => {
  const { description, inputs, name, outputs } = workflow
  const schema = inputs as JsonObject
  return {
    name,
    description: description ?? `Runs the workflow ${name}.`,
    inputSchema: {
      ...schema,
      type: "object",
      ...(takesSession(workflow)
        ? { properties: { ...(schema["properties"] as JsonObject), session } }
        : {}),
    } as Tool["inputSchema"],
    outputSchema: resultSchema(outputs),
  }
}

/** An input of the same name keeps its meaning; sessions are then for other clients. */
const takesSession = ({ inputs, session: hasSessions }: ServedWorkflow): boolean =>
  hasSessions === true &&
  !Object.hasOwn(((inputs as JsonObject)["properties"] ?? {}) as JsonObject, "session")

/** The arguments of a call as the body that starts the run. */
export const startBody = (
  workflow: ServedWorkflow,
  given: JsonObject,
): { readonly inputs: JsonObject; readonly session?: Json } => {
  if (!takesSession(workflow)) return { inputs: given }
  const { session: named, ...inputs } = given
  return { inputs, ...(named === undefined ? {} : { session: named }) }
}

/** Of the structured result: a run that waits for an answer has no outputs, or not all of them. */
export const resultSchema = (outputs: JsonSchema): NonNullable<Tool["outputSchema"]> =>
  ({
    type: "object",
    properties: {
      run: { type: "string" },
      status: { enum: ["succeeded", "waiting"] },
      outputs: nestedSchema(outputs, "/properties/outputs"),
      notes: { type: "array", items: { type: "string" } },
      degraded: { type: "array", items: { type: "string" } },
      questions: { type: "array", items: { type: "object" } },
    },
    required: ["run", "status"],
  }) as NonNullable<Tool["outputSchema"]>
