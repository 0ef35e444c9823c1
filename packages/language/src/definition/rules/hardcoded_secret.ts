/** PL6002: a secret stands in the file. */
import { findSecrets, secretIn } from "../scope/findSecrets.ts"
import type { Rule } from "./Rule.ts"

export const hardcodedSecret: Rule = {
  code: "PL6002",
  slug: "hardcoded_secret",
  severity: "error",
  title: "A secret stands in the file",
  why: "Whoever reads the file, its history or a prompt can use it.",
  mend: "Take the key out of use, name it under `secrets:`, and give its value by the environment.",
  wrong: "with: { token: sk-ant-… }",
  right: "secrets: [ANTHROPIC_API_KEY]",
  check: ({ analysis, definition, resources }) => {
    const help = "take it out of use, name it under secrets, and give its value by the environment"
    const here = findSecrets(definition).map(({ from, path, to, what }) => ({
      code: "PL6002",
      message: `this looks like ${what}`,
      path,
      within: { from, to },
      secret: true as const,
      help,
    }))
    const inPrompts = [...resources.prompts.values()].flatMap(({ name, path, text }) => {
      const found = secretIn(text)
      const message = `the prompt ${path} holds what looks like ${found?.what}`
      return found ? [{ code: "PL6002", message, path: ["prompts", name], help }] : []
    })
    const inExamples = analysis.tree.all.flatMap(({ path, stage }) => {
      const file = stage.examples && resources.examples?.get(stage.examples.file)
      const found = file && secretIn(file.document.file.text)
      const message = `the examples ${stage.examples?.file} hold what looks like ${found?.what}`
      return found ? [{ code: "PL6002", message, path: [...path, "examples", "file"], help }] : []
    })
    return [...here, ...inPrompts, ...inExamples]
  },
}
