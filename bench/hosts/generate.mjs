/** A host that loads an artefact with the stage kinds and a provider. */
import { loadArtefact } from "@planloom/embed/artefact"
import { account } from "./account.mjs"
import { artefactOf } from "./artefactOf.mjs"

await loadArtefact(artefactOf("generate"), { secret: () => "none" })
account()
process.exit(0)
