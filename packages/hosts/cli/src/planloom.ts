/** The `planloom` command with all its subcommands, in the order in which people need them. */
import * as Command from "effect/cli/Command"
import { audit } from "./commands/audit.ts"
import { build } from "./commands/build.ts"
import { chat } from "./commands/chat.ts"
import { check } from "./commands/check.ts"
import { dev } from "./commands/dev.ts"
import { doctor } from "./commands/doctor.ts"
import { documents } from "./commands/documents.ts"
import { evaluate } from "./commands/eval.ts"
import { experiments } from "./commands/experiments.ts"
import { explain } from "./commands/explain.ts"
import { fmt } from "./commands/fmt.ts"
import { graph } from "./commands/graph.ts"
import { init } from "./commands/init.ts"
import { keys } from "./commands/keys.ts"
import { list } from "./commands/list.ts"
import { mcp } from "./commands/mcp.ts"
import { create } from "./commands/new.ts"
import { models } from "./commands/models.ts"
import { plan } from "./commands/plan.ts"
import { prompt } from "./commands/prompt.ts"
import { prompts } from "./commands/prompts.ts"
import { review } from "./commands/review.ts"
import { run } from "./commands/run.ts"
import { runs } from "./commands/runs.ts"
import { sessions } from "./commands/sessions.ts"
import { users } from "./commands/users.ts"
import { schema } from "./commands/schema.ts"
import { serve } from "./commands/serve.ts"
import { skill } from "./commands/skill.ts"
import { test } from "./commands/test.ts"
import { tools } from "./commands/tools.ts"
import { types } from "./commands/types.ts"
import { debug } from "./debugFlag.ts"
import { trustFlags } from "./trust/flags.ts"

export const planloom = Command.make("planloom").pipe(
  Command.withDescription(
    "Declarative LLM planning workflows: YAML in, a checked, observable run out.",
  ),
  Command.withSubcommands([
    { group: "Write", commands: [init, create, check, fmt, explain, schema, skill, types, build] },
    {
      group: "Run",
      commands: [
        plan,
        run,
        dev,
        chat,
        runs,
        sessions,
        users,
        prompt,
        prompts,
        models,
        experiments,
        review,
        serve,
        keys,
        audit,
        mcp,
        documents,
        test,
        evaluate,
      ],
    },
    { group: "Look", commands: [list, tools, graph, doctor] },
  ]),
  Command.withGlobalFlags([debug, ...trustFlags]),
  Command.withExamples([
    { command: "planloom init my_project", description: "Start here" },
    { command: "planloom check" },
    { command: "planloom run <workflow> --input name=value" },
    { command: "planloom <subcommand> --help", description: "Help for one subcommand" },
  ]),
)
