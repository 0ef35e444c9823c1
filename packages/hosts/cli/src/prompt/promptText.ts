/** Formats the prompt of a stage as text: system sections, tools, messages, tokens, and what hooks changed. */
import { diffLines } from "../terminal/diffLines.ts"
import { count, plural } from "../terminal/quantity.ts"
import type { Style } from "../terminal/Style.ts"
import { visible, wrap } from "../terminal/text.ts"
import type { ShownPrompt } from "./ShownPrompt.ts"

export interface PromptHeading {
  readonly workflow: string
  readonly path: string
  readonly uses: string
  /** Expressions that have no value before the run. */
  readonly open: ReadonlyArray<string>
}

export const promptText = (
  heading: PromptHeading,
  prompt: ShownPrompt,
  withDiff: boolean,
  style: Style,
  width: number,
): string => {
  const { exact, messages, mode, model, output, sections, tokens, tools, versions } = prompt
  const dim = (text: string) => wrap(text, width).map(style.dim)
  const tokensText = (of: number) => `${exact ? "" : "about "}${plural(of, "token")}`
  const body = (text: string) => wrap(visible(text), width - 4).map((line) => `    ${line}`)
  const part = (title: string, about: string, text: string) => [
    ...wrap(`  ${title}  ${about}`, width).map((line, at) =>
      at === 0 ? line.replace(title, style.name(title)) : line,
    ),
    ...body(text),
    "",
  ]
  const pinned = Object.entries(versions).map(([name, version]) => `version ${version} of ${name}`)
  return [
    `${style.bold(`${heading.workflow}: ${heading.path}`)}`,
    ...dim(
      [
        `  ${heading.uses} asks ${model}`,
        ...(mode === "" ? [] : [`prompt mode ${mode}`]),
        ...pinned,
      ].join(", "),
    ),
    ...dim("  the first request of the stage; later ones add replies and results of tools"),
    ...(heading.open.length === 0
      ? []
      : dim(`  no value before a run, shown as ‹…›: ${heading.open.join(", ")}`)),
    "",
    `${style.bold("System")}  ${tokensText(tokens.system)}`,
    ...(sections.length === 0 ? ["  none", ""] : []),
    ...sections.flatMap(({ id, source, stable, text, tokens: own }) =>
      part(id, `${source}, ${tokensText(own)}, ${stable ? "stable" : "not stable"}`, text),
    ),
    `${style.bold("Tools")}  ${tokensText(tokens.tools)}`,
    ...(tools.length === 0 ? ["  none", ""] : []),
    ...tools.flatMap(({ description, name, parameters, tokens: own }) =>
      part(name, tokensText(own), `${description}\n${JSON.stringify(parameters, null, 2)}`),
    ),
    `${style.bold("Messages")}  ${tokensText(tokens.messages)}`,
    ...messages.flatMap(({ role, text, tokens: own }) => part(role, tokensText(own), text)),
    ...(output === undefined
      ? []
      : [`${style.bold("Output")}  JSON "${output.name}", ${tokensText(output.tokens)}`, ""]),
    `${style.bold("Sum")}  ${tokensText(tokens.total)}: ${count(tokens.system)} system, ${count(tokens.tools)} tools, ${count(tokens.messages)} messages${output === undefined ? "" : `, ${count(output.tokens)} output`}`,
    ...(withDiff ? ["", ...hookLines(prompt, style, width)] : []),
  ].join("\n")
}

const hookLines = ({ hooks }: ShownPrompt, style: Style, width: number): ReadonlyArray<string> => [
  style.bold("Hooks"),
  ...(hooks.length === 0 ? ["  no hook changed the prompt"] : []),
  ...hooks.flatMap(({ changes, failure, finding, hook, point, skipped }) => [
    `  ${style.name(hook)}  at ${point}`,
    ...changes.flatMap(({ after, before, part }) => [
      `    ${part}`,
      ...diffLines(
        wrap(visible(before), width - 8).join("\n"),
        wrap(visible(after), width - 8).join("\n"),
        style,
      ).map((line) => `      ${line}`),
    ]),
    ...(finding === undefined
      ? []
      : wrap(visible(`    ${finding.verdict}: ${finding.reason ?? ""}`), width)),
    ...(failure === undefined
      ? []
      : wrap(
          visible(`    failed${skipped === true ? " and was skipped" : ""}: ${failure.message}`),
          width,
        ).map(style.warn)),
    "",
  ]),
]
