/** Converts YAML nodes to plain data, and limits how many values aliases add. */
import type { Json } from "@planloom/plugin/effect"
import * as Yaml from "yaml"
import type { Diagnostic } from "./Diagnostic.ts"
import { positionAt } from "./SourceFile.ts"
import type { SourceFile } from "./SourceFile.ts"

/** Nodes that aliases may add to a file; more is an alias bomb. */
const MAX_ALIASED_NODES = 10_000
/** Nesting levels of mappings and lists. */
const MAX_DEPTH = 100

const standard = "tag:yaml.org,2002:"
const plainTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => standard + name),
)

class LimitExceeded extends Error {}

export const toPlain = (
  parsed: Yaml.Document.Parsed,
  file: SourceFile,
): { readonly value: Json; readonly diagnostics: ReadonlyArray<Diagnostic> } => {
  const diagnostics: Array<Diagnostic> = []
  const anchors = new Map<string, Yaml.Node>()
  let aliased = 0

  const report = (node: Yaml.Node, code: string, message: string, help?: string): void => {
    const [from, to] = node.range ?? [0, 0]
    diagnostics.push({
      code,
      severity: "error",
      message,
      file: file.path,
      start: positionAt(file, from),
      end: positionAt(file, to),
      ...(help === undefined ? {} : { help }),
    })
  }

  const convert = (node: unknown, depth: number, inside: ReadonlyArray<Yaml.Node>): Json => {
    if (inside.length > 0 && ++aliased > MAX_ALIASED_NODES) {
      report(
        inside[0]!,
        "PL0006",
        `the aliases of this file add more than ${MAX_ALIASED_NODES.toLocaleString("en")} values`,
        "write the values out, or name a policy, a prompt or a template instead",
      )
      throw new LimitExceeded()
    }
    if (node === null || node === undefined) return null
    if (depth > MAX_DEPTH) {
      report(node as Yaml.Node, "PL0003", `nested more than ${MAX_DEPTH} levels deep`)
      throw new LimitExceeded()
    }
    if (Yaml.isAlias(node)) {
      const target = anchors.get(node.source)
      if (!target) {
        report(node, "PL0003", `there is no anchor &${node.source} before this alias`)
        return null
      }
      if (inside.includes(node) || isOpen(target)) {
        report(node, "PL0006", `the alias *${node.source} contains itself`)
        return null
      }
      return convert(target, depth, [...inside, node])
    }
    const { tag } = node as Yaml.Node
    if (tag?.startsWith(standard) && !plainTags.has(tag) && inside.length === 0) {
      const name = `!!${tag.slice(standard.length)}`
      report(node as Yaml.Node, "PL0005", `${name} is not plain data`, "remove the tag")
      return null
    }
    if ((Yaml.isScalar(node) || Yaml.isCollection(node)) && node.anchor && inside.length === 0) {
      anchors.set(node.anchor, node)
    }
    if (Yaml.isScalar(node)) return convertScalar(node)
    if (Yaml.isMap(node)) {
      const object: { [key: string]: Json } = {}
      open.add(node)
      for (const pair of node.items) {
        const key = Yaml.isScalar(pair.key) ? String(pair.key.value ?? "") : ""
        const value = convert(pair.value, depth + 1, inside)
        if (key === "__proto__") {
          report(pair.key as Yaml.Node, "PL0003", '"__proto__" cannot be a key')
        } else object[key] = value
      }
      open.delete(node)
      return object
    }
    if (Yaml.isSeq(node)) {
      open.add(node)
      const list = node.items.map((item) => convert(item, depth + 1, inside))
      open.delete(node)
      return list
    }
    return null
  }

  /** Nodes under conversion: an alias to one of them would never end. */
  const open = new Set<Yaml.Node>()
  const isOpen = (node: Yaml.Node): boolean => open.has(node)

  const convertScalar = (node: Yaml.Scalar): Json => {
    const { value } = node
    // `!done` is reported as a stray tag; its author meant the text.
    if (node.tag?.startsWith("!")) return `${node.tag} ${String(value ?? "")}`.trim()
    if (typeof value === "number") {
      if (!Number.isFinite(value)) {
        report(node, "PL0007", `${node.source} is not a JSON number`, "quote it to make it text")
        return 0
      }
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        report(
          node,
          "PL0007",
          `${node.source} is beyond ±2^53 and would lose digits`,
          "quote it to make it text",
        )
      }
      return value
    }
    if (typeof value === "string" || typeof value === "boolean" || value === null) return value
    return String(value)
  }

  try {
    return { value: convert(parsed.contents, 0, []), diagnostics }
  } catch (error) {
    if (error instanceof LimitExceeded || error instanceof RangeError)
      return { value: null, diagnostics }
    throw error
  }
}
