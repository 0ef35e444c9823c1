/** An authorization server of the tests, a server of tools that it guards, and a browser in which a person agrees. Each may misbehave. */
import { createHash, randomUUID } from "node:crypto"
import { httpServer, type HttpServer } from "./httpServer.ts"
import { newHandler } from "./newServer.ts"

export interface Faults {
  /** Replaces members of the metadata of the authorization server. */
  readonly metadata?: object
  /** Replaces members of the metadata of the server. */
  readonly resource?: object
  /** Answers instead. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>
  /** Replaces parameters that the browser brings back; undefined removes one. */
  readonly redirected?: { readonly [parameter: string]: string | undefined }
  /** Replaces members of tokens. */
  readonly tokens?: object
  /** Seconds that a token lasts; an hour unless given. */
  readonly lasts?: number
  /** Rights that a token needs for a call. */
  readonly callScope?: string
}

export interface Guarded {
  /** Of the server of tools. */
  readonly url: string
  readonly issuer: string
  readonly faults: { current: Faults }
  /** Requests to the authorization server: method, path and form. */
  readonly asked: Array<{ readonly path: string; readonly form: URLSearchParams }>
  /** Every token, code and secret that was given. */
  readonly given: Set<string>
  /** Access tokens that the server takes, with their rights. */
  readonly valid: Map<string, string>
  /** Opens an address as a browser does, and goes where it is sent. Returns the status of the last page. */
  readonly browse: (url: string) => Promise<number>
  readonly close: () => Promise<void>
}

const json = (value: object, status = 200) => Response.json(value, { status })

export const guardedServer = async (tools = newHandler("stateless").fetch): Promise<Guarded> => {
  const faults: { current: Faults } = { current: {} }
  const asked: Guarded["asked"] = []
  const given = new Set<string>()
  const valid = new Map<string, string>()
  const codes = new Map<string, { readonly challenge: string; readonly scope: string }>()
  const refreshes = new Map<string, string>()
  const fresh = (kind: string) => {
    const text = `${kind}-${randomUUID()}`
    given.add(text)
    return text
  }
  const tokensFor = (scope: string) => {
    const { lasts = 3600, tokens } = faults.current
    const access = fresh("access")
    const refresh = fresh("refresh")
    valid.set(access, scope)
    refreshes.set(refresh, scope)
    return json({
      access_token: access,
      refresh_token: refresh,
      token_type: "Bearer",
      expires_in: lasts,
      scope,
      ...tokens,
    })
  }
  const issuer: HttpServer = await httpServer(async (request) => {
    const url = new URL(request.url)
    const form =
      request.method === "POST"
        ? new URLSearchParams(await request.clone().text())
        : url.searchParams
    asked.push({ path: url.pathname, form })
    const instead = await faults.current.answer?.(request)
    if (instead !== undefined) return instead
    const { origin } = issuer
    switch (url.pathname) {
      case "/.well-known/oauth-authorization-server":
        return json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          revocation_endpoint: `${origin}/revoke`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true,
          ...faults.current.metadata,
        })
      case "/register":
        return json(
          { ...(JSON.parse(await request.text()) as object), client_id: "registered" },
          201,
        )
      case "/authorize": {
        const code = fresh("code")
        codes.set(code, {
          challenge: form.get("code_challenge") ?? "",
          scope: form.get("scope") ?? "",
        })
        const target = new URL(form.get("redirect_uri")!)
        const parameters = { code, state: form.get("state")!, iss: origin }
        for (const [name, value] of Object.entries({
          ...parameters,
          ...faults.current.redirected,
        })) {
          if (value !== undefined) target.searchParams.set(name, value)
        }
        return new Response(null, { status: 302, headers: { location: target.href } })
      }
      case "/token": {
        if (form.get("grant_type") === "refresh_token") {
          const scope = refreshes.get(form.get("refresh_token")!)
          // Used again, it was stolen: all end.
          if (scope === undefined) {
            refreshes.clear()
            valid.clear()
            return json({ error: "invalid_grant" }, 400)
          }
          refreshes.delete(form.get("refresh_token")!)
          return tokensFor(scope)
        }
        const code = codes.get(form.get("code")!)
        codes.delete(form.get("code")!)
        const verifier = form.get("code_verifier") ?? ""
        given.add(verifier)
        const challenge = createHash("sha256").update(verifier).digest("base64url")
        return code?.challenge === challenge
          ? tokensFor(code.scope)
          : json({ error: "invalid_grant", error_description: verifier }, 400)
      }
      case "/revoke":
        refreshes.delete(form.get("token")!)
        return new Response(null, { status: 200 })
      default:
        return new Response("not found", { status: 404 })
    }
  })
  const server: HttpServer = await httpServer(async (request) => {
    const { pathname } = new URL(request.url)
    const metadata = `${server.origin}/.well-known/oauth-protected-resource/mcp`
    if (pathname === new URL(metadata).pathname) {
      return json({
        resource: `${server.origin}/mcp`,
        authorization_servers: [issuer.origin],
        scopes_supported: ["tools:read"],
        ...faults.current.resource,
      })
    }
    const token = /^Bearer (.*)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? ""
    const scope = valid.get(token)
    const challenge = (status: number, parameters: string) =>
      new Response(null, {
        status,
        headers: { "www-authenticate": `Bearer ${parameters}, resource_metadata="${metadata}"` },
      })
    if (scope === undefined) return challenge(401, 'error="invalid_token"')
    const { callScope } = faults.current
    const isCall = (await request.clone().text()).includes('"tools/call"')
    return isCall && callScope !== undefined && !scope.split(" ").includes(callScope)
      ? challenge(403, `error="insufficient_scope", scope="${callScope}"`)
      : tools(request)
  })
  return {
    url: `${server.origin}/mcp`,
    issuer: issuer.origin,
    faults,
    asked,
    given,
    valid,
    browse: async (url) => {
      const { headers } = await fetch(url, { redirect: "manual" })
      return (await fetch(headers.get("location")!)).status
    },
    close: async () => {
      await Promise.all([issuer.close(), server.close()])
    },
  }
}
