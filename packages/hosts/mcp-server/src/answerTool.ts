/** The tool that answers a question of a run that waits, for clients that show no forms. */
import type { Tool } from "@modelcontextprotocol/server"
import { ANSWER_TOOL } from "./names.ts"
import { resultSchema } from "./workflowTool.ts"

export const answerTool: Tool = {
  name: ANSWER_TOOL,
  description:
    "Answers a question of a run that waits, and gives the result of the run as the tool that started it does. Ask the user what you do not know. Approvals are given by a person elsewhere.",
  inputSchema: {
    type: "object",
    properties: {
      run: { type: "string", description: "Id of the run" },
      question: { type: "string", description: "Name of the question" },
      value: { description: "The answer; it has to fit the schema of the question" },
    },
    required: ["run", "question", "value"],
    additionalProperties: false,
  },
  outputSchema: resultSchema({ type: "object" }),
}
