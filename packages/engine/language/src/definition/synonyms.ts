/** Words by which other tools name the keys of stages and sections. */
import { suggest } from "@planloom/expression/suggestion"

/** Keys of stages and sections, each with the words by which other tools name it. */
const synonyms: ReadonlyArray<ReadonlyArray<string>> = [
  ["task", "prompt", "instruction", "instructions", "system", "question", "query", "text"],
  ["message", "question", "prompt", "text", "title"],
  ["for", "seconds", "duration", "delay", "time", "timeout", "ms"],
  ["value", "result", "output", "data", "content"],
  ["params", "args", "arguments", "parameters", "input", "inputs", "with"],
  ["tool", "function", "name", "action"],
  ["schema", "format", "output_schema", "json_schema", "response_format"],
  ["context", "input", "inputs", "data", "variables", "vars", "documents"],
  ["queries", "query", "question", "search"],
  ["limit", "top_k", "k", "max_results"],
  ["max_turns", "max_iterations", "max_steps", "iterations"],
  ["max_calls", "max_tool_calls"],
  ["folder", "path", "dir", "directory"],
]

/** The known name that a key stands for: the nearest one, or the only one that other tools call so. */
export const meant = (key: string, names: ReadonlyArray<string>): string | undefined => {
  const near = suggest(key, names)
  if (near !== undefined) return near
  const others = synonyms.flatMap(([own, ...words]) =>
    words.includes(key) && names.includes(own!) ? [own!] : [],
  )
  return others.length === 1 ? others[0] : undefined
}
