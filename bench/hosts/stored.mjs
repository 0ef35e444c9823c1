/** A host with a store that runs a workflow once: `stored.mjs yaml|artefact`. */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { rmSync } from "node:fs"
import { openStore } from "@planloom/store-sqlite"
import { account } from "./account.mjs"
import { artefactOf } from "./artefactOf.mjs"

const load = async () =>
  process.argv[2] === "yaml"
    ? (await import("@planloom/embed")).loadWorkflow("noop.yaml")
    : (await import("@planloom/embed/artefact")).loadArtefact(artefactOf("noop"))

const file = `runs-${process.pid}.db`
const workflow = await load()
const store = await Effect.runPromise(Scope.provide(openStore(file), Scope.makeUnsafe()))
const { outputs } = await workflow.run({}, { store })
if (outputs.n !== 11) throw new Error("wrong")
account()
for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true })
process.exit(0)
