/** Problems of declared servers that no schema can express. */
import { isIP } from "node:net"
import type { Problem, ValuePath } from "@planloom/plugin/effect"
import { hasOwnAuthorization } from "./hasOwnAuthorization.ts"
import type { WrittenServer, WrittenServers } from "./Server.ts"

/** `at` is the place of the servers. */
export const checkServers = (
  servers: WrittenServers,
  at: ValuePath = [],
): ReadonlyArray<Problem> => {
  const names = Object.keys(servers)
  return Object.entries(servers).flatMap(([name, server]) => {
    const place = [...at, name]
    const prefix = server.prefix ?? name
    const same = names.find((one) => one !== name && (servers[one]!.prefix ?? one) === prefix)
    return [
      ...reachProblems(name, server, place),
      // Reported at the second of the two.
      ...(same === undefined || names.indexOf(same) > names.indexOf(name)
        ? []
        : [
            {
              code: "MCP001",
              message: `the tools of "${name}" and "${same}" have the same prefix, "${prefix}"`,
              at: place,
              fix: "give one of them another prefix",
            },
          ]),
    ]
  })
}

const reachProblems = (
  name: string,
  { command, headers = {}, url, ...server }: WrittenServer,
  at: ValuePath,
): ReadonlyArray<Problem> => {
  if ((command === undefined) === (url === undefined)) {
    return [
      {
        code: "MCP002",
        message: `the server "${name}" has ${url === undefined ? "neither" : "both"} \`command\` ${url === undefined ? "nor" : "and"} \`url\``,
        at,
        fix: "write command: for a program that is started, or url: for a server that runs",
      },
    ]
  }
  const foreign =
    url === undefined
      ? [
          ...(Object.keys(headers).length > 0 ? ["headers"] : []),
          ...(server.oauth === undefined ? [] : ["oauth"]),
        ]
      : (["args", "cwd", "env"] as const).filter((key) => server[key] !== undefined)
  const problems: ReadonlyArray<Problem> = foreign.map((key) => ({
    code: "MCP002",
    message: `\`${key}\` has no effect for a server with \`${url === undefined ? "command" : "url"}\``,
    at: [...at, key],
    fix: "remove it",
  }))
  if (url === undefined) return problems
  return [
    ...problems,
    ...urlProblems(name, url, headers, [...at, "url"]),
    ...(server.oauth !== undefined && hasOwnAuthorization({ headers })
      ? [
          {
            code: "MCP002",
            message: `\`oauth\` has no effect for a server with an Authorization header`,
            at: [...at, "oauth"],
            fix: "remove one of them",
          },
        ]
      : []),
  ]
}

const urlProblems = (
  name: string,
  url: string,
  headers: NonNullable<WrittenServer["headers"]>,
  at: ValuePath,
): ReadonlyArray<Problem> => {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || address.username !== "" || address.password !== "") {
    return [
      {
        code: "MCP003",
        message: `the url of "${name}" is not the address of a server`,
        at,
        fix: "write https://host/path; credentials go to headers: { Authorization: { secret: … } }",
      },
    ]
  }
  const hasSecret = Object.values(headers).some((value) => typeof value === "object")
  return hasSecret && address.protocol === "http:" && !isLoopback(address.hostname)
    ? [
        {
          code: "MCP004",
          message: `a secret of "${name}" would be sent without encryption`,
          at,
          fix: "write https://",
        },
      ]
    : []
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."))
