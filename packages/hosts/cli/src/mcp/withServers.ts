/** Servers that the project, a workflow or a file of servers declares, for commands about servers. */
import { dirname } from "node:path"
import { decisionsIn } from "@planloom/language"
import type { McpTools, ServerTools } from "@planloom/mcp/manage"
import type { Claim } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { ReadingFlags } from "../commands/options.ts"
import type { ExitName } from "../ExitCode.ts"
import { suggestion } from "../project/nearest.ts"
import { pluginOptions } from "../project/pluginOptions.ts"
import { namedValue } from "../project/namedValue.ts"
import { withDeclarations } from "../project/withDeclarations.ts"
import { problem, type Refused } from "../Refused.ts"

/** For a project without servers. */
export const NO_SERVERS =
  "planloom.yaml and workflows/ declare no servers; --from names another file that does"

export interface DeclaredServer {
  readonly tools: ServerTools
  /** The source that calls its tools. */
  readonly source: McpTools
  /** Folder of the project. */
  readonly root: string
  /** Of the workflow that declares it. */
  readonly secret: (name: string) => string | undefined
  readonly mayTrust: (claim: Claim) => Promise<string | undefined>
}

/** Passes the servers on, and ends those that were started afterwards. Without `from` they are those of the whole project. */
export const withServers = (
  from: string | undefined,
  use: (servers: ReadonlyArray<DeclaredServer>) => Effect.Effect<ExitName, Refused>,
  flags?: ReadingFlags,
): Effect.Effect<ExitName, Refused> =>
  withDeclarations(
    from,
    { what: "servers", plugin: "@planloom/mcp", fileKind: "McpServers" },
    (declarations) =>
      Effect.gen(function* () {
        const { identityOf, McpTools } = yield* Effect.promise(() => import("@planloom/mcp/manage"))
        const options = yield* pluginOptions
        const found = new Map<string, DeclaredServer>()
        for (const { declared, path, secrets } of declarations) {
          const secret = (name: string) =>
            secrets !== undefined && !secrets.includes(name) ? undefined : namedValue(name)
          const folder = dirname(path)
          const source = yield* Effect.acquireRelease(
            Effect.sync(
              () =>
                new McpTools({
                  declared: () => declared,
                  secret,
                  ...decisionsIn(options, folder),
                }),
            ),
            ({ close }) => close,
          )
          const servers = yield* Effect.promise(() => source.servers())
          for (const tools of servers.values()) {
            const { prefix } = tools.server
            const key = JSON.stringify([prefix, identityOf(tools.server)])
            if (found.has(key)) continue
            found.set(key, {
              tools,
              source,
              root: declared.root,
              secret,
              mayTrust: (claim) => options.mayTrust({ ...claim, folder }),
            })
          }
        }
        return yield* use([...found.values()])
      }),
    flags,
  )

/** The servers of these names or prefixes, or all. */
export const named = (
  servers: ReadonlyArray<DeclaredServer>,
  names: ReadonlyArray<string>,
): Effect.Effect<ReadonlyArray<DeclaredServer>, Refused> => {
  const isNamed = ({ tools }: DeclaredServer, name: string) =>
    tools.server.name === name || tools.server.prefix === name
  const unknown = names.find((name) => !servers.some((one) => isNamed(one, name)))
  if (unknown !== undefined) {
    const known = [...new Set(servers.map(({ tools }) => tools.server.name))]
    return Effect.fail(
      problem(
        `no server "${unknown}" is declared`,
        suggestion(unknown, known) ?? "declare one under mcp of planloom.yaml",
      ),
    )
  }
  return Effect.succeed(
    names.length === 0
      ? servers
      : servers.filter((one) => names.some((name) => isNamed(one, name))),
  )
}
