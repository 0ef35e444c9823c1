/** Settings that somebody wants switched and no tool is for, and what is asked then. */
import type { Tool } from "@planloom/plugin/effect"
import { wishes } from "../language/clauses.ts"
import { wordsOf } from "../language/words.ts"
import { hasRole } from "./fillArguments.ts"
import { isFor, settingNamed } from "./settingNamed.ts"

export const isSwitch = (tool: Tool): boolean => hasRole(tool, "switch")

/** The first setting that is wanted switched and that no tool is for. */
export const unknownSetting = (line: string, tools: ReadonlyArray<Tool>): string | undefined => {
  const switches = tools.filter(isSwitch)
  const settings = [line, ...wishes(line)].flatMap((wish) => settingNamed(wish) ?? [])
  return settings.find((setting) => !switches.some((tool) => isFor(tool, setting)))
}

/** Names more of what can be switched would not fit into a reply. */
const MOST_NAMED = 3

export const askWhichSetting = (setting: string, tools: ReadonlyArray<Tool>): string => {
  const names = tools
    .filter(isSwitch)
    .slice(0, MOST_NAMED)
    .map(({ name }) => name.replace(/^(?:toggle|switch|set)_/, "").replaceAll("_", " "))
  const wanted = wordsOf(setting).length > 4 ? "that" : `"${setting}"`
  return `I cannot switch ${wanted}. Which do you mean: ${names.join(", ")}?`
}
