/** Finders of secrets in a text: ours, secretlint's recommended rules, and gitleaks' own configuration. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import plugin from "@planloom/validators"
import { RE2JS } from "re2js"
import { rival } from "../rivals/rival.ts"

export interface Place {
  readonly start: number
  readonly end: number
}
export type Finder = (text: string) => ReadonlyArray<Place> | Promise<ReadonlyArray<Place>>

export const planloom: Finder = (text) => {
  const secrets = plugin.components!.validators!.find(({ id }) => id === "secrets")!
  const draft = {
    text,
    request: "",
    part: { start: 0, end: text.length, last: true },
    turns: [],
    calls: [],
    data: null,
  }
  return secrets.validate(text, {}, draft).spans ?? []
}

interface Core {
  readonly lintSource: (request: unknown) => Promise<{
    readonly messages: ReadonlyArray<{ readonly range: readonly [start: number, end: number] }>
  }>
}

export const secretlint = async (): Promise<Finder> => {
  const { lintSource } = await rival<Core>("@secretlint/core")
  const { creator } = await rival<{ readonly creator: unknown }>(
    "@secretlint/secretlint-rule-preset-recommend",
  )
  const config = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator }] }
  return async (content) => {
    const source = { content, filePath: "reply.txt", ext: ".txt", contentType: "text" }
    const { messages } = await lintSource({ source, options: { config } })
    return messages.map(({ range: [start, end] }) => ({ start, end }))
  }
}

interface Allowed {
  readonly regexes?: ReadonlyArray<string>
  readonly stopwords?: ReadonlyArray<string>
  readonly regexTarget?: "match" | "line"
  readonly paths?: ReadonlyArray<string>
  readonly condition?: "AND"
}
interface Rule {
  readonly id: string
  readonly regex?: string
  readonly path?: string
  readonly secretGroup?: number
  readonly entropy?: number
  readonly keywords?: ReadonlyArray<string>
  readonly allowlists?: ReadonlyArray<Allowed>
}
interface Config {
  readonly rules: ReadonlyArray<Rule>
  readonly allowlist: Allowed
}

/** Its patterns, keywords, entropies and lists of what is allowed; rules on paths of files are left out. */
export const gitleaks = async (clone: string): Promise<Finder> => {
  const { parse } = await rival<{ readonly parse: (text: string) => unknown }>("smol-toml")
  const { allowlist, rules } = parse(
    readFileSync(join(clone, "config/gitleaks.toml"), "utf8"),
  ) as Config
  const compiled = rules
    .filter((rule) => rule.regex !== undefined && rule.path === undefined)
    .map((rule) => ({ ...rule, pattern: RE2JS.compile(rule.regex!) }))
  const isAllowed = (
    { paths, regexes = [], regexTarget, stopwords = [] }: Allowed,
    secret: string,
    match: string,
    line: string,
  ): boolean => {
    if (paths !== undefined && regexes.length + stopwords.length === 0) return false
    const target = regexTarget === "match" ? match : regexTarget === "line" ? line : secret
    return (
      regexes.some((regex) => pattern(regex).matcher(target).find()) ||
      stopwords.some((word) => secret.toLowerCase().includes(word))
    )
  }
  return (text) => {
    const lower = text.toLowerCase()
    const found: Array<Place> = []
    for (const rule of compiled) {
      const { allowlists = [], entropy = 0, keywords = [], secretGroup } = rule
      if (keywords.length > 0 && !keywords.some((word) => lower.includes(word))) continue
      const matcher = rule.pattern.matcher(text)
      while (matcher.find()) {
        let group = secretGroup ?? 0
        // Without a number, the first group that is not empty is the secret.
        for (let each = 1; group === 0 && each <= matcher.groupCount(); each++) {
          if ((matcher.group(each) ?? "") !== "") group = each
        }
        const secret = matcher.group(group) ?? ""
        const start = matcher.start(group)
        const line = text.slice(
          text.lastIndexOf("\n", matcher.start()) + 1,
          (text.indexOf("\n", matcher.end()) + 1 || text.length + 1) - 1,
        )
        const match = matcher.group() ?? ""
        if (entropyOf(secret) <= entropy) continue
        if ([allowlist, ...allowlists].some((one) => isAllowed(one, secret, match, line))) continue
        found.push({ start, end: start + secret.length })
      }
    }
    return found
  }
}

const kept = new Map<string, RE2JS>()
const pattern = (source: string): RE2JS => {
  const one = kept.get(source) ?? RE2JS.compile(source)
  kept.set(source, one)
  return one
}

const entropyOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
