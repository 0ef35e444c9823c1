/** Prompts for the template of a new project. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { templates, type TemplateName } from "create-planloom"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import { Refused } from "../Refused.ts"

export const askTemplate: Effect.Effect<TemplateName, Refused> = Prompt.run(
  Prompt.Select({
    message: "Which template do you want to start with?",
    choices: Object.entries(templates).map(([value, { summary }]) => ({
      title: `${value}: ${summary}`,
      value: value as TemplateName,
    })),
  }),
).pipe(
  Effect.provide(NodeServices.layer),
  Effect.mapError(() => new Refused({ exit: "interrupted", message: "nothing was written" })),
)
