/** Stage kinds of other tools, and what does their work here. */

import { snakeCase } from "@planloom/expression/suggestion"

const tool = (name: string, params: string): string =>
  `uses: call, with: { tool: ${name}, params: ${params} }`

const request = `${tool("http_get", '{ url: "https://…" }')}, of the plugin @planloom/tools-http`
const code =
  "no stage runs a command or code of the file: write a tool in a plugin (planloom new tool), and run it with uses: call"
const generate = "uses: generate, with: { task: … }"
const loop = "write for_each: on a stage, such as for_each: inputs.items"
const choice = "write if: on a stage; of several cases one runs with uses: switch"
const approve = "uses: approve, with: { message: … }"

const words: { readonly [advice: string]: string } = {
  [request]: "http https http_request request fetch api rest webhook curl get post url",
  [code]: "shell bash sh command cmd exec script python javascript js node code function lambda",
  [generate]:
    "llm prompt chat completion complete ai gpt ask model openai anthropic text summarize summarise write",
  [choice]: "if condition conditional branch when case else",
  [loop]: "loop foreach for each map iterate for_each batch",
  "write stages: with needs:, which makes a graph; for_each: runs its items in parallel":
    "parallel concurrent all group sequence steps block",
  [approve]: "human input approval confirm manual ask_user question wait_for_approval",
  "uses: wait, with: { for: 10s }": "sleep delay pause timer",
  "uses: emit, with: { name: note, message: … }": "log print echo notify message debug",
  "uses: set, with: { value: … }":
    "assign let variable var transform template format output return value",
  "uses: workflow, with: { path: … }": "subworkflow call_workflow run_workflow include import flow",
  [tool("…", "{ … }")]: "tool tool_call use_tool action invoke",
  "uses: search, of the plugin @planloom/documents": "rag retrieve retrieval vector_search lookup",
  "uses: generate, with: { task: …, schema: { … } } gives data in a shape":
    "classify extract_data parse json structured",
}

/** Words for the same work, whose keys have a name here, too. */
const same: { readonly [kind: string]: string } = {
  generate: "llm prompt chat completion chat_completion text_generation",
  approve: "approval human_approval wait_for_approval manual_approval request_approval confirm",
  workflow: "subworkflow sub_workflow call_workflow run_workflow",
  wait: "sleep delay pause",
  call: "tool_call call_tool use_tool",
}

/** The kind that does the same as one that only other tools have. */
export const sameKind = (name: string): string | undefined =>
  Object.keys(same).find((kind) => same[kind]!.split(" ").includes(snakeCase(name)))

const advices = new Map(
  Object.entries(words).flatMap(([advice, list]) =>
    list.split(" ").map((word) => [word, advice] as const),
  ),
)

/** The text to write in place of a kind that only other tools have; undefined for any other name. */
export const foreignKind = (name: string): string | undefined =>
  advices.get(name.toLowerCase().replaceAll("-", "_"))
