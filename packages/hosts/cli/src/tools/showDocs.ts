/** Implements `planloom tools docs`: prints the documentation of a tool. */
import { readFile } from "node:fs/promises"
import type { JsonSchema, Tool } from "@planloom/plugin/effect"
import * as Effect from "effect/Effect"
import type { Handler } from "../deferred.ts"
import type { ExitName } from "../ExitCode.ts"
import { withInventory } from "../list/Inventory.ts"
import { suggestion } from "../project/nearest.ts"
import { problem } from "../Refused.ts"
import { describeType } from "../run/schemaText.ts"
import { print, stdout, textWidth } from "../terminal/Screen.ts"
import type { Style } from "../terminal/Style.ts"
import { definitions } from "../terminal/table.ts"
import { oneLine, visible, wrap } from "../terminal/text.ts"
import type { ToolsFlags } from "./listTools.ts"

export interface DocsFlags extends ToolsFlags {
  readonly name: string
}

export const showDocs: Handler<DocsFlags> = (flags) =>
  withInventory(flags.workflow, flags, ({ tools }) =>
    Effect.gen(function* () {
      const tool = tools.find(({ name }) => name === flags.name)
      if (tool === undefined) {
        const names = tools.map(({ name }) => name)
        return yield* problem(`unknown tool "${flags.name}"`, suggestion(flags.name, names))
      }
      const page = yield* pageOf(tool)
      print(
        flags.json
          ? JSON.stringify({ ...tool, ...(page === undefined ? {} : { page }) }, null, 2)
          : text(tool, page, stdout.style, Math.min(textWidth(stdout), 100)),
      )
      return "ok" as ExitName
    }),
  )

/** Reads the tool's documentation page from the catalog; a missing page is not an error. */
const pageOf = ({ docs }: Tool): Effect.Effect<string | undefined> =>
  docs === undefined
    ? Effect.undefined
    : Effect.promise(() => readFile(docs, "utf8").catch(() => undefined))

const text = (tool: Tool, page: string | undefined, style: Style, width: number): string => {
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines]
  const list = (texts: ReadonlyArray<string>) =>
    texts.flatMap((one) => wrap(`  - ${oneLine(one)}`, width))
  return [
    `${style.name(tool.name)}${tool.group === undefined ? "" : style.dim(`  ${tool.group}`)}`,
    ...wrap(oneLine(tool.summary), width),
    ...(typeof tool.available === "string"
      ? wrap(oneLine(`Unavailable: ${tool.available}`), width).map(style.warn)
      : []),
    ...wrap(effectText(tool), width),
    ...(tool.needs_approval === true ? [style.warn("Requires approval before it runs.")] : []),
    ...section("Parameters", paramLines(tool.params, style, width)),
    ...section("Approvals show", paramLines(tool.approval_fields ?? true, style, width)),
    ...section("Requires", list((tool.requires ?? []).map(({ that }) => that))),
    ...section(
      "Inputs",
      Object.entries(tool.inputs).map(([slot, type]) => `  ${slot}: ${type}`),
    ),
    ...section(
      "Outputs",
      tool.outputs.map((type) => `  ${type}`),
    ),
    ...section(
      "Capabilities",
      tool.capabilities.length === 0 ? [] : [`  ${tool.capabilities.join(", ")}`],
    ),
    ...section(
      "When to use it",
      tool.when_to_use === undefined ? [] : wrap(`  ${oneLine(tool.when_to_use)}`, width),
    ),
    ...section("Examples", list(tool.examples ?? [])),
    ...(page === undefined ? [] : ["", visible(page).trim()]),
  ].join("\n")
}

const effectText = ({ effect, idempotent }: Tool): string => {
  const what =
    effect === undefined
      ? "Counts as a write, because its effect is not declared."
      : effects[effect]
  return idempotent === true ? `${what} A repeated call has the effect of one.` : what
}

const effects = {
  none: "Changes and reads nothing outside the run.",
  read: "Reads data outside the run and changes nothing there.",
  write: "Changes something outside the run.",
} as const

const paramLines = (params: JsonSchema, style: Style, width: number): ReadonlyArray<string> => {
  if (typeof params === "boolean") return []
  const properties = (params["properties"] ?? {}) as { readonly [name: string]: JsonSchema }
  const required = new Set((params["required"] ?? []) as ReadonlyArray<string>)
  return definitions(
    Object.entries(properties).map(([name, schema]) => {
      const said = typeof schema === "object" ? schema["description"] : undefined
      const words = `${describeType(schema)}${required.has(name) ? "" : " (optional)"}${typeof said === "string" ? `. ${said}` : ""}`
      return [style.name(name), wrap(oneLine(words), width - 26)] as const
    }),
    "  ",
    22,
  )
}
