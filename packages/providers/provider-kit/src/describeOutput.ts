/** Adds the requested JSON Schema to the prompt, for forms that do not send it to the service as a schema. */
import type { ModelRequest, SystemBlock } from "@planloom/plugin/effect"

/** After the stable system text, so that the prefix of equal requests stays equal. Services require the word JSON. */
export const describeOutput = (request: ModelRequest): ModelRequest => {
  const { output, system } = request
  if (output === undefined || output.described === true) return request
  const end = system.findLastIndex(({ cache }) => cache === true) + 1 || system.length
  const block: SystemBlock = {
    text:
      typeof output.schema === "boolean"
        ? "Reply with JSON and nothing else."
        : `Reply with JSON and nothing else: one value that is valid under this JSON Schema.\n${JSON.stringify(output.schema)}`,
  }
  return { ...request, system: [...system.slice(0, end), block, ...system.slice(end)] }
}
