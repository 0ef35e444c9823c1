/** Authentication of requests: where a secret is put. Files name secrets; their values come from the host. */
import { encode } from "../endpoint/encode.ts"
import { refused, HttpFailed } from "../HttpFailed.ts"

/** As written in configs and catalogs; every value but header and query names is the name of a secret. */
export type Auth =
  | { readonly bearer: string }
  | { readonly basic: { readonly user: string; readonly password: string } }
  | { readonly header: string; readonly secret: string; readonly prefix?: string }
  | { readonly query: string; readonly secret: string }
  | { readonly cookie: string; readonly secret: string }

const secretName = { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } as const
const named = { type: "string", minLength: 1 } as const

const one = {
  anyOf: [
    closed({ bearer: { ...secretName, description: "The secret that holds a bearer token." } }),
    closed({
      basic: {
        ...closed({ user: secretName, password: secretName }),
        description: "The secrets that hold user name and password.",
      },
    }),
    {
      type: "object",
      properties: {
        header: { ...named, description: "The header that holds the secret." },
        secret: { ...secretName, description: "The secret." },
        prefix: { type: "string", description: "Text before the secret, such as `Token `." },
      },
      required: ["header", "secret"],
      additionalProperties: false,
    },
    closed({
      query: { ...named, description: "The query parameter that holds the secret." },
      secret: secretName,
    }),
    closed({
      cookie: { ...named, description: "The cookie that holds the secret." },
      secret: secretName,
    }),
  ],
} as const

function closed<P extends object>(properties: P) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  } as const
}

/** JSON Schema of one way to authenticate, or of several that are used together. */
export const authSchema = {
  description: "Authentication with secrets; a list uses all of its entries.",
  anyOf: [...one.anyOf, { type: "array", items: one }],
} as const

export interface Authentication {
  readonly headers: { readonly [name: string]: string }
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
  /** Everything that no message and no result may contain. */
  readonly secrets: ReadonlyArray<string>
}

/** Names of the secrets that it sends. */
export const secretsOf = (auth: Auth): ReadonlyArray<string> =>
  "bearer" in auth
    ? [auth.bearer]
    : "basic" in auth
      ? [auth.basic.user, auth.basic.password]
      : [auth.secret]

/** Fails with class `auth` for a secret without a value. */
export const authenticate = (
  auths: ReadonlyArray<Auth>,
  secret: (name: string) => string | undefined,
): Authentication => {
  const headers: { [name: string]: string } = {}
  const query: Array<readonly [string, string]> = []
  const secrets: Array<string> = []
  const valueOf = (name: string): string => {
    const value = secret(name)?.trim()
    if (value === undefined || value === "") {
      throw new HttpFailed(
        "auth",
        `the secret ${name} has no value: name it under secrets: in the workflow and set it in the environment`,
      )
    }
    if (/[\r\n\0]/.test(value)) throw refused(`the secret ${name} holds a line end; copy it again`)
    // An answer may repeat the URL in which it was sent.
    secrets.push(value, encode(value))
    return value
  }
  for (const auth of auths) {
    if ("bearer" in auth) headers["authorization"] = `Bearer ${valueOf(auth.bearer)}`
    else if ("basic" in auth) {
      const pair = `${valueOf(auth.basic.user)}:${valueOf(auth.basic.password)}`
      secrets.push(pair)
      headers["authorization"] = `Basic ${Buffer.from(pair).toString("base64")}`
    } else if ("header" in auth) {
      headers[auth.header.toLowerCase()] = `${auth.prefix ?? ""}${valueOf(auth.secret)}`
    } else if ("query" in auth) query.push([auth.query, valueOf(auth.secret)])
    else {
      const pair = `${auth.cookie}=${encodeURIComponent(valueOf(auth.secret))}`
      headers["cookie"] = headers["cookie"] === undefined ? pair : `${headers["cookie"]}; ${pair}`
    }
  }
  return { headers, query, secrets }
}
