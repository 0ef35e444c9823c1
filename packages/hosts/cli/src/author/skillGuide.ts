/** The part of the skill that no schema has: the order of work, the shape of a file, and traps of YAML and expressions. */

/** Checked by a test, and run. */
export const skillWorkflow = `apiVersion: planloom/v1
kind: Workflow
name: triage
use: { plugins: ["@planloom/stages", "@planloom/provider-anthropic"] }
secrets: [ANTHROPIC_API_KEY]
inputs:
  ticket: { type: string }
models:
  small: { try: [anthropic/claude-haiku-4-5], max_tokens: 300 }
stages:
  - id: label
    uses: generate
    model: small
    with:
      task: Which team handles this ticket?
      context: "\${{ inputs.ticket }}"
      schema: { type: object, required: [team], properties: { team: { enum: [billing, product] } } }
  - id: draft
    uses: generate
    model: small
    if: "stages.label.output.value.team == 'billing'"
    with:
      task: Write a short answer.
      context: "\${{ inputs.ticket }}"
outputs:
  team: "\${{ stages.label.output.value.team }}"
  answer: "\${{ has(stages.draft.output) ? stages.draft.output.text : '' }}"
`

export const skillTest = `apiVersion: planloom/v1
kind: WorkflowTest
workflow: triage.yaml
tests:
  - name: a double charge gets an answer
    given:
      inputs: { ticket: I was charged twice }
      models: { label: [{ json: { team: billing } }], draft: [{ text: We refund it. }] }
    expect:
      assert: [outputs.team == 'billing', outputs.answer == 'We refund it.']
`

export const skillGuide = (version: string): string => `---
name: planloom
description: Write, check, test and run Planloom workflows (YAML files with apiVersion planloom/v1), with every key of version ${version}.
---

# Planloom ${version}

A workflow is a YAML file in \`workflows/\`: inputs, models, stages in order, outputs. Models, tools, hooks and reviews come from plugins that \`use.plugins\` names.

## Order of work

1. Write \`workflows/NAME.yaml\`, and \`workflows/NAME.test.yaml\` with scripted replies.
2. \`planloom check --json\`: for each diagnostic, change the text at its place as its help says. \`planloom explain CODE\` has more. Repeat until nothing is left.
3. \`planloom test\`: needs no key.
4. \`planloom plan NAME --input name=value\`: prompts, tools, and the maximum of calls, tokens and cost.
5. \`planloom run NAME --input name=value\`. \`--json\` prints events and the result; exit code 4 is a question to a person: \`planloom runs answer\`.

Invent no key: what is not listed below is an error. \`planloom list stages | tools | hooks | subagents | validators | models | functions\` shows components with those of your plugins.

## A workflow and its test

\`\`\`yaml
${skillWorkflow}\`\`\`

\`\`\`yaml
${skillTest}\`\`\`

## Expressions

CEL. A text with values is \`"\${{ … }}"\`; one that is exactly an expression keeps the value's type. \`if\`, \`until\`, \`that\` and \`in\` take a bare expression in quotes.
In scope: \`inputs.NAME\`, \`stages.ID.output\`, \`stages.ID.outcome\` (success, failure or skipped), \`user.FIELD\`, \`flags.NAME\`, \`session\`, \`item\` or the name of \`as\` in \`for_each\`, \`iter\` in \`repeat\`, \`run.id\`.
The output of a stage with \`if\` may be absent: \`has(stages.draft.output) ? stages.draft.output.text : ''\`. There is no \`??\`, no \`.?\`, no \`===\` and no filter with \`|\`.

## YAML

- Put every expression in quotes; within double quotes write text in single quotes: \`"stages.a.output == 'yes'"\`.
- A backslash in double quotes is an escape: write patterns in single quotes.
- A text with \`: \` or \` #\` needs quotes, or \`|\` and lines below it.
- \`yes\`, \`no\`, \`on\` and \`off\` are texts. Durations are \`500ms\`, \`30s\`, \`5m\`, \`2h\`, \`1d\`.
- Secrets are names of environment variables under \`secrets\`, never values.
`
