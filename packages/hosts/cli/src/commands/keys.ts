/** `planloom keys`: creates, lists and revokes API keys of `planloom serve`. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, optional } from "./options.ts"

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("Who or what uses the key, such as billing_job"),
    ),
    scope: Flag.String("scope").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription(
        "What the key may do: runs:read, runs:write, workflows:read, models:write, prompts:write, reviews:read, reviews:write, users:erase, audit:read, metrics:read or admin (everything). May be repeated; runs:read unless given",
      ),
      Flag.atLeast(0),
    ),
    workflow: Flag.String("workflow").pipe(
      Flag.withMetavar("name"),
      Flag.withDescription(
        "A workflow that the key is limited to: others do not exist for it. May be repeated; all unless given",
      ),
      Flag.atLeast(0),
    ),
    expires: optional(Flag.String("expires"), "duration", "How long the key is valid, such as 90d"),
    json,
  },
  deferred(async () => (await import("../keys/createKey.ts")).createKey),
).pipe(
  Command.withDescription(
    "Create an API key and print it. It is shown once; only its hash is stored.",
  ),
  Command.withShortDescription("Create an API key"),
)

const list = Command.make(
  "list",
  { json },
  deferred(async () => (await import("../keys/listKeys.ts")).listKeys),
).pipe(Command.withDescription("List API keys with their scopes, newest first."))

const revoke = Command.make(
  "revoke",
  {
    key: Argument.String("id").pipe(
      Argument.withDescription("Id of a key, or the name if only one key has it"),
    ),
  },
  deferred(async () => (await import("../keys/revokeKey.ts")).revokeKey),
).pipe(
  Command.withDescription(
    "Revoke an API key; a running server rejects it from its next request on.",
  ),
  Command.withShortDescription("Revoke an API key"),
)

export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list and revoke API keys of `planloom serve`."),
  Command.withSubcommands([create, list, revoke]),
)
