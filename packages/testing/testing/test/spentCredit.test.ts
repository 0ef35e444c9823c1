/** Chains of models in which one has no credit left, with the real SDKs. */
import { assert, describe, it } from "vitest"
import { runOnWire } from "./wireWorkflow.ts"

const chain = (models: string) => `
models: { m: { try: [${models}] } }
stages: [{ id: say, uses: generate, model: m, retry: { on: [rate_limit], max_retries: 2 }, with: { task: Say it. } }]
outputs: { text: { type: string, value: "\${{ stages.say.output.text }}" } }
`

const quota = "You exceeded your current quota, please check your plan and billing details."

const spent = {
  anthropic: {
    status: 400,
    message: "Your credit balance is too low to access the Anthropic API.",
  },
  openai: {
    message: quota,
    raw: {
      status: 429,
      body: { error: { message: quota, type: "insufficient_quota", code: "insufficient_quota" } },
    },
  },
  openrouter: { status: 402, message: "Insufficient credits" },
}

describe.each(Object.entries(spent))("spent credit of %s", (service, answer) => {
  it("calls the next model without a retry", async () => {
    const ran = await runOnWire(chain(`${service}/small, llamacpp/other`), {
      answers: [answer, { text: "hello" }],
    })
    assert.deepStrictEqual(ran.outputs, { text: "hello" })
    assert.lengthOf(ran.requests, 2)
  })

  it("is named with the failure of the last model", async () => {
    const ran = await runOnWire(chain(`${service}/small, llamacpp/other`), {
      answers: [answer, { status: 401, message: "who are you" }],
    })
    assert.strictEqual(ran.failure?.class, "auth")
    assert.include(ran.failure?.message, "who are you")
    assert.include(
      ran.failure?.message,
      `tried before: ${service}/small: auth: ${answer.message.slice(0, -1)}`,
    )
  })
})
