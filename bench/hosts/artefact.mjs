/** A host that loads an artefact and runs it once. */
import { loadArtefact } from "@planloom/embed/artefact"
import { account } from "./account.mjs"
import { artefactOf } from "./artefactOf.mjs"

const workflow = await loadArtefact(artefactOf("noop"))
const { outputs } = await workflow.run({})
if (outputs.n !== 11) throw new Error("wrong")
account()
