/** `planloom documents`: syncs, searches and shows the libraries that workflows search. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, off, optional } from "./options.ts"

const libraries = Argument.String("library").pipe(
  Argument.withDescription("Names of libraries. Without any: all"),
  Argument.variadic(),
)

const library = optional(Flag.String("library"), "name", "Only this library; all unless given")

const from = optional(
  Flag.String("from"),
  "file",
  "A workflow, or a file of kind Documents, whose libraries are meant. Without it: all of the project",
)

const sync = Command.make(
  "sync",
  {
    libraries,
    from,
    yes: off("yes", "Agree to what embedding costs, without a question"),
    json,
  },
  deferred(async () => (await import("../documents/syncLibraries.ts")).syncLibraries),
).pipe(
  Command.withDescription(
    "Read what is new or has changed in the documents of libraries, and forget what is gone. Prints what was added, changed and removed, and what cannot be read or only in part. States how many passages of a library with an embedder are to be embedded, with their tokens and cost, and asks before the first of them is sent; later syncs ask only for more tokens than were agreed to. Ends with 1 while a workflow with errors is left out, unless libraries are named.",
  ),
  Command.withShortDescription("Bring the indexes of libraries up to date"),
  Command.withExamples([
    { command: "planloom documents sync" },
    { command: "planloom documents sync papers --json" },
  ]),
)

const status = Command.make(
  "status",
  { libraries, from, json },
  deferred(async () => (await import("../documents/showStatus.ts")).showStatus),
).pipe(
  Command.withDescription(
    "Show the libraries with their files, passages and age as of their last sync, what could not be read, and why a sync failed. Nothing is read anew.",
  ),
  Command.withShortDescription("Show libraries and their last sync"),
)

const search = Command.make(
  "search",
  {
    query: Argument.String("query").pipe(
      Argument.withDescription("What to look for, in a few words"),
    ),
    library,
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("n"),
      Flag.withDescription("Maximum number of passages"),
      Flag.withDefault(5),
    ),
    from,
    json,
  },
  deferred(async () => (await import("../documents/searchLibraries.ts")).searchLibraries),
).pipe(
  Command.withDescription(
    "Search libraries as workflows do, after a sync: passages with their file, heading, page or lines, the words that they have, and those that they lack. `where` of a library does not narrow it: that is for the users of workflows.",
  ),
  Command.withShortDescription("Search libraries by passage"),
  Command.withExamples([{ command: 'planloom documents search "how long do refunds take"' }]),
)

const show = Command.make(
  "show",
  {
    what: Argument.String("file").pipe(
      Argument.withDescription("A file as search prints it, or the id of a passage"),
    ),
    library,
    from,
    json,
  },
  deferred(async () => (await import("../documents/showPassages.ts")).showPassages),
).pipe(
  Command.withDescription(
    "Show the passages of a file with their ids and places, as of the last sync.",
  ),
  Command.withShortDescription("Show the passages of a file"),
  Command.withExamples([{ command: "planloom documents show returns.md" }]),
)

export const documents = Command.make("documents").pipe(
  Command.withDescription(
    "Sync, search and show the libraries of documents that workflows declare under `libraries`.",
  ),
  Command.withShortDescription("Sync, search and show libraries of documents"),
  Command.withSubcommands([sync, status, search, show]),
)
