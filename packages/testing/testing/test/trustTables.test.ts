/** The tables of writes and sends in docs/trust.md, compared with the code that writes files and opens connections. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

const root = join(import.meta.dirname, "../../../..")
const docs = readFileSync(join(root, "docs/trust.md"), "utf8")

/** First cells of the table under a heading. */
const rowsOf = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = docs.split(`## ${heading}\n`)
  return section
    .split("\n## ")[0]!
    .split("\n")
    .flatMap((line) => /^\| ([^|]+?) \|/.exec(line)?.[1] ?? [])
    .slice(1)
}

const sources = globSync("packages/*/*/src/**/*.ts", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  // The text of a new provider is a file of the one who makes it.
  .filter((file) => !file.startsWith("packages/hosts/create-planloom/src/component/provider"))
  .filter((file) => !/\.test\.ts$|testing\/src\/(conformance|double)\//.test(file))

const filesWith = (pattern: RegExp): ReadonlyArray<string> =>
  sources
    .filter((file) => pattern.test(readFileSync(join(root, file), "utf8")))
    .map((file) => file.replace(/^packages\/[\w-]+\/(.*)\.ts$/, "$1"))
    .toSorted()

const runs = "recorded runs, sessions, versions of prompts, swaps, reviews"
const filesOfRuns = "files of runs: tables, reports, results of servers"
const indexes = "indexes of documents"
const temporary = "copies of files, spilled tables, drafts of an editor"
const state = "answers of trust, logins, approvals and lists of servers"
const results =
  "results of a command: types, catalogs, drawings, exported runs, cases, baselines, reports"
const tests = "snapshots and recordings of tests"
const created = "new projects and packages: `init`, `new`"

/** Files that write, by their row. A new one belongs to a row, or to a new row. */
const writers: { readonly [file: string]: string } = {
  "cli/src/author/printSkill": results,
  "cli/src/author/writeInOneStep": "formatted and accepted files: `fmt`, keys of `dev`",
  "cli/src/author/writeSchemas": "schemas for editors",
  "cli/src/eval/runLines": results,
  "cli/src/keys/KeyFile": "API keys",
  "cli/src/mcp/importServersFile": results,
  "cli/src/project/writeText": results,
  "cli/src/prompts/editPrompt": temporary,
  "cli/src/run/writeOutputs": "outputs of runs",
  "cli/src/terminal/Output": results,
  "cli/src/trust/agreedSendings": state,
  "cli/src/trust/trustedFolders": state,
  "create-planloom/src/component/createPackage": created,
  "create-planloom/src/project/createProject": created,
  "documents/src/index/DocumentFile": indexes,
  "documents/src/index/syncLock": indexes,
  "documents/src/sources/readRows": indexes,
  "plugin/src/host/FileLock": state,
  "mcp/src/results/RunFiles": filesOfRuns,
  "mcp/src/servers/ServerFiles": state,
  "mcp/src/login/LoginStore": state,
  "plugin/src/host/stateFolder": state,
  "retrieval/src/writeWhole": "indexes of tools",
  "store-sqlite/src/openStore": runs,
  "testing/src/cassette/folder": tests,
  "testing/src/golden/compareGolden": tests,
  "testing/src/workflow/keepPassing": tests,
  "tools-data/src/duckdb/spill": temporary,
  "tools-data/src/file/copies": temporary,
  "tools-data/src/tools/export": filesOfRuns,
  "tools-data/src/tools/render_report": filesOfRuns,
  "tools-files/src/folder/KeptFiles": "words of files",
}

const model = "prompts, files of prompts, the key of the service"
const servers = "calls and headers of servers, logins"
const replies = "replies of `serve` and `mcp serve`"

/** Files that connect or listen, by their row. */
const senders: { readonly [file: string]: string } = {
  "cli/src/serve/listen": replies,
  "cli/src/tools/fetchDocument": "documents of `tools add` and `mcp login`, which a person types",
  "documents/src/sources/UrlSource": "pages of libraries",
  "mcp-server/src/serveStdio": replies,
  "mcp/src/connection/connect": servers,
  "mcp/src/connection/httpTransport": servers,
  "mcp/src/connection/sdk": servers,
  "mcp/src/login/RedirectServer": servers,
  "mcp/src/login/ServerLogin": servers,
  "mcp/src/login/logIn": servers,
  "mcp/src/login/loginFetch": servers,
  "provider-anthropic/src/anthropic": model,
  "provider-google/src/client": model,
  "provider-openai/src/client": model,
  "provider-openai/src/ollama/ollamaApi": model,
  "telemetry/src/startTelemetry": "spans and metrics, without texts of runs",
  "tools-http/src/net/Transport": "requests of tools, with the secrets that their endpoints name",
  "tools-http/src/source": "requests of tools, with the secrets that their endpoints name",
  "tools-http/src/plugin": "requests of tools, with the secrets that their endpoints name",
}

const writes =
  /\b(?:writeFile|writeFileSync|appendFile|createWriteStream|renameSync|closeSync\(openSync|mkdirSync|writePrivately|copyFile|symlink)\(|\brename\((?:draft|temporary|part)|await mkdir\(|new DatabaseSync\(/

const sends =
  /(?<![."'`\w])fetch\(|\bhttps?\.request\(|^import \{[^}]*\b(?:createServer|request|connect)\b[^}]*\} from "node:|new Transport\(|loadSdk\(|transport\.send\(|import\("(?:openai|@anthropic-ai\/sdk|@google\/genai|@modelcontextprotocol\/client)"\)|effect\/http\/FetchHttpClient|StdioServerTransport/m

describe("docs/trust.md", () => {
  it("lists every file that writes in its table of writes", () => {
    expect(filesWith(writes)).toEqual(Object.keys(writers).toSorted())
    for (const row of Object.values(writers)) expect(rowsOf("What planloom writes")).toContain(row)
  })

  it("lists every file that connects in its table of sends", () => {
    expect(filesWith(sends)).toEqual(Object.keys(senders).toSorted())
    for (const row of Object.values(senders)) expect(rowsOf("What planloom sends")).toContain(row)
  })
})
