/** The dashboards of this repository: their panels, and what their queries name. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const root = join(import.meta.dirname, "../../../..")

export interface Query {
  readonly panel: string
  readonly expr: string
}

export interface Dashboard {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly queries: ReadonlyArray<Query>
}

export const dashboards = (): ReadonlyArray<Dashboard> =>
  globSync("deploy/dashboards/*.json", { cwd: root })
    .toSorted()
    .map((path) => {
      const { panels, title } = JSON.parse(readFileSync(join(root, path), "utf8"))
      const drawn = panels.filter(({ type }: any) => type !== "row")
      return {
        name: basename(path),
        title,
        description: drawn.map(({ description }: any) => description).join("\n"),
        queries: drawn.flatMap((panel: any) =>
          panel.targets.map(({ expr }: any) => ({ panel: panel.title, expr })),
        ),
      }
    })

/** Labels that a query reads of each metric: by its own selector, and by the lists of the query. */
export const namedIn = (expr: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const own = new Map<string, Set<string>>()
  const lists = new Set<string>()
  const listed = expr.replaceAll(/\b(?:by|on)\s*\(([^)]*)\)/g, (_, names: string) => {
    for (const name of names.split(",")) if (name.trim() !== "") lists.add(name.trim())
    return " "
  })
  const selected = listed.replaceAll(
    /([a-z_:][\w:]*)\{((?:[^}"]|"[^"]*")*)\}/gi,
    (_, metric: string, matchers: string) => {
      const labels = own.get(metric) ?? new Set<string>()
      for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.add(label!)
      own.set(metric, labels)
      return " "
    },
  )
  const words = selected
    .replaceAll(/"[^"]*"|\[[^\]]*\]/g, " ")
    .matchAll(/[a-z_:][\w:]*(?!\w|\s*\()/gi)
  for (const [metric] of words) if (!keywords.has(metric)) own.set(metric, new Set())
  return new Map([...own].map(([metric, labels]) => [metric, new Set([...labels, ...lists])]))
}

/** Words that are no metric where no parenthesis follows. */
const keywords: ReadonlySet<string> = new Set([
  "and",
  "bool",
  "group_left",
  "group_right",
  "max",
  "min",
  "or",
  "sum",
  "unless",
])
