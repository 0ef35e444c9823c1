/** Formats an estimate as text: the stages in order, then the totals. */
import { formatDuration } from "@planloom/plugin/duration"
import type { Pipeline } from "@planloom/core"
import { count, money, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { wrap } from "../terminal/text.ts"
import type { Estimate, StageEstimate } from "@planloom/estimate"
import { partLines, rangeText } from "./rangeText.ts"

export const planText = (
  pipeline: Pipeline,
  { finally: last, session, stages, worst }: Estimate,
  style: Style,
  width: number,
): string => {
  const section = (list: ReadonlyArray<StageEstimate>) => {
    let number = 0
    return list.flatMap((stage) => {
      if (stage.depth === 0) number++
      return stageLines(stage, number, style, width)
    })
  }
  return [
    style.bold(pipeline.name),
    ...policyLines(pipeline),
    "",
    ...section(stages),
    ...(last.length === 0 ? [] : ["", style.bold("finally"), ...section(last)]),
    ...(session.length === 0 ? [] : ["", style.bold("session"), ...section(session)]),
    "",
    style.bold("Worst case"),
    ...worstLines(pipeline, worst).flatMap((line) => wrap(`  ${line}`, width)),
  ].join("\n")
}

const policyLines = ({ budget, concurrency, timeout }: Pipeline): ReadonlyArray<string> => [
  ...(timeout === undefined ? [] : [`  stops after ${formatDuration(timeout)}`]),
  ...(budget === undefined ? [] : [`  budget: ${budgetText(budget)}`]),
  ...(concurrency === undefined
    ? []
    : [
        `  at most ${concurrency.limit} at a time in group ${concurrency.group}, then ${concurrency.on_limit}`,
      ]),
]

const budgetText = (budget: NonNullable<Pipeline["budget"]>): string =>
  [
    budget.tokens === undefined ? [] : [`${count(budget.tokens)} tokens`],
    budget.cost_usd === undefined ? [] : [money(budget.cost_usd)],
    budget.model_calls === undefined ? [] : [plural(budget.model_calls, "model call")],
    budget.tool_calls === undefined ? [] : [plural(budget.tool_calls, "tool call")],
    budget.time === undefined ? [] : [formatDuration(budget.time)],
  ]
    .flat()
    .join(", ")

const stageLines = (
  stage: StageEstimate,
  number: number,
  style: Style,
  width: number,
): ReadonlyArray<string> => {
  const { depth, needs, node, occurrences, work } = stage
  const indent = "  ".repeat(depth + 1)
  const what = work === undefined ? "stages" : work.uses
  const after =
    needs === undefined
      ? ""
      : needs.length === 0
        ? ", immediately"
        : `, after ${needs.join(" and ")}`
  const times = occurrences > 1 ? style.dim(`  up to ${occurrences} times`) : ""
  const mark = depth === 0 ? `${String(number).padStart(2)}. ` : "  - "
  return [
    `${indent.slice(2)}${mark}${style.name(node.id)}  ${what}${after}${times}`,
    ...detailsOf(stage).flatMap((line) => wrap(`${indent}    ${line}`, width).map(style.dim)),
  ]
}

const detailsOf = (stage: StageEstimate): ReadonlyArray<string> => {
  const { attempts, examples, mechanical, models, node, openList, path, prompt, work } = stage
  const { branch, repeat } = node.work.type === "block" ? node.work : {}
  const { fallback, forEach, policy } = node
  return [
    ...(node.condition === undefined ? [] : [`only if ${node.condition.source}`]),
    ...(forEach === undefined
      ? []
      : [
          `for each in ${forEach.in.source}, ${forEach.maxParallel} at a time${openList === path ? "; number of items unknown before the run" : ""}`,
        ]),
    ...(branch === undefined
      ? []
      : [
          `one of ${branch.cases.map((name) => name ?? "else").join(", ")}, by ${branch.on.source}`,
        ]),
    ...(repeat === undefined
      ? []
      : [
          `until ${repeat.until.source}, at most ${plural(repeat.maxIterations, "time")}, then ${repeat.onExhausted}`,
        ]),
    ...(work?.kind.model === undefined
      ? []
      : [
          `model ${[...models, ...(mechanical && (models.length === 0 || work.model?.otherwise === "mechanical") ? ["mechanical"] : [])].join(", then ") || "none"}`,
        ]),
    ...Object.entries(stage.leftOut).map(
      ([model, settings]) =>
        `${model} is called without ${settings.join(", ")}, which it does not accept`,
    ),
    ...(prompt === undefined ? [] : [promptText(prompt)]),
    ...(examples === undefined
      ? []
      : [
          `${plural(examples.count, "example")} of ${examples.file}; at most ${examples.exact ? "" : "about "}${count(examples.tokens)} tokens`,
        ]),
    ...(stage.with === undefined ? [] : withText(stage.with)),
    ...stage.near.map(nearText),
    ...(stage.total.calls.most === 0 ? [] : [worstText(stage)]),
    ...(policy?.timeout === undefined
      ? []
      : [`at most ${formatDuration(policy.timeout)} per attempt`]),
    ...(attempts > 1 ? [retryText(stage)] : []),
    ...(policy?.budget === undefined ? [] : [`budget: ${budgetText(policy.budget)}`]),
    ...node.assertions.map(
      ({ rerun, source }) =>
        `must hold: ${source}${rerun === undefined ? "" : `, else back to ${rerun.id}, at most ${plural(rerun.max, "time")}`}`,
    ),
    ...(node.onError === "continue" ? ["on failure: the run continues"] : []),
    ...(fallback === undefined ? [] : [`on failure: ${fallback.uses}`]),
  ]
}

const nearText = ({ context, model, tokens }: StageEstimate["near"][number]): string =>
  `warning: the known texts and the reply take ${count(tokens)} of the ${count(context)} tokens of ${model}; ${
    tokens > context
      ? "the request does not fit"
      : "with what is unknown before the run it may not fit"
  }`

const worstText = ({ total: { calls, cost, tokens }, unknown }: StageEstimate): string =>
  [
    rangeText(calls, (value) => plural(value, "call")),
    rangeText(tokens, (value) => `${count(value)} tokens`),
    ...(cost === undefined ? [] : [rangeText(cost, money)]),
    ...(unknown.length === 0 ? [] : [`unknown: ${unknown.join(", ")}`]),
  ].join("; ")

const promptText = ({
  exact,
  hot,
  limit,
  mode,
  name,
  open,
  sections,
  tokens,
  tools,
}: NonNullable<StageEstimate["prompt"]>): string =>
  [
    `prompt ${name}${mode === undefined ? "" : ` in mode ${mode}`}: ${sections.join(", ")}`,
    `${exact ? "" : "about "}${count(tokens)} tokens${limit === undefined ? "" : ` of ${count(limit)}`}${open.length === 0 ? "" : ` plus ${open.join(", ")} (unknown before the run)`}`,
    `tools: ${typeof tools === "string" ? tools : tools.join(", ")}${hot === undefined ? "" : `, lazy${hot.length === 0 ? "" : ` except ${hot.join(", ")}`}`}`,
  ].join("; ")

/** Describes the tokens of `with:`; empty without any. */
const withText = ({ open, tokens }: NonNullable<StageEstimate["with"]>): ReadonlyArray<string> => {
  const parts = [
    ...(tokens === 0 ? [] : [`at most ${count(tokens)} tokens`]),
    ...(open.length === 0 ? [] : [`${open.join(", ")} (unknown before the run)`]),
  ]
  return parts.length === 0 ? [] : [`with: ${parts.join(", plus ")}`]
}

const retryText = ({ attempts, node }: StageEstimate): string => {
  const classes = [...new Set((node.policy?.retries ?? []).flatMap(({ on }) => on))]
  return `up to ${plural(attempts, "attempt")}, retried on ${classes.join(", ")}`
}

const worstLines = (
  { budget }: Pipeline,
  { openLists, parts, total, unknown }: Estimate["worst"],
): ReadonlyArray<string> => {
  const { calls, cost, refusals, tokens, toolCalls } = total
  const capped = (
    range: Parameters<typeof rangeText>[0],
    limit: number | undefined,
    show: (value: number) => string,
  ) =>
    limit !== undefined && limit < range.most
      ? `${rangeText(range, show)}, stopped by the budget at ${show(limit)}`
      : rangeText(range, show)
  const tools =
    toolCalls.most === 0
      ? []
      : [capped(toolCalls, budget?.tool_calls, (value) => plural(value, "tool call"))]
  if (calls.most === 0) return ["no model calls, no cost", ...tools]
  return [
    capped(calls, budget?.model_calls, (value) => plural(value, "model call")),
    ...partLines(parts).map((line) => `  ${line}`),
    capped(tokens, budget?.tokens, (value) => `${count(value)} tokens`),
    cost === undefined
      ? budget?.cost_usd === undefined
        ? "cost unknown"
        : `cost unknown, stopped by the budget at ${money(budget.cost_usd)}`
      : capped(cost, budget?.cost_usd, money),
    ...tools,
    ...(refusals.most === 0
      ? []
      : [
          `besides, ${rangeText(refusals, (value) => plural(value, "request"))} that a service refuses because of the form of its JSON, without tokens`,
        ]),
    "each answer of a person to a question of a stage runs that stage again: not counted",
    ...(unknown.length === 0
      ? []
      : [`not included, because unknown before the run: ${unknown.join("; ")}`]),
    ...(openLists.length === 0 ? [] : [`lower limits are per item of ${openLists.join(", ")}`]),
  ]
}
