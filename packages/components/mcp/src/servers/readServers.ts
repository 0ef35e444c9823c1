/** The declarations of a workflow → its servers, with defaults; a later declaration of a name replaces an earlier one. */
import { dirname, resolve } from "node:path"
import { parseDuration } from "@planloom/plugin/duration"
import type { Declared } from "@planloom/plugin/effect"
import type { Server, WrittenServer, WrittenServers } from "./Server.ts"

export const FILE_KIND = "McpServers"
export const SECTION = "mcp"

const DEFAULT_TIMEOUT = "1m"
const DEFAULT_START_TIMEOUT = "30s"
const DEFAULT_CONCURRENCY = 8
const DEFAULT_RESTART = { delay: "1s", max_delay: "1m" }
const DEFAULT_RETRY_DELAY = "500ms"
const DEFAULT_MAX_MESSAGE_BYTES = 32_000_000

/** By prefix; the section of the project, then the files, then the section of the workflow. */
export const readServers = ({ files, root, sections }: Declared): ReadonlyMap<string, Server> => {
  const written = [
    ...files(FILE_KIND).map(({ path, value }) => ({
      path,
      servers: (value as unknown as { readonly servers: WrittenServers }).servers,
    })),
    ...sections(SECTION).map(({ path, value }) => ({
      path,
      servers: value as unknown as WrittenServers,
    })),
  ]
  const byName = new Map<string, Server>()
  for (const { path, servers } of written) {
    for (const [name, server] of Object.entries(servers)) {
      byName.set(name, serverOf(name, server, path, root))
    }
  }
  return new Map([...byName.values()].map((server) => [server.prefix, server]))
}

export const serverOf = (
  name: string,
  written: WrittenServer,
  file: string,
  root: string,
): Server => {
  const folder = dirname(file)
  const { args = [], command, cwd, env = {}, headers = {}, oauth } = written
  const { restart, retry, tools = {} } = written
  return {
    name,
    prefix: written.prefix ?? name,
    reach:
      command === undefined
        ? { url: written.url!, headers, ...(oauth === undefined ? {} : { oauth }) }
        : {
            command: /[/\\]/.test(command) ? resolve(folder, command) : command,
            args,
            cwd: cwd === undefined ? root : resolve(folder, cwd),
            env,
          },
    timeout: written.timeout ?? DEFAULT_TIMEOUT,
    startTimeout: parseDuration(written.start_timeout ?? DEFAULT_START_TIMEOUT)!,
    concurrency: written.concurrency ?? DEFAULT_CONCURRENCY,
    restart: {
      delay: parseDuration(restart?.delay ?? DEFAULT_RESTART.delay)!,
      maxDelay: parseDuration(restart?.max_delay ?? DEFAULT_RESTART.max_delay)!,
    },
    tools: {
      ...(tools.allow === undefined ? {} : { allow: tools.allow }),
      deny: tools.deny ?? [],
      json: tools.json ?? [],
      whole: tools.whole ?? [],
    },
    trustsReads: written.trust === "reads",
    sampling: written.sampling === true,
    callsPerMinute: written.rate?.calls_per_minute,
    retry: {
      maxRetries: retry?.max_retries ?? 0,
      delay: parseDuration(retry?.delay ?? DEFAULT_RETRY_DELAY)!,
    },
    maxMessageBytes: written.max_message_bytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    file,
  }
}
