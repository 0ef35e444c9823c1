/** Implements `planloom skill`: the language of this version, as a skill of coding agents. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { unwritten } from "../Refused.ts"
import { print } from "../terminal/Screen.ts"
import { skillText } from "./skillText.ts"

export interface SkillFlags {
  readonly out: string | undefined
}

/** The folder of a skill has its name. */
const NAME = "planloom"

export const printSkill: Handler<SkillFlags> = ({ out }) =>
  Effect.gen(function* () {
    const text = yield* Effect.promise(skillText)
    if (out === undefined) {
      print(text)
      return "ok" as ExitName
    }
    const folder = join(out, NAME)
    const path = join(folder, "SKILL.md")
    yield* Effect.tryPromise({
      try: async () => {
        await mkdir(folder, { recursive: true })
        await writeFile(path, text)
      },
      catch: (error) => unwritten(`the skill cannot be written to ${folder}`, error),
    })
    print(path)
    return "ok" as ExitName
  })
