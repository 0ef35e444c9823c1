/** Implements `planloom mcp import`: the servers of another client's file as a file of servers. */
import { readFile, writeFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { parseDocument, placeText, sourceFile, toYaml } from "@planloom/language"
import type { Json } from "@planloom/plugin/effect"
import type { Handler } from "../deferred.ts"
import { problem, unwritten } from "../Refused.ts"
import { plural } from "../terminal/quantity.ts"
import { print, say, stderr } from "../terminal/Screen.ts"
import { jsonFault } from "../project/jsonFault.ts"

export interface ImportFlags {
  readonly file: string
  readonly out: string | undefined
}

export const importServersFile: Handler<ImportFlags> = ({ file, out }) =>
  Effect.gen(function* () {
    const { default: stripComments } = yield* Effect.promise(() => import("strip-json-comments"))
    const text = yield* Effect.tryPromise({
      // As VS Code reads it. Spaces take the place of comments, so that places stay.
      try: async () =>
        stripComments((await readFile(file, "utf8")).replace(/^\uFEFF/, ""), {
          trailingCommas: true,
        }),
      catch: (error) => problem(`${file} cannot be read: ${(error as Error).message}`),
    })
    const value = yield* Effect.try({
      try: () => JSON.parse(text) as Json,
      // Without the parser's message, which shows the text around the fault.
      catch: () => problem(`${file}:${jsonFault(text)} is not JSON`),
    })
    const { importServers } = yield* Effect.promise(() => import("@planloom/mcp/manage"))
    const imported = importServers(value)
    if (imported === undefined) {
      return yield* problem(
        `${file} has no servers`,
        "they are expected under mcpServers or servers",
      )
    }
    const source = sourceFile(file, text)
    const { document } = parseDocument(source)
    for (const { message, path } of imported.notes) {
      const start = document?.spanOf(path, "key").start
      const place = start === undefined ? file : placeText({ file: source.path, start })
      say(`${place} ${path.map((key) => JSON.stringify(key)).join(".")} ${message}`)
    }
    const count = Object.keys(imported.servers).length
    if (count === 0) return yield* problem(`${file} has no server that can be imported`)
    const yaml = toYaml({
      apiVersion: "planloom/v1",
      kind: "McpServers",
      servers: imported.servers,
    } as unknown as Json)
    if (out === undefined) print(yaml)
    else {
      yield* Effect.tryPromise({
        try: () => writeFile(out, yaml, { flag: "wx" }),
        catch: (error) =>
          (error as NodeJS.ErrnoException).code === "EEXIST"
            ? problem(`${out} exists`, "choose another file with --out")
            : unwritten(`${out} cannot be written`, error),
      })
      say(`wrote ${out}: ${plural(count, "server")}`)
    }
    if (imported.secrets.length > 0) {
      say(`set these in the environment, and list them in the workflow:`)
      say(stderr.style.dim(`  secrets: [${imported.secrets.join(", ")}]`))
    }
    return "ok" as const
  })
