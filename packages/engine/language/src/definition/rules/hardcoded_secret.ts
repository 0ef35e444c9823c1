/** PL6002: the file contains a secret. */
import { findSecrets, secretIn } from "../scope/findSecrets.ts"
import type { Rule } from "./Rule.ts"

export const hardcodedSecret: Rule = {
  code: "PL6002",
  slug: "hardcoded_secret",
  severity: "error",
  title: "The file contains a secret",
  why: "Anyone who can read the file, its history or a prompt can use it.",
  fix: "Revoke the key, name it under `secrets:`, and pass its value in the environment.",
  wrong: "with: { token: sk-ant-… }",
  right: "secrets: [ANTHROPIC_API_KEY]",
  check: ({ analysis, definition, resources }) => {
    const help = "revoke it, name it under secrets, and pass its value in the environment"
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
