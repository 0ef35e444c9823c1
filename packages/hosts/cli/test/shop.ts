/** A project whose workflow plans calls, makes them, and reflects on them: runs for reviews, examples and thresholds. */
import { mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wireServer, type WireAnswer, type WireServer } from "@planloom/testing"
import { planloom, trusting, type Outcome } from "./planloom.ts"

const plugin = `
import { definePlugin, tool, toolSource } from "@planloom/plugin"
const text = { type: "string" } as const
const find = tool({
  name: "find_items", summary: "Finds items of the shop.", effect: "read",
  params: { type: "object", properties: { query: text }, required: ["query"] },
  run: async ({ query }) => ({ items: query === "tea" ? [{ id: "t1", name: "Assam" }] : [] }),
})
const price = tool({
  name: "item_price", summary: "The price of an item.", effect: "read",
  params: { type: "object", properties: { id: text }, required: ["id"] },
  run: async ({ id }) => ({ id, price: 4 }),
})
export default definePlugin({
  id: "shop", summary: "A shop.",
  components: { tools: [toolSource({ id: "shop", summary: "Tools of a shop.", tools: [find, price] })] },
})
`

export const workflow = `apiVersion: planloom/v1
kind: Workflow
name: shop
use: { plugins: ["@planloom/stages", "@planloom/retrieval", "@planloom/provider-openai", ../shop.ts] }
secrets: [OPENAI_API_KEY]
inputs:
  message: { type: string }
  email: { type: string, default: none, personal: true }
models: { planner: { try: [openai/gpt-4.1-mini] } }
defaults: { model: planner }
session:
  window: 3
  request: "\${{ inputs.message }}"
  assistant: "\${{ stages.answer.output }}"
  state: { asked: { type: integer, default: 0, value: "\${{ session.state.asked + 1 }}" } }
stages:
  - id: plan
    uses: plan
    with: { request: "\${{ inputs.message }}", calling: json, confidence: { threshold: 0.5 } }
  - id: work
    repeat:
      carry: { plan: "\${{ stages.plan.output.plan }}" }
      until: stages.review.output.done
      next: { plan: "\${{ stages.review.output.plan }}" }
      max_iterations: 2
      on_exhausted: continue
    stages:
      - { id: results, uses: execute, with: { plan: "\${{ iter.plan }}", on_step_error: keep } }
      - id: review
        uses: reflect
        with:
          request: "\${{ inputs.message }}"
          plan: "\${{ iter.plan }}"
          results: "\${{ stages.results.output }}"
          round: "\${{ iter.index }}"
          rounds: 2
          wishes: { price: { words: { en: [price, cost] }, tools: [item_price] } }
          rules:
            - id: prices
              when: '"price" in wishes && "find_items" in called'
              reason: the price is unknown
              then: [{ id: found_price, tool: item_price, params: { id: { $from: item, path: id } }, each: { over: { $from: find_items, path: items }, as: item, limit: 2 } }]
  - { id: answer, uses: set, with: { value: "\${{ join(stages.results.output.calls.map(call, call.tool), ', ') }}" } }
outputs:
  answer: { type: string, value: "\${{ stages.answer.output }}" }
  to: { type: string, value: "\${{ inputs.email }}" }
`

/** The model's plan for a request with this text: a search of items by each query. */
export const planned = (
  when: string,
  confidence: number,
  ...queries: ReadonlyArray<string>
): WireAnswer => ({
  when,
  text: JSON.stringify({
    confidence,
    clarification: "Which item?",
    plan: {
      steps: queries.map((query, at) => ({
        id: at === 0 ? "found" : `found_${at}`,
        tool: "find_items",
        params: { query },
      })),
    },
  }),
})

export interface Shop {
  readonly folder: string
  readonly server: WireServer
  readonly command: (...args: ReadonlyArray<string>) => Promise<Outcome>
  readonly write: (path: string, text: string) => Promise<void>
  /** Starts a run with a message and returns its id. */
  readonly ask: (message: string, ...args: ReadonlyArray<string>) => Promise<string>
}

export const openShop = async (source = workflow): Promise<Shop> => {
  const server = await wireServer()
  const folder = await realpath(await mkdtemp(join(tmpdir(), "planloom-shop-")))
  const write = (path: string, text: string) => writeFile(join(folder, path), text)
  const command = (...args: ReadonlyArray<string>) =>
    planloom(args, { cwd: folder, env: { OPENAI_API_KEY: "sk-of-the-shop" } })
  await mkdir(join(folder, "workflows"))
  await symlink(
    join(import.meta.dirname, "../../../../examples/plugin/node_modules"),
    join(folder, "node_modules"),
  )
  const project = {
    apiVersion: "planloom/v1",
    kind: "Project",
    plugins: {
      "@planloom/provider-openai": { servers: { openai: { base_url: `${server.url}/v1` } } },
    },
  }
  await write("planloom.yaml", JSON.stringify(project))
  await write("shop.ts", plugin)
  await write("workflows/shop.yaml", source)
  await trusting(folder)
  return {
    folder,
    server,
    command,
    write,
    ask: async (message, ...args) => {
      await command("run", "workflows/shop.yaml", "--input", `message=${message}`, ...args)
      const { stdout } = await command("runs", "list", "--limit", "1", "--json")
      return (JSON.parse(stdout) as ReadonlyArray<{ readonly run: string }>)[0]!.run
    },
  }
}
