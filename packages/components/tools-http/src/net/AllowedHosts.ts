/** The allow-list of hosts: which URLs may be requested. */

interface Entry {
  readonly protocol: string
  /** Host name, or the part after `*` with its dot; undefined for any host. */
  readonly name: string | undefined
  readonly isWildcard: boolean
  readonly port: string
  /** Without a trailing slash. */
  readonly base: string
}

/** `api.example.com`, `*.example.com`, `api.example.com:8443/v1`, `http://localhost:8080` or `*`. */
const form =
  /^(?:(https?):\/\/)?(\*|(?:\*\.)?[^\s/:*?#@[\]]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(\/[^\s?#]*)?$/i

/** Why a text is not an entry of the list; undefined if it is one. */
export const hostProblem = (text: string): string | undefined =>
  entryOf(text) === undefined
    ? `"${text}" is not a host such as api.example.com, *.example.com or http://localhost:8080`
    : undefined

const entryOf = (text: string): Entry | undefined => {
  const found = form.exec(text)
  if (found === null) return undefined
  const [, scheme = "https", host = "", port = "", path = ""] = found
  const isWildcard = host.startsWith("*")
  const suffix = host.slice(2)
  try {
    // Host names are compared as URLs write them: lower case, punycode, addresses in one form.
    const url = new URL(
      `${scheme}://${isWildcard ? suffix || "any" : host}${port && `:${port}`}${path}`,
    )
    return {
      protocol: url.protocol,
      name: host === "*" ? undefined : isWildcard ? `.${url.hostname}` : url.hostname,
      isWildcard,
      port: url.port,
      base: url.pathname.replace(/\/+$/, ""),
    }
  } catch {
    return undefined
  }
}

/** Dots as a path segment, however they and the slashes around them are encoded, also with parameters that some servers cut off. */
const climbing = /(?:^|\/|\\|%2f|%5c)(?:\.|%2e){1,2}(?:(?:;|%3b)[^/\\]*)?(?:$|\/|\\|%2f|%5c)/i

/** Whether a path holds `.` or `..` as a segment, also in encoded form, and encoded several times: some servers decode twice. */
export const climbs = (path: string): boolean => climbing.test(path.replaceAll(/%(?:25)+/gi, "%"))

export class AllowedHosts {
  private readonly entries: ReadonlyArray<Entry>
  private readonly listed: ReadonlyArray<string>

  /** Throws for a text that is not an entry. */
  constructor(hosts: ReadonlyArray<string>) {
    this.listed = hosts
    this.entries = hosts.map((text) => {
      const entry = entryOf(text)
      if (entry === undefined) throw new TypeError(hostProblem(text))
      return entry
    })
  }

  /** Whether the list has the host of the URL, under any path. */
  includes(url: URL): boolean {
    return this.entries.some((entry) => isOf(entry, url))
  }

  /** Whether the list has the host of the URL by its name, and not only by a wildcard. */
  names(url: URL): boolean {
    return this.entries.some((entry) => isOf(entry, url) && isNamed(entry))
  }

  /** Why the URL may not be requested; undefined if it may. */
  problem(url: URL): string | undefined {
    if (url.protocol !== "https:" && url.protocol !== "http:") {
      return `${url.protocol} is not http: or https:`
    }
    if (url.username !== "" || url.password !== "") return "a URL must not contain a password"
    const hosts = this.entries.filter((entry) => isOf(entry, url))
    if (hosts.length === 0) {
      const wanted = `${url.protocol === "http:" ? "http://" : ""}${url.host}`
      const list = this.listed.length === 0 ? "it is empty" : `it has ${this.listed.join(", ")}`
      return `${wanted} is not in \`hosts\` of @planloom/tools-http: ${list}`
    }
    return hosts.some(({ base }) => isBelow(base, url.pathname))
      ? undefined
      : `${url.pathname} is outside ${hosts.map(({ base }) => base).join(", ")} of ${url.host}`
  }
}

const isOf = ({ isWildcard, name, port, protocol }: Entry, url: URL): boolean =>
  protocol === url.protocol &&
  port === url.port &&
  (name === undefined || (isWildcard ? url.hostname.endsWith(name) : url.hostname === name))

const isNamed = ({ isWildcard, name }: Entry): boolean => name !== undefined && !isWildcard

const isBelow = (base: string, path: string): boolean =>
  base === "" || ((path === base || path.startsWith(`${base}/`)) && !climbs(path))
