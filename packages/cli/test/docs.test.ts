/** docs/cli.md says what the command does: its generated parts come from the commands themselves. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { failureClasses, type RunEventType } from "@planloom/plugin"
import { expect, it } from "vitest"
import { exitCodeTable, reference } from "./reference.ts"

const docs = join(import.meta.dirname, "../../../docs")

const intro = `# The command line

<!-- Written from the commands' own descriptions by packages/cli/test/docs.test.ts. To write it anew:
     npx -y pnpm@12 exec vitest run --config .config/vitest.config.ts packages/cli/test/docs.test.ts -u -->

\`planloom <subcommand> --help\` says all of this, too. A workflow is named by its path, or by the name of
a file in \`workflows/\`: \`planloom run plan\` is \`planloom run workflows/plan.yaml\`.

## Exit codes

`

const output = `
## What goes where

Results go to standard output, everything said about them to standard error. On a pipe \`run\` prints its
outputs and nothing else; a note about stages that worked without a model, or why a run failed, is on
standard error. On a terminal the stages are shown as they work: what runs side by side, iterations, tries
and when the next one begins, tokens and cost. What is settled stays in the terminal's history.

Colours follow the terminal. \`NO_COLOR\` switches them off, \`FORCE_COLOR\` on. What comes from models, tools
and files is shown without escape sequences and control characters.

Charts and reports are files: \`run\` writes them to \`.planloom/out/<run>/\`, a folder for each run, and prints
where. With \`--out folder\` every output is written to that folder: texts as \`.md\`, charts as \`.svg\`, reports as
\`.html\`, everything else as \`.json\`. Files that tools write are in \`.planloom/work/<run>/\`. Both folders are
removed when the run is [pruned](runs.md#files-of-a-run).

## How a command ends early

Ctrl-C cancels a run: its stages and tools are interrupted, its \`finally\` stages run, and the process ends
with 130. SIGTERM does the same with 143, and SIGHUP, which a closed terminal sends, with 129. A second signal
ends the process at once, except for a repeated SIGHUP: shells send it twice. \`planloom runs resume\` resumes the
run, see [runs.md](runs.md).

A reader that goes away, as in \`planloom run plan --json | head -1\`, cancels the run in the same way at the next
write, with 141. Other commands end silently with 141.

When standard output cannot be written, such as on a full disk, the command prints one line
(\`planloom: write error: no space left on device\`) on standard error and ends with 3. A run is not cancelled for
that: what it did is recorded. Files named by \`--out\` that cannot be written end with 3, too. When standard error
cannot be written, the exit code stays as it is.

## Trust

Every command takes \`--trust\`, which loads code of the folder this time only, and \`--no-plugins\`, which loads the
plugins that come with planloom and no others. Without either, code of a folder that is not trusted is asked about on
a terminal and refused elsewhere: [trust.md](trust.md).

## Inputs

\`--input name=value\` is read as the workflow's input says: \`3\` is a number for an \`integer\` and text for a
\`string\`. Lists and objects are JSON; a list may also be given item by item, by repeating \`--input\`.
\`name=@file\` takes the value from a file, and \`name=@@text\` is the text \`@text\`. \`--inputs file.json\` gives
all of them at once; a single \`--input\` wins over it. An input without a default must be given.

## Events: \`run --json\`

One JSON object per line, as things happen: the events of [events.md](events.md). Fields are only ever
added. The last line is not an event but what they add up to:

| type | tells |
|---|---|
| \`Result\` | \`status\` (\`succeeded\`, \`failed\`, \`cancelled\`, \`suspended\`, \`clarification\`), \`outputs\`, \`failure\`, \`waits\`, \`degraded\`, \`stages\` by path, \`usage\`, \`startedAt\`, \`finishedAt\` |
| \`Invalid\` | instead of all events, when the files have problems: \`diagnostics\` as \`check --format json\` prints them |

The classes of a \`failure\`, which retry policies name too:

| class | meaning |
|---|---|
`

const completions = `
## Completions

\`\`\`console
planloom --completions bash > ~/.local/share/bash-completion/completions/planloom
planloom --completions zsh > "\${fpath[1]}/_planloom"
planloom --completions fish > ~/.config/fish/completions/planloom.fish
\`\`\`

## Commands

`

/** Typed, so that an event added to the contract is missed here. */
const eventTypes: { readonly [type in RunEventType]: true } = {
  RunStarted: true,
  RunResumed: true,
  RunReset: true,
  RunForked: true,
  RunMigrated: true,
  SessionOpened: true,
  StageStarted: true,
  StageSkipped: true,
  StageFinished: true,
  StageFailed: true,
  AttemptFailed: true,
  Degraded: true,
  IterationStarted: true,
  IterationFinished: true,
  AssertionFailed: true,
  ModelCalled: true,
  ReplyRead: true,
  Reasoned: true,
  ToolCalled: true,
  Progressed: true,
  Noted: true,
  Asked: true,
  Answered: true,
  RunSuspended: true,
  OutputReady: true,
  RunFinished: true,
  RunFailed: true,
  RunCancelled: true,
}

it("docs/events.md knows every event", async () => {
  const text = await readFile(join(docs, "events.md"), "utf8")
  for (const type of Object.keys(eventTypes)) expect(text).toContain(`\`${type}\``)
})

it("docs/cli.md is what the commands say of themselves", async () => {
  const classes = Object.entries(failureClasses).map(
    ([name, meaning]) => `| \`${name}\` | ${meaning} |`,
  )
  const text = [
    intro,
    exitCodeTable(),
    "\n",
    output,
    classes.join("\n"),
    "\n",
    completions,
    await reference(),
  ].join("")
  await expect(text).toMatchFileSnapshot(join(docs, "cli.md"))
})
