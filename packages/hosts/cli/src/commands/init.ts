/** `planloom init`: writes a small working project. */
import type { ProviderName, TemplateName } from "create-planloom"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { deferred } from "../deferred.ts"
import { off } from "./options.ts"

const templates = [
  "prompt",
  "agent",
  "approval",
  "documents",
  "table",
] as const satisfies ReadonlyArray<TemplateName>
const providers = [
  "anthropic",
  "openai",
  "google",
  "ollama",
  "none",
] as const satisfies ReadonlyArray<ProviderName>

export const init = Command.make(
  "init",
  {
    dir: Argument.String("dir").pipe(
      Argument.withDescription("Folder of the project; created if it does not exist"),
      Argument.withDefault("."),
    ),
    template: Flag.Literals("template", templates).pipe(
      Flag.withMetavar(templates.join("|")),
      Flag.withDescription(
        "prompt: a prompt, a model, tests and an evaluation; agent: a model that calls an HTTP API; approval: a draft that a person approves; documents: answers from your documents, with citations; table (default without a terminal): a question about a table becomes a checked plan",
      ),
      Flag.withDefault(undefined),
    ),
    provider: Flag.Literals("provider", providers).pipe(
      Flag.withMetavar(providers.join("|")),
      Flag.withDescription(
        "The service of the model; none (default without a terminal): stages work by rules",
      ),
      Flag.withDefault(undefined),
    ),
    yes: off("yes", "Ask no questions; use the defaults"),
    install: Flag.Boolean("install").pipe(
      Flag.withDescription(
        "Install the project with the package manager in use; --no-install writes its files only",
      ),
      Flag.withDefault(true),
    ),
  },
  deferred(async () => (await import("../create/initProject.ts")).initProject),
).pipe(
  Command.withDescription(
    "Write a project and install it: a workflow, tests that need no key, README, scripts, CI, and schemas for editors. Asks at a terminal for the template and the provider. Never overwrites a file. `npm create planloom` does the same without an installed command.",
  ),
  Command.withShortDescription("Start a project"),
  Command.withExamples([
    { command: "planloom init my_project" },
    { command: "planloom init my_project --template agent --provider anthropic" },
  ]),
)
