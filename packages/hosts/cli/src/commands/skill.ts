/** `planloom skill`: the language as a skill of coding agents. */
import * as Command from "effect/cli/Command"
import { deferred } from "../deferred.ts"
import { out } from "./options.ts"

export const skill = Command.make(
  "skill",
  { out: out("Folder of skills, such as .claude/skills, to write planloom/SKILL.md into") },
  deferred(async () => (await import("../author/printSkill.ts")).printSkill),
).pipe(
  Command.withDescription(
    "Print SKILL.md for coding agents: the order of work, and every key, component and function of this version.",
  ),
  Command.withShortDescription("The language for coding agents"),
  Command.withExamples([
    { command: "planloom skill" },
    { command: "planloom skill --out .claude/skills" },
  ]),
)
