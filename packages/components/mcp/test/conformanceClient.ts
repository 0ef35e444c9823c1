/**
 * The client that the conformance suite of the protocol starts: `node conformanceClient.ts URL`. It lists the tools of the
 * server, and calls each of them with arguments that the suite gives, or with some that fit the schema.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type {
  Answer,
  Json,
  JsonObject,
  JsonSchema,
  Question,
  ToolInvocation,
} from "@planloom/plugin/effect"
import { logIn } from "../src/login/logIn.ts"
import { serverOf } from "../src/servers/readServers.ts"
import type { WrittenServer } from "../src/servers/Server.ts"
import { McpTools } from "../src/source.ts"
import { sampleOf } from "./sampleOf.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"))
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") as {
  readonly toolCalls?: ReadonlyArray<{ readonly name: string; readonly arguments: JsonObject }>
  readonly client_id?: string
  readonly client_secret?: string
}
const { client_id = "https://conformance-test.local/client-metadata.json", client_secret } = context
const secret = (name: string) => (name === "CLIENT" ? client_secret : undefined)
const declared: WrittenServer = {
  url: process.argv.at(-1)!,
  oauth: {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret: { secret: "CLIENT" } }),
  },
}

const source = new McpTools({
  declared: () => ({
    root: folder,
    roots: [],
    files: () => [],
    sections: () => [
      { path: join(folder, "planloom.yaml"), value: { s: declared as unknown as Json } },
    ],
  }),
  secret,
  state: folder,
})

/** A browser in which a person agrees at once. */
const browse = async (url: string): Promise<void> => {
  const { headers } = await fetch(url, { redirect: "manual" })
  const target = headers.get("location")
  if (target !== null) await fetch(target)
}

let logins = 0
/** Logs in when a server asks for it, as a person would: not without end. */
const loggedIn = async (): Promise<boolean> => {
  if (++logins > MAX_LOGINS) return false
  try {
    await logIn({
      server: serverOf("s", declared, join(folder, "planloom.yaml"), folder),
      secret,
      state: folder,
      signal: AbortSignal.timeout(10_000),
      show: (url) => void browse(url),
      onStray: () => {},
    })
    return true
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return false
  }
}
const MAX_LOGINS = 2

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
  let { partial, tools } = yield* source.list
  while (partial?.includes("mcp login") === true && (yield* Effect.promise(loggedIn)))
    ({ partial, tools } = yield* source.list)
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
  for (const { name, params } of calls) {
    let called = yield* callTool(name, params)
    while (
      Result.isFailure(called) &&
      called.failure.class === "auth" &&
      (yield* Effect.promise(loggedIn))
    )
      called = yield* callTool(name, params)
  }
})

await Effect.runPromise(Effect.ensuring(work, source.close))
rmSync(folder, { recursive: true })
