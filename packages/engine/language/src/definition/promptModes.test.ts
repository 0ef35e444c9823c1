/** Modes that every workflow has, by the prompts that it names. */
import { assert, describe, it } from "vitest"
import { promptModes } from "./promptModes.ts"

const withPrompts = (texts: { readonly [name: string]: string }) => ({
  prompts: new Map(
    Object.entries(texts).map(([name, text]) => [name, { name, path: `${name}.md`, text }]),
  ),
})

const seeded = withPrompts({
  flow_state: "${{ inputs.state }}",
  user_name: "${{ user.name }}",
  user_profile: "${{ user.tier }}",
  navigation: "Hand over.",
  routing_identity: "You route.",
  agent_summary: "Rates.",
  agent_description: "Explains rates.",
  task_instructions: "Do the task.",
  base_prompt: "You help.",
  another: "Not a section of these modes.",
})

describe("the modes of a workflow", () => {
  it("have the named sections that exist, those that change last", () => {
    const { full, minimal, routing } = promptModes({ modes: {} }, seeded)
    assert.deepStrictEqual(full?.sections, [
      "base_prompt",
      "agent_description",
      "navigation",
      "task",
      "user_profile",
      "flow_state",
    ])
    assert.deepStrictEqual(routing?.sections, [
      "routing_identity",
      "agent_summary",
      "navigation",
      "user_name",
    ])
    assert.deepStrictEqual(minimal?.sections, ["task_instructions"])
    assert.deepStrictEqual(
      [full, routing, minimal].map((mode) => mode?.tools),
      ["all", "navigation", "task"],
    )
  })

  it("have the stage's own prompt if no prompt has one of their names", () => {
    const modes = promptModes({ modes: {} }, withPrompts({ planner: "Plan." }))
    assert.deepStrictEqual(
      Object.entries(modes).map(([name, { sections }]) => [name, sections]),
      [
        ["full", ["task"]],
        ["routing", ["task"]],
        ["minimal", ["task"]],
      ],
    )
  })

  it("are those that the workflow declares, which replace modes of the same name", () => {
    const own = { sections: ["task"], tools: "none", max_tokens: 9, truncate: [] } as const
    const modes = promptModes({ modes: { routing: own, brief: own } }, seeded)
    assert.deepStrictEqual(Object.keys(modes), ["routing", "brief", "full", "minimal"])
    assert.strictEqual(modes["routing"], own)
  })
})
