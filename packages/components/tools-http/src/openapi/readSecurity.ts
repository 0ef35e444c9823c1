/** Security requirements of an operation as authentication with named secrets. */
import type { Auth } from "../auth/Auth.ts"
import { below, entriesOf, itemsOf, objectOf, textAt, type Part, type Spec } from "./Spec.ts"
import { snakeName } from "./words.ts"

/** `[]` sends none; undefined leaves it to the plugin's config. The first alternative that is supported is taken. */
export const readSecurity = (
  spec: Spec,
  operation: Part,
  catalog: string,
): ReadonlyArray<Auth> | undefined => {
  const own = below(operation, "security")
  const part = own.value === undefined ? below(spec.root, "security") : own
  if (part.value === undefined) return undefined
  const alternatives = itemsOf(part)
  if (alternatives.length === 0) return []
  const refusals: Array<readonly [Part, string]> = []
  for (const alternative of alternatives) {
    const schemes = entriesOf(alternative)
    if (schemes.length === 0) continue
    const auths = schemes.map(([name, at]) => schemeAuth(spec, name, at, catalog))
    const refused = auths.flatMap((auth) =>
      Array.isArray(auth) ? [auth as unknown as [Part, string]] : [],
    )
    if (refused.length === 0) return auths as ReadonlyArray<Auth>
    refusals.push(...refused)
  }
  for (const [at, message] of refusals) spec.skip(at, message)
  return undefined
}

type Refusal = readonly [at: Part, message: string]

const schemeAuth = (spec: Spec, name: string, at: Part, catalog: string): Auth | Refusal => {
  const written = below(below(below(spec.root, "components"), "securitySchemes"), name)
  const scheme = written.value === undefined ? undefined : spec.follow(written)
  if (scheme === undefined)
    return [at, `there is no security scheme "${name}"; calls get no authentication from it`]
  const own = snakeName(name)
  const secret = (own.startsWith(catalog) ? own : `${catalog}_${own}`).toUpperCase()
  const { in: place, name: key, scheme: kind } = objectOf(scheme)
  switch (textAt(scheme, "type")) {
    case "http":
      if (String(kind).toLowerCase() === "bearer") return { bearer: secret }
      if (String(kind).toLowerCase() === "basic") {
        return { basic: { user: `${secret}_USER`, password: `${secret}_PASSWORD` } }
      }
      break
    case "apiKey":
      if (typeof key !== "string") break
      if (place === "header") return { header: key, secret }
      if (place === "query") return { query: key, secret }
      if (place === "cookie") return { cookie: key, secret }
      break
    // The token comes from elsewhere; the request carries it.
    case "oauth2":
    case "openIdConnect":
      return { bearer: secret }
  }
  return [
    scheme,
    `the security scheme "${name}" is not supported; calls get no authentication from it`,
  ]
}
