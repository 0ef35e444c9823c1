/** Servers of others, pinned in a workspace that only tests install. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { installOnce } from "../../../../.ci/installOnce.ts"
import type { WrittenServer } from "../src/servers/Server.ts"

const workspace = join(import.meta.dirname, "../../../../checks/mcp-servers")

let isInstalled = false

/** The program of `@modelcontextprotocol/server-NAME`; the first one installs all. */
export const realServer = (
  name: string,
  { args = [], ...more }: WrittenServer = {},
): WrittenServer & { readonly command: string; readonly args: ReadonlyArray<string> } => {
  if (!isInstalled) installOnce(workspace)
  isInstalled = true
  const folder = join(workspace, "node_modules/@modelcontextprotocol", `server-${name}`)
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly bin: { readonly [command: string]: string }
  }
  return {
    command: process.execPath,
    args: [join(folder, Object.values(bin)[0]!), ...args],
    ...more,
  }
}
