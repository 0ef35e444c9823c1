/** The validator `urls`: links to hosts that are not allowed, and links that deceive about their host. */
import { validator } from "@planloom/plugin/effect"
import { actionSchema, findingOf, type Action, type Found } from "@planloom/review-kit"
import { findLinks, LONGEST_LINK, openLink, type Link } from "../urls/findLinks.ts"
import { isMixedScript, lookAlike } from "../urls/lookAlike.ts"

interface Options {
  readonly allow?: ReadonlyArray<string>
  readonly schemes?: ReadonlyArray<string>
  readonly action?: Action
}

const SCHEMES: ReadonlyArray<string> = ["https", "http", "mailto", "tel"]

const RULES = ["scheme", "credentials", "address", "mixed_script", "look_alike", "host"] as const

export const urls = validator<Options>({
  id: "urls",
  summary: "Finds links to hosts that are not allowed, and links that hide their host.",
  class: "safety",
  can: ["pass", "flag", "replace", "block"],
  window: LONGEST_LINK,
  input: {
    type: "object",
    properties: {
      allow: {
        type: "array",
        items: { type: "string", pattern: "^[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)*$" },
        description:
          "Domains that links may lead to, with those below them; without it, any host that does not deceive.",
      },
      schemes: {
        type: "array",
        items: { type: "string", pattern: "^[a-z][a-z0-9+.-]*$" },
        description: "Schemes of links; `https`, `http`, `mailto` and `tel` unless written.",
      },
      action: actionSchema("replace", "`[link]`"),
    },
    additionalProperties: false,
  },
  rules: RULES,
  validate: (text, options) => {
    const found = findLinks(text).flatMap((link): ReadonlyArray<Found> => {
      const problem = problemOf(link, options)
      const { end, start } = link
      return problem === undefined ? [] : [{ start, end, text: "[link]", ...problem }]
    })
    return findingOf(found, "links that are not allowed", options.action ?? "replace")
  },
  pending: openLink,
  lookbehind: 0,
})

interface LinkProblem {
  readonly rule: (typeof RULES)[number]
  readonly what: string
}

const problemOf = (
  { hasCredentials, host, isAddress, scheme }: Link,
  { allow, schemes = SCHEMES }: Options,
): LinkProblem | undefined => {
  if (scheme !== "" && !schemes.includes(scheme)) return { rule: "scheme", what: "another scheme" }
  if (hasCredentials) return { rule: "credentials", what: "a name before the host" }
  if (host === "") return undefined
  const isAllowed = allow?.some((domain) => host === domain || host.endsWith(`.${domain}`)) === true
  if (isAllowed) return undefined
  if (isAddress) return { rule: "address", what: "an IP address for a host" }
  if (isMixedScript(host)) return { rule: "mixed_script", what: "a host in several scripts" }
  if (allow === undefined) return undefined
  const imitated = lookAlike(host, allow)
  return imitated === undefined
    ? { rule: "host", what: "another host" }
    : { rule: "look_alike", what: `a host that looks like ${imitated}` }
}
