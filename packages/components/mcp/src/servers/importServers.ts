/** The servers of another client's JSON file → servers as planloom declares them, with the secrets by name. */
import { isObject, type Json } from "@planloom/schema"
import { checkServers } from "./checkServers.ts"
import { isSecretName, looksSecret } from "./looksSecret.ts"
import type { Value, WrittenServer, WrittenServers } from "./Server.ts"

/** A value that is left out, or needs attention. Without values of the file, which may be secrets. */
export interface ImportNote {
  /** Path of the value in the file. */
  readonly path: ReadonlyArray<string>
  readonly message: string
}

export interface ImportedServers {
  readonly servers: WrittenServers
  /** Names of secrets that have to be set. */
  readonly secrets: ReadonlyArray<string>
  readonly notes: ReadonlyArray<ImportNote>
}

/** Keys under which clients keep servers: Claude Desktop, Claude Code and Cursor; VS Code. */
const KEYS = ["mcpServers", "servers"] as const

/** Members whose texts cannot be secrets by name, so that a server with a secret there is left out. */
const OPEN = ["command", "cwd", "url"] as const

/** A shorter secret, such as `true`, may be part of other texts by chance. */
const MIN_SECRET = 6

/** Values of `type` that say no more than `command` or `url` does. */
const TRANSPORTS: ReadonlySet<Json | undefined> = new Set(["stdio", "http", "streamable-http"])

type JsonMembers = { readonly [key: string]: Json }

/** Undefined for a file without servers. */
export const importServers = (file: Json): ImportedServers | undefined => {
  const key = isObject(file) ? KEYS.find((one) => isObject(file[one])) : undefined
  if (key === undefined || !isObject(file)) return undefined
  const given = Object.entries(file[key] as JsonMembers)
  const importer = new Importer(given.flatMap(([, value]) => hiddenIn(value)))
  importer.leaveOut(file, [key], [])
  for (const [name, value] of given) importer.add(name, value, [key, name])
  const servers = Object.fromEntries(importer.servers)
  const used = new Set(
    Object.values(servers).flatMap(({ env, headers }) =>
      [...Object.values(env ?? {}), ...Object.values(headers ?? {})].flatMap((value) =>
        typeof value === "object" && "secret" in value ? [value.secret] : [],
      ),
    ),
  )
  return { servers, secrets: [...used], notes: importer.notes }
}

const isSecret = (name: string, text: string): boolean => isSecretName(name) || looksSecret(text)

/** Values that are moved to secrets. */
const hiddenIn = (server: Json): ReadonlyArray<string> =>
  isObject(server)
    ? [server["env"], server["headers"]].flatMap((part) =>
        isObject(part)
          ? Object.entries(part).flatMap(([name, text]) =>
              typeof text === "string" && isSecret(name, text) && !text.includes("${")
                ? [text.replace(SCHEME, "")]
                : [],
            )
          : [],
      )
    : []

const SCHEME = /^(?:Bearer|Basic|Token)\s+/i
const PLACEHOLDER = /^\$\{(?:(env|input):)?([\w-]+)\}$/

class Importer {
  readonly servers = new Map<string, WrittenServer>()
  readonly notes: Array<ImportNote> = []
  /** Texts of the file by the names of secrets that stand for them. */
  readonly #secrets = new Map<string, string>()
  readonly #hidden: ReadonlyArray<string>

  constructor(hidden: ReadonlyArray<string>) {
    this.#hidden = hidden.filter(({ length }) => length >= MIN_SECRET)
  }

  add(given: string, value: Json, path: ReadonlyArray<string>): void {
    const name = this.#nameOf(given)
    if (!isObject(value)) return this.#note(path, "is left out: a server is an object")
    const server = this.#serverOf(name, value, path)
    if (server === undefined) return
    const [problem] = checkServers({ [name]: server })
    if (problem !== undefined) {
      return this.#note(path, `is left out: ${problem.message}; ${problem.fix ?? ""}`)
    }
    if (name !== given) this.#note(path, `is named "${name}" here`)
    this.servers.set(name, server)
  }

  leaveOut(from: JsonMembers, known: ReadonlyArray<string>, path: ReadonlyArray<string>): void {
    for (const key of Object.keys(from)) {
      if (!known.includes(key)) this.#note([...path, key], "is left out: it has no counterpart")
    }
  }

  #note(path: ReadonlyArray<string>, message: string): void {
    this.notes.push({ path, message })
  }

  #nameOf(given: string): string {
    const plain = given.replaceAll(/[^A-Za-z0-9_-]+/g, "_").replace(/^[^A-Za-z]+/, "")
    const name = plain === "" ? "server" : plain
    return free(name, (one) => !this.servers.has(one))
  }

  #serverOf(name: string, from: JsonMembers, path: ReadonlyArray<string>) {
    const own =
      from["command"] === undefined ? ["url", "headers"] : ["command", "args", "cwd", "env"]
    this.leaveOut(from, TRANSPORTS.has(from["type"]) ? [...own, "type"] : own, path)
    const { args = [], command, cwd, url } = from
    for (const key of OPEN) {
      const text = from[key]
      if (!own.includes(key) || text === undefined) continue
      if (!this.#isOpen(text, [...path, key])) return undefined
    }
    if (command === undefined) {
      if (typeof url !== "string" || !/^https?:\/\//.test(url)) {
        return this.#note(path, "is left out: it has neither a command nor an http address")
      }
      return { url, ...this.#values("headers", name, from, path) }
    }
    if (command === "") return this.#note(path, "is left out: its command is empty")
    if (!Array.isArray(args))
      return this.#note([...path, "args"], "is no list: its server is left out")
    for (const [index, arg] of args.entries()) {
      const before = args[index - 1]
      const isNamed =
        typeof before === "string" && /^-[^=\s]*$/.test(before) && isSecretName(before)
      if (isNamed && typeof arg === "string" && !arg.startsWith("${")) {
        return this.#note(
          [...path, "args"],
          `has a secret as argument ${index + 1}: ${SECRET_PLACE}`,
        )
      }
      if (!this.#isOpen(arg, [...path, "args"])) return undefined
    }
    return {
      command: command as string,
      ...(args.length === 0 ? {} : { args: args as ReadonlyArray<string> }),
      ...(cwd === undefined || cwd === "" ? {} : { cwd: cwd as string }),
      ...this.#values("env", name, from, path),
    }
  }

  /** Whether it is a text that may be shown. */
  #isOpen(text: Json, path: ReadonlyArray<string>): boolean {
    if (typeof text !== "string") {
      this.#note(path, "is no text: its server is left out")
      return false
    }
    if (this.#looksSecret(text)) {
      this.#note(path, `looks like a secret: ${SECRET_PLACE}`)
      return false
    }
    this.#notePlaceholder(text, path)
    return true
  }

  #looksSecret(text: string): boolean {
    return looksSecret(text) || this.#hidden.some((secret) => text.includes(secret))
  }

  #notePlaceholder(text: string, path: ReadonlyArray<string>): void {
    if (/\$\{/.test(text))
      this.#note(path, "has a placeholder, which is not replaced: write its value")
  }

  #values(
    key: "env" | "headers",
    server: string,
    from: JsonMembers,
    path: ReadonlyArray<string>,
  ): Pick<WrittenServer, "env" | "headers"> {
    const part = from[key]
    if (part === undefined) return {}
    if (!isObject(part)) {
      this.#note([...path, key], "is left out: it is no object")
      return {}
    }
    const values = Object.entries(part).flatMap(([name, text]): Array<[string, Value]> => {
      if (typeof text === "string") return [[name, this.#valueOf(key, server, name, text, path)]]
      this.#note([...path, key, name], "is left out: it is no text")
      return []
    })
    return { [key]: Object.fromEntries(values) }
  }

  #valueOf(
    key: "env" | "headers",
    server: string,
    name: string,
    text: string,
    path: ReadonlyArray<string>,
  ): Value {
    const [prefix = ""] = SCHEME.exec(text) ?? []
    const rest = text.slice(prefix.length)
    const [, from, placeholder] = PLACEHOLDER.exec(rest) ?? []
    if (placeholder !== undefined) {
      const wanted = identifier(placeholder)
      if (
        key === "env" &&
        prefix === "" &&
        from !== "input" &&
        wanted === placeholder &&
        !isSecretName(wanted)
      ) {
        return { env: wanted }
      }
      return { secret: this.#secret(wanted, rest), ...(prefix === "" ? {} : { prefix }) }
    }
    if (isSecretName(name) || this.#looksSecret(text)) {
      const wanted =
        key === "env" ? identifier(name) : identifier(`${server}_${name}`.toUpperCase())
      return { secret: this.#secret(wanted, rest, server), ...(prefix === "" ? {} : { prefix }) }
    }
    this.#notePlaceholder(text, [...path, key, name])
    return text
  }

  /** One name for one value; another value of this name gets one with the server's name. */
  #secret(wanted: string, text: string, server?: string): string {
    const isFree = (one: string) => (this.#secrets.get(one) ?? text) === text
    const name =
      isFree(wanted) || server === undefined
        ? free(wanted, isFree)
        : free(identifier(`${server}_${wanted}`.toUpperCase()), isFree)
    this.#secrets.set(name, text)
    return name
  }
}

const SECRET_PLACE =
  "its server is left out, because a secret can only be a value of env or headers"

const identifier = (text: string): string => text.replaceAll(/\W+/g, "_").replace(/^(?=\d|$)/, "_")

/** The name, or with the first number that makes it free. */
const free = (name: string, isFree: (name: string) => boolean): string => {
  for (let count = 1; ; count++) {
    const one = count === 1 ? name : `${name}_${count}`
    if (isFree(one)) return one
  }
}
