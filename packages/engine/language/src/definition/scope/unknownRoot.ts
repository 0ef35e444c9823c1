/** The issue of a name that an expression cannot read: its meaning elsewhere, or a similar name. */
import type { Field, FieldIssue } from "@planloom/expression/check"
import { onlyNear, suggest } from "@planloom/expression/suggestion"
import type { Definition } from "../Definition.ts"
import { ownMember } from "../ownMember.ts"
import type { StageNode, StageTree } from "./StageTree.ts"

/** `rest` is what follows the name in its expression. */
export const unknownRoot = (
  name: string,
  rest: string,
  { definition, tree }: { readonly definition: Definition; readonly tree: StageTree },
  roots: { readonly [name: string]: Field },
): FieldIssue => {
  const readable = Object.keys(roots).filter((root) => !roots[root]!.forbidden)
  const elsewhere: { readonly [name: string]: string } = {
    iter: "iter exists inside a repeat",
    item: "item exists inside a for_each; with `as: row` it is called row",
    index: "index exists inside a for_each; in a repeat it is iter.index",
    outcome: "outcome exists under finally; of one stage it is stages.x.outcome",
    error: "error exists under finally; of one stage it is stages.x.error",
    rerun: "rerun exists in stages",
    session:
      "session exists once the workflow declares what a turn keeps: session: { request, assistant }",
    user: "user exists once the workflow declares it: user: { type: object, required: [id], properties: { … } }",
    flags: "flags exists once the workflow declares one: flags: { careful: true }",
    texts: "texts exists once the workflow declares it: texts: { greeting: { en: Hello. } }",
    documents:
      "documents exists in the `with` and the prompts of stages once the workflow declares one: documents: { guide: { tool: … } }",
    steps: "write stages",
    input: "write inputs",
    vars: "there are no variables: use inputs, stages, or repeat: { carry, next }",
  }
  const items = tree.all.flatMap(({ stage }) => stage.for_each?.as ?? [])
  const here = [...new Set(items)].filter((one) => Object.hasOwn(roots, one))
  if (name === "item" && here.length === 1) {
    const message = `the item is called "${here[0]}" here`
    return { code: "PL1101", message, help: `write ${here[0]}`, fix: here[0] }
  }
  const [after, field] = /^\.(\w+)/.exec(rest) ?? []
  if (name === "matrix" && here.includes(field ?? "")) {
    const message = `there is nothing called "matrix" here`
    const fix = { text: field!, after: after!.length }
    return { code: "PL1101", message, help: `write ${field}`, fix }
  }
  const isInput = Object.hasOwn(definition.inputs, name)
  const isStage = tree.byId.has(name)
  const help = isInput
    ? `write inputs.${name}`
    : isStage
      ? `write stages.${name}.output`
      : (ownMember(elsewhere, name) ?? nearest(name, definition, tree.byId, readable))
  const whole = /^\s*\.\s*(?:output|outcome|error)\b/.test(rest) ? "" : ".output"
  const fix =
    isInput && isStage
      ? undefined
      : isInput
        ? `inputs.${name}`
        : isStage
          ? `stages.${name}${whole}`
          : (/^write (\w+)$/.exec(help)?.[1] ?? onlyNear(name, readable))
  return { code: "PL1101", message: `there is nothing called "${name}" here`, help, fix }
}

const nearest = (
  name: string,
  definition: Definition,
  stages: ReadonlyMap<string, StageNode>,
  readable: ReadonlyArray<string>,
): string => {
  const options = new Map<string, string>(readable.map((root) => [root, root]))
  for (const input of Object.keys(definition.inputs)) options.set(input, `inputs.${input}`)
  for (const id of stages.keys()) options.set(id, `stages.${id}.output`)
  const near = suggest(name, options.keys())
  const listed = `an expression begins with one of: ${readable.join(", ")}; text is quoted`
  return near === undefined ? listed : `did you mean ${options.get(near)}? ${listed}`
}
