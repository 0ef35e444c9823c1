/** The tools of a request as chat completions and Ollama declare them: functions with a schema of their arguments. */
import type { JsonObject, ModelRequest } from "@planloom/plugin/effect"

/** Nothing for a request without tools: services refuse an empty list. */
export const functionTools = ({ tools = [] }: ModelRequest) =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map(({ description, name, parameters }) => ({
          type: "function" as const,
          function: {
            name,
            description,
            parameters: (typeof parameters === "boolean"
              ? { type: "object" }
              : parameters) as JsonObject,
          },
        })),
      }
