/** Artefacts at run time: read, verified and bound to plugins, without YAML and without rules. */
export { type Artefact, ArtefactRejected } from "./Artefact.ts"
export { bindArtefact, type ArtefactOptions } from "./bindArtefact.ts"
export { looksLikeArtefact, parseArtefact, readArtefact, readArtefactFile } from "./readArtefact.ts"
