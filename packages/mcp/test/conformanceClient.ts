/**
 * The client that the conformance suite of the protocol starts: `node conformanceClient.ts URL`. It lists the tools of the
 * server, and calls each of them with arguments that the suite gives, or with some that fit the schema.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type {
  Answer,
  Json,
  JsonObject,
  JsonSchema,
  Question,
  ToolInvocation,
} from "@planloom/plugin/effect"
import { McpTools } from "../src/source.ts"
import { sampleOf } from "./sampleOf.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"))
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
  readonly toolCalls?: ReadonlyArray<{ readonly name: string; readonly arguments: JsonObject }>
}

const source = new McpTools({
  declared: () => ({
    root: folder,
    roots: [],
    files: () => [],
    sections: () => [
      { path: join(folder, "planloom.yaml"), value: { s: { url: process.argv.at(-1)! } } },
    ],
  }),
  secret: () => undefined,
  state: folder,
})

const callTool = (tool: string, params: JsonObject) =>
  Effect.result(
    source.call({
      tool,
      params,
      inputs: {},
      key: tool,
      workspace: folder,
      user: {},
      roots: [folder],
      variant: () => undefined,
      askNow: ({ schema = true }: Question): Effect.Effect<Answer> => {
        // Required fields alone: the others have the values that the server suggests.
        const [form = true] = (schema as { readonly anyOf?: ReadonlyArray<JsonSchema> }).anyOf ?? []
        return Effect.succeed({ value: sampleOf(form), by: "person", at: 0 })
      },
      progress: () => Effect.void,
    } as unknown as ToolInvocation),
  )

const work = Effect.gen(function* () {
  const { tools } = yield* source.list
  const calls =
    context.toolCalls?.map(({ arguments: params, name }) => ({ name: `s.${name}`, params })) ??
    tools.map(({ name, params }) => ({
      name,
      params:
        name === "s.json_schema_echo"
          ? {
              schema: tools.find((one) => one.name === "s.json_schema_2020_12_tool")
                ?.params as Json,
            }
          : (sampleOf(params) as JsonObject),
    }))
  for (const { name, params } of calls) yield* callTool(name, params)
})

await Effect.runPromise(Effect.ensuring(work, source.close))
rmSync(folder, { recursive: true })
