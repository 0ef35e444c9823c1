/** Finds keys of well-known services in texts. */
import type { Json } from "@planloom/plugin/effect"
import type { Definition, DocumentPath } from "../Definition.ts"

export interface FoundSecret {
  readonly path: DocumentPath
  readonly from: number
  readonly to: number
  readonly what: string
}

/** The published prefixes of keys, with the least length they have. */
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bsk-ant-[A-Za-z0-9_-]{20,}/, "an Anthropic key"],
  [/\bsk-(?:proj-)?[A-Za-z0-9_-]{32,}/, "an OpenAI key"],
  [/\bAIza[A-Za-z0-9_-]{35}\b/, "a Google key"],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, "an AWS key"],
  [/\b(?:ghp|gho|ghs|ghu)_[A-Za-z0-9]{36}\b/, "a GitHub token"],
  [/\bgithub_pat_[A-Za-z0-9_]{40,}/, "a GitHub token"],
  [/\bglpat-[A-Za-z0-9_-]{20}\b/, "a GitLab token"],
  [/\bxox[abprs]-[A-Za-z0-9-]{20,}/, "a Slack token"],
  [/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/, "a private key"],
]

export const findSecrets = (definition: Definition): ReadonlyArray<FoundSecret> => {
  const found: Array<FoundSecret> = []
  const visit = (value: Json | undefined, path: DocumentPath): void => {
    if (typeof value === "string") {
      const secret = secretIn(value)
      if (secret) found.push({ ...secret, path })
    } else if (value !== null && typeof value === "object") {
      for (const [key, entry] of Object.entries(value)) {
        visit(entry as Json, [...path, Array.isArray(value) ? Number(key) : key])
      }
    }
  }
  visit(definition as unknown as Json, [])
  return found
}

/** Rejects in one pass a text without any of them, as nearly all are. */
const any = new RegExp(patterns.map(([pattern]) => pattern.source).join("|"))

/** The first key in a text. */
export const secretIn = (
  text: string,
): { readonly from: number; readonly to: number; readonly what: string } | undefined => {
  if (text.length < 16 || !any.test(text)) return undefined
  for (const [pattern, what] of patterns) {
    const match = pattern.exec(text)
    if (match) return { from: match.index, to: match.index + match[0].length, what }
  }
  return undefined
}
