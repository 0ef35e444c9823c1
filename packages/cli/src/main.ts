/** The `planloom` command: what it is called with, in; an exit code and text, out. */
import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string
}

const planloom = Command.make("planloom")

/** Runs the command line of this process. */
export const main = () =>
  Command.run(planloom, { version: manifest.version }).pipe(
    Effect.provide(NodeServices.layer),
    NodeRuntime.runMain,
  )
