/** `planloom mcp`: the Model Context Protocol, for agents that use workflows. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, off, optional, out, reading, serving } from "./options.ts"

const serve = Command.make(
  "serve",
  {
    paths: Argument.String("path").pipe(
      Argument.withDescription(
        "Workflow files, names or folders, each workflow a tool. Without any: all of workflows/",
      ),
      Argument.variadic(),
    ),
    project: optional(
      Flag.String("project"),
      "folder",
      "Folder to work in. Many clients start their commands in a folder of their own",
    ),
    drain: Flag.String("drain").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription(
        "How long calls in progress may take once the client has gone; then they are interrupted, and the next server repeats them",
      ),
      Flag.withDefault("1s"),
    ),
    ...serving,
    ...reading,
  },
  deferred(async () => (await import("../mcp/serveWorkflows.ts")).serveWorkflows),
).pipe(
  Command.withDescription(
    "Serve workflows to an agent that speaks the Model Context Protocol, over standard input and output: the agent starts this command. Each workflow is a tool; its runs are recorded in the project's store as those of `planloom serve`, which serves the same over HTTP at /mcp. The command ends with its client.",
  ),
  Command.withShortDescription("Serve workflows as tools over standard input and output"),
  Command.withExamples([
    { command: "planloom mcp serve" },
    { command: "planloom mcp serve workflows/report.yaml" },
  ]),
)

const server = Argument.String("server").pipe(
  Argument.withDescription("Name of a server that a workflow declares"),
)

const from = optional(
  Flag.String("from"),
  "file",
  "A workflow, or a file of kind McpServers, whose servers are meant. Without it: all of the project",
)

const login = Command.make(
  "login",
  {
    server,
    from,
    browser: Flag.Boolean("browser").pipe(
      Flag.withDescription(
        "Open the address in a browser, as unless --no-browser is given; it is printed in any case",
      ),
      Flag.withDefault(true),
    ),
    timeout: Flag.String("timeout").pipe(
      Flag.withMetavar("duration"),
      Flag.withDescription("How long to wait for the browser"),
      Flag.withDefault("5m"),
    ),
    ...reading,
  },
  deferred(async () => (await import("../mcp/logInAt.ts")).logInAt),
).pipe(
  Command.withDescription(
    "Log in at a server of the Model Context Protocol that is reached by HTTP. A browser opens, in which you agree; the tokens are stored in your state folder, and renewed by the runs that use them, in folders that you trust. Log in again when a run says so, also for more rights.",
  ),
  Command.withShortDescription("Log in at a server with OAuth"),
  Command.withExamples([
    { command: "planloom mcp login tickets" },
    { command: "planloom mcp login tickets --no-browser" },
  ]),
)

const logout = Command.make(
  "logout",
  { server, from, ...reading },
  deferred(async () => (await import("../mcp/logOutAt.ts")).logOutAt),
).pipe(
  Command.withDescription(
    "Forget the login at a server, and ask its authorization server to end the tokens.",
  ),
  Command.withShortDescription("Log out of a server"),
)

const servers = Argument.String("server").pipe(
  Argument.withDescription("Names of servers. Without any: all"),
  Argument.variadic(),
)

const list = Command.make(
  "list",
  { from, json },
  deferred(async () => (await import("../mcp/listServers.ts")).listServers),
).pipe(
  Command.withDescription(
    "List the servers that the project declares, with what is known of them: when they were listed, and which tools are left out or withheld. No server is started.",
  ),
  Command.withShortDescription("List declared servers"),
  Command.withExamples([{ command: "planloom mcp list" }]),
)

const tools = Command.make(
  "tools",
  { servers, from, json },
  deferred(async () => (await import("../mcp/listServerTools.ts")).listServerTools),
).pipe(
  Command.withDescription(
    "List the tools of servers. A server whose list is unknown or out of date is started, or reached.",
  ),
  Command.withShortDescription("List the tools of servers"),
  Command.withExamples([{ command: "planloom mcp tools files" }]),
)

const call = Command.make(
  "call",
  {
    tool: Argument.String("tool").pipe(Argument.withDescription("Its name: server.tool")),
    params: optional(
      Flag.String("params"),
      "json",
      "The params as a JSON object, or @ and the path of a file with one",
    ),
    from,
  },
  deferred(async () => (await import("../mcp/callServerTool.ts")).callServerTool),
).pipe(
  Command.withDescription(
    "Call a tool of a server and print its value as JSON. What the server asks is declined.",
  ),
  Command.withShortDescription("Call a tool of a server"),
  Command.withExamples([
    { command: 'planloom mcp call files.read_text_file --params \'{"path": "README.md"}\'' },
  ]),
)

const approve = Command.make(
  "approve",
  {
    servers,
    from,
    yes: off("yes", "Approve without asking: for a person who has seen the difference"),
    json,
  },
  deferred(async () => (await import("../mcp/approveTools.ts")).approveTools),
).pipe(
  Command.withDescription(
    "Show what servers changed in tools since they were approved, and approve the tools as shown. Until then they are withheld. Without a terminal, --yes is needed.",
  ),
  Command.withShortDescription("Approve tools that servers changed"),
  Command.withExamples([{ command: "planloom mcp approve files" }]),
)

const importFile = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The JSON file in which another client declares its servers"),
    ),
    out: out("New file to write to instead of standard output"),
  },
  deferred(async () => (await import("../mcp/importServersFile.ts")).importServersFile),
).pipe(
  Command.withDescription(
    "Turn the servers that another client declares, such as Claude, Cursor or VS Code, into a file of kind McpServers. What looks like a secret becomes the name of one, which you set in the environment; what has no counterpart is named. No server is started.",
  ),
  Command.withShortDescription("Import servers of another client"),
  Command.withExamples([{ command: "planloom mcp import .mcp.json --out servers.yaml" }]),
)

const sync = Command.make(
  "sync",
  { servers, from, out: out("File to write to instead of standard output") },
  deferred(async () => (await import("../mcp/syncServers.ts")).syncServers),
).pipe(
  Command.withDescription(
    "Write the tools of servers, as they list them now, as a catalog in a stable order, for review and for the differences to an earlier one. The servers are started, or reached. If one cannot be listed, nothing is written.",
  ),
  Command.withShortDescription("Write the tools of servers as a catalog"),
  Command.withExamples([{ command: "planloom mcp sync files --out catalog/files.yaml" }]),
)

export const mcp = Command.make("mcp").pipe(
  Command.withDescription(
    "Use servers of the Model Context Protocol, log in at them, and serve workflows over it.",
  ),
  Command.withSubcommands([serve, list, tools, call, approve, importFile, sync, login, logout]),
)
