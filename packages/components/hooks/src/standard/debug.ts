/** The hook `debug`: asks the model to explain itself, for users who debug. */
import { textHook } from "./addText.ts"

const TEXT = `## DEBUG MODE ACTIVE
- Log your reasoning before each tool call.
- Explain why you chose this tool over alternatives.
- Note any ambiguity in the user's request.`

export const debug = textHook<{
  readonly users?: ReadonlyArray<string | number>
  readonly text?: string
}>({
  id: "debug",
  summary: "Asks the model to explain its choices, for some users.",
  priority: 50,
  properties: {
    users: {
      type: "array",
      items: { type: ["string", "integer"] },
      description: "Values of `user.id`; every user unless written.",
    },
    text: {
      type: "string",
      minLength: 1,
      description: "The instructions, in place of the usual ones.",
    },
  },
  stable: true,
  text: ({ user, with: { text = TEXT, users } }) =>
    users === undefined || users.includes(user["id"] as string) ? text : undefined,
})
