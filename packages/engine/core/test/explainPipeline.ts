/** A pipeline in print, for goldens: what will run, in which order, under which policies. One line a stage. */
import type { RetryPolicy } from "@planloom/language"
import { formatDuration } from "@planloom/plugin/duration"
import type { Block, KindWork, Node, NodePolicy, Pipeline } from "../src/pipeline/Pipeline.ts"

/** Ends without a line break. */
export const explainPipeline = (pipeline: Pipeline): string => {
  const lines = [`workflow ${pipeline.name}`]
  if (pipeline.timeout !== undefined) lines.push(`  timeout ${formatDuration(pipeline.timeout)}`)
  const { concurrency } = pipeline
  if (concurrency !== undefined) {
    lines.push(
      `  concurrency ${concurrency.group} limit ${concurrency.limit}, then ${concurrency.on_limit}`,
    )
  }
  if (pipeline.budget !== undefined) lines.push(`  budget ${budgetText(pipeline.budget)}`)
  explainBlock(pipeline.main, "  ", lines)
  if (pipeline.finally.nodes.length > 0) {
    lines.push("  finally")
    explainBlock(pipeline.finally, "    ", lines)
  }
  if (pipeline.session !== undefined) lines.push(`  session ${sessionText(pipeline.session)}`)
  const early = new Set(pipeline.early.map(({ output }) => output.name))
  for (const { name, source } of pipeline.outputs) {
    lines.push(`  output ${name}${early.has(name) ? " (early)" : ""} = ${source}`)
  }
  return lines.join("\n")
}

const sessionText = ({ state, window }: NonNullable<Pipeline["session"]>): string =>
  [`keeps ${window} ${window === 1 ? "turn" : "turns"}`, ...state.map(({ name }) => name)].join(
    ", ",
  )

const explainBlock = (block: Block, indent: string, lines: Array<string>): void => {
  block.nodes.forEach((node, index) => {
    const needs = block.needs?.[index]
    lines.push(
      `${indent}${heading(
        node,
        needs?.map((other) => block.nodes[other]!.id),
      )}`,
    )
    const inner = `${indent}  `
    if (node.condition !== undefined) lines.push(`${inner}if ${node.condition.source}`)
    if (node.forEach !== undefined) {
      const { as, in: list, maxParallel } = node.forEach
      lines.push(`${inner}for_each ${as} in ${list.source}, ${maxParallel} at a time`)
    }
    if (node.policy !== undefined) lines.push(`${inner}${policyText(node.policy)}`)
    if (node.work.type === "kind") explainKind(node.work, inner, lines)
    else {
      const { repeat } = node.work
      if (repeat !== undefined) {
        lines.push(
          `${inner}repeat until ${repeat.until.source}, at most ${repeat.maxIterations}, then ${repeat.onExhausted}`,
        )
      }
      explainBlock(node.work.block, inner, lines)
    }
    for (const { rerun, source } of node.assertions) {
      lines.push(
        `${inner}assert ${source}${rerun === undefined ? "" : `, else rerun ${rerun.id} at most ${rerun.max} times`}`,
      )
    }
    if (node.onError === "continue") lines.push(`${inner}on_error continue`)
    if (node.fallback !== undefined) lines.push(`${inner}on_error fallback ${node.fallback.uses}`)
  })
}

const heading = (node: Node, needs: ReadonlyArray<string> | undefined): string => {
  const what = node.work.type === "kind" ? node.work.uses : "stages"
  const after =
    needs === undefined ? "" : ` needs ${needs.length === 0 ? "nothing" : needs.join(", ")}`
  return `${node.id} ${what}${after}`
}

const explainKind = (work: KindWork, indent: string, lines: Array<string>): void => {
  if (work.model !== undefined && work.kind.model !== undefined) {
    const names = work.model.choices.map(({ name }) => name)
    lines.push(
      `${indent}model ${[...names, ...(work.model.otherwise === "mechanical" ? ["mechanical"] : [])].join(", then ") || "none"}`,
    )
  }
  if (work.prompt !== undefined) {
    const { alone, modeSource, modes, name } = work.prompt
    const variant = modeSource === undefined ? alone : modes.get(modeSource)
    const sections = variant?.sections.map(({ id }) => id)
    lines.push(
      `${indent}prompt ${name}${modeSource === undefined ? "" : ` in mode ${modeSource}`}${sections === undefined ? "" : `: ${sections.join(", ")}`}`,
    )
  }
}

const policyText = ({ budget, concurrency, retries, timeout }: NodePolicy): string =>
  [
    timeout === undefined ? [] : [`timeout ${formatDuration(timeout)}`],
    retries.map(retryText),
    budget === undefined ? [] : [`budget ${budgetText(budget)}`],
    concurrency === undefined
      ? []
      : [
          `concurrency ${concurrency.group} limit ${concurrency.limit}, then ${concurrency.on_limit}`,
        ],
  ]
    .flat()
    .join("; ")

const retryText = (policy: RetryPolicy): string =>
  `retry ${policy.max_retries} times on ${policy.on.join(", ")}, ${policy.backoff} from ${formatDuration(policy.delay)}`

const budgetText = (budget: NonNullable<Pipeline["budget"]>): string =>
  Object.entries(budget)
    .flatMap(([key, limit]) =>
      limit === undefined ? [] : [`${key} ${key === "time" ? formatDuration(limit) : limit}`],
    )
    .join(", ")
