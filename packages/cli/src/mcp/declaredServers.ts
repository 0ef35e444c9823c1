/** The server that a login is for: of a workflow, or of the first one of the project that declares it. */
import * as Effect from "effect/Effect"
import type { Server } from "@planloom/mcp"
import type { ReadingFlags } from "../commands/options.ts"
import { findWorkflow } from "../project/findWorkflow.ts"
import { loadOptions } from "../project/loadOptions.ts"
import { nearest } from "../project/nearest.ts"
import { workflowFiles } from "../project/projectFiles.ts"
import { secretValue } from "../project/secretValue.ts"
import { quietConsole } from "../project/withWorkflow.ts"
import { problem, type Refused } from "../Refused.ts"

export interface LoginServer {
  readonly server: Server
  /** Of the workflow that declares it. */
  readonly secret: (name: string) => string | undefined
}

/** The server of a name in a workflow, or in the first one of the project that declares it. Nothing is started. */
export const serverNamed = (
  name: string,
  workflow: string | undefined,
  flags: ReadingFlags,
): Effect.Effect<LoginServer, Refused> =>
  Effect.gen(function* () {
    yield* quietConsole
    const paths =
      workflow === undefined
        ? yield* Effect.promise(workflowFiles)
        : [yield* findWorkflow(workflow)]
    const known = new Set<string>()
    let broken: string | undefined
    for (const path of paths) {
      const servers = yield* serversOf(path, flags)
      if (servers === undefined) broken ??= path
      for (const one of servers ?? []) {
        if (one.server.name === name) return one
        known.add(one.server.name)
      }
    }
    return yield* problem(
      `${workflow === undefined ? "no workflow here declares" : `${workflow} does not declare`} the server "${name}"`,
      helpFor(name, known, broken),
    )
  })

const helpFor = (
  name: string,
  known: ReadonlySet<string>,
  broken: string | undefined,
): string | undefined => {
  const [near] = nearest(name, known)
  if (near !== undefined) return `did you mean ${near}?`
  if (broken !== undefined) return `${broken} has problems: planloom check ${broken}`
  return known.size === 0 ? undefined : `declared are: ${[...known].join(", ")}`
}

/** Undefined for a workflow with problems. */
const serversOf = (
  path: string,
  flags: ReadingFlags,
): Effect.Effect<ReadonlyArray<LoginServer> | undefined, Refused> =>
  Effect.scoped(
    Effect.gen(function* () {
      const options = yield* loadOptions(flags)
      const { checkWorkflow } = yield* Effect.promise(() => import("@planloom/language"))
      const { readServers } = yield* Effect.promise(() => import("@planloom/mcp"))
      const { workflow } = yield* checkWorkflow(path, options, "check")
      if (workflow === undefined) return undefined
      const { definition, resources } = workflow
      if (resources.declared === undefined) return []
      const servers = readServers(resources.declared)
      const secret = (name: string) =>
        definition.secrets.includes(name) ? secretValue(name) : undefined
      return [...servers.values()].map((server) => ({ server, secret }))
    }),
  )
