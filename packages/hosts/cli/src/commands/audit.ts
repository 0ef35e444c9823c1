/** `planloom audit`: lists who answered, swapped, erased, and made or revoked keys. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { json, optional, out } from "./options.ts"

export const audit = Command.make(
  "audit",
  {
    since: optional(Flag.String("since"), "time", "Only what happened since: 2h, 3d or a date"),
    action: optional(
      Flag.String("action"),
      "name",
      "Only one kind: answered, key_created, key_revoked, models_swapped, swap_undone, prompt_changed, review_decided or user_erased",
    ),
    out: out("Write the list to a file, one line of JSON for each entry"),
    json,
  },
  deferred(async () => (await import("../audit/showAudit.ts")).showAudit),
).pipe(
  Command.withDescription(
    "List who did what with runs, models, prompts, reviews, keys and users, oldest first: the name that was given, and the API key, user or shell that it came through. Entries stay when their runs are deleted. --json prints a line of JSON for each entry.",
  ),
  Command.withShortDescription("List who answered, swapped, erased, and made keys"),
)
