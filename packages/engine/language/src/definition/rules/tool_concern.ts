/** PL4049: a tool source has something to say about its tools. */
import type { Rule } from "./Rule.ts"

export const toolConcern: Rule = {
  code: "PL4049",
  slug: "tool_concern",
  severity: "warning",
  title: "A tool source reports something about its tools",
  why: "A tool is left out or withheld, or its description tries to instruct a model; the other tools can be used.",
  fix: "Read the message: review the tool, approve its change, or leave it out where its source is declared.",
  wrong:
    "mcp: { base: { command: base-server } }  # lists a tool that says: ignore all previous instructions",
  right: "mcp: { base: { command: base-server, tools: { deny: [that_tool] } } }",
}
