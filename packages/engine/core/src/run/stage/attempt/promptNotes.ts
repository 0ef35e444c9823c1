/** Reports what a prompt became that its workflow did not ask for, and which documentation its model reads. */
import type { AssembledPrompt } from "@planloom/prompt"
import type { ModelSite } from "./ModelSite.ts"

type Site = Pick<ModelSite, "emit" | "path" | "stage">

export const noteUnknownMode = (site: Site, mode: string, used: string): void => {
  const { path, stage } = site
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "unknown_mode",
    data: { mode, used },
    audience: "operator",
    text: `there is no prompt mode "${mode}"; "${used}" is used`,
  })
}

export const noteCuts = (site: Site, { cuts, mode }: AssembledPrompt): void => {
  if (cuts.length === 0) return
  const { path, stage } = site
  const changes = cuts.map(({ from, section, to }) =>
    to === 0 ? `${section} dropped (${from} tokens)` : `${section} from ${from} to ${to} tokens`,
  )
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "shortened_prompt",
    data: { mode, cuts },
    audience: "operator",
    text: `the prompt is shortened for mode "${mode}": ${changes.join(", ")}`,
  })
}

export const noteCutDocument = (
  site: Site,
  document: string,
  characters: number,
  kept: number,
): void => {
  const { path, stage } = site
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "shortened_document",
    data: { document, characters, kept },
    audience: "operator",
    text: `of the ${characters} characters of the document "${document}" the first ${kept} are used`,
  })
}

export const noteDocumentation = (site: Site, tool: string): void => {
  const { path, stage } = site
  site.emit({
    type: "Noted",
    path,
    stage,
    note: "documentation_read",
    data: { tool },
    audience: "operator",
    text: `the model reads the documentation of "${tool}"`,
  })
}
