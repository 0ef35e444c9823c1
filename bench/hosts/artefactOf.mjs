/** The artefact of a workflow that the command built into `dist`. */
import { readdirSync } from "node:fs"

export const artefactOf = (name) =>
  `dist/${readdirSync("dist").find((file) => file.startsWith(`${name}.`))}`
