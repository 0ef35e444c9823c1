/** The fields of a root that expressions read. */

export const usedBy = (
  references: ReadonlyArray<ReadonlyArray<string>>,
  root: string,
): ReadonlySet<string> | "all" => {
  const used = new Set<string>()
  for (const [first, field] of references) {
    if (first !== root) continue
    if (field === undefined) return "all"
    used.add(field)
  }
  return used
}
