/** The environment of a server: what every program needs to run, and what is declared for it. */
import { McpFailed } from "../McpFailed.ts"
import type { Server, Value } from "../servers/Server.ts"

/** Variables without which programs do not start. */
const needed =
  process.platform === "win32"
    ? "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR"
    : "HOME LANG LOGNAME PATH SHELL TERM TMPDIR TZ USER"

type Secret = (name: string) => string | undefined

export const childEnvironment = (
  declared: { readonly [variable: string]: Value },
  server: Server,
  secret: Secret,
): { readonly [variable: string]: string } => {
  const own = needed.split(" ").flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(own), ...valuesOf(declared, server, secret) }
}

/** Fails for a secret or a variable without a value, unless it has a default. */
export const valuesOf = (
  declared: { readonly [name: string]: Value },
  { name: server }: Server,
  secret: Secret,
): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(declared).map(([name, value]) => {
      if (typeof value === "string") return [name, value]
      if ("env" in value) {
        const found = process.env[value.env]
        if (found !== undefined) return [name, found]
        if (value.default !== undefined) return [name, value.default]
        throw new McpFailed(
          "auth",
          `the server "${server}" needs the variable ${value.env}, which is not set`,
        )
      }
      const found = secret(value.secret)
      if (found !== undefined && found !== "") return [name, `${value.prefix ?? ""}${found}`]
      if (value.default !== undefined) return [name, value.default]
      throw new McpFailed(
        "auth",
        `the server "${server}" needs the secret ${value.secret}; list it under secrets: of the workflow, and set it`,
      )
    }),
  )
