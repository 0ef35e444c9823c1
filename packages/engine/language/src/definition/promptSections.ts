/** Sections that modes may name: the prompts of a workflow, and its documents as prompts that consist of them. */
import type { Definition } from "./Definition.ts"
import type { PromptFile } from "./Resources.ts"

export const promptSections = (
  { documents }: Pick<Definition, "documents">,
  prompts: ReadonlyMap<string, PromptFile>,
): ReadonlyMap<string, PromptFile> =>
  new Map([
    ...Object.entries(documents).map(([name, { tool }]): [string, PromptFile] => [
      name,
      { name, path: tool, text: `\${{ documents.${name} }}` },
    ]),
    ...prompts,
  ])
