/** The start of names of tools: `github.*`. */

/** Whether a name is a pattern; tools themselves have no `*` in their names. */
export const isToolPattern = (name: string): boolean => name.endsWith("*")

/** Whether a pattern, or a whole name, means this tool. */
export const meansTool = (pattern: string, tool: string): boolean =>
  isToolPattern(pattern) ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool

/** Whether a list of names and patterns has the tool. */
export const isToolAmong = (tool: string, names: ReadonlyArray<string> = []): boolean =>
  names.some((name) => meansTool(name, tool))

/** Whether some tool could be meant by both. */
export const mayMeanSame = (one: string, other: string): boolean => {
  if (!isToolPattern(one)) return meansTool(other, one)
  if (!isToolPattern(other)) return meansTool(one, other)
  const [a, b] = [one.slice(0, -1), other.slice(0, -1)]
  return a.startsWith(b) || b.startsWith(a)
}
