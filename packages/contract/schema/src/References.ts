/** Targets of the references in a schema, also by anchors and ids: rather too many than too few. */
import { eachSubschema } from "./keywords.ts"
import { targetOf } from "./reference.ts"
import type { JsonSchema, SchemaObject } from "./Schema.ts"

export class References {
  /** Schemas by the innermost schema with an id around them, which their references are relative to. */
  private readonly bases = new Map<object, SchemaObject>()
  private readonly anchors = new Map<string, Array<SchemaObject>>()
  /** The root, and schemas with an id. */
  private readonly documents: Array<SchemaObject> = []

  constructor(root: SchemaObject) {
    this.documents.push(root)
    this.survey(root, root)
  }

  private survey(schema: JsonSchema, around: SchemaObject): void {
    if (typeof schema === "boolean") return
    const { $anchor, $dynamicAnchor, $id } = schema
    const isDocument = typeof $id === "string" && !$id.startsWith("#")
    if (isDocument && schema !== this.documents[0]) this.documents.push(schema)
    const base = isDocument ? schema : around
    this.bases.set(schema, base)
    const local = typeof $id === "string" && !isDocument ? $id.slice(1) : undefined
    for (const name of [$anchor, $dynamicAnchor, local]) {
      if (typeof name !== "string") continue
      const known = this.anchors.get(name)
      if (known === undefined) this.anchors.set(name, [schema])
      else known.push(schema)
    }
    eachSubschema(schema, (inner) => this.survey(inner, base))
  }

  /** Schemas that a schema applies by reference. */
  of(schema: SchemaObject): ReadonlyArray<JsonSchema> {
    const { $dynamicRef, $ref } = schema
    if ($ref === undefined && $dynamicRef === undefined) return []
    return [$ref, $dynamicRef].flatMap((reference): ReadonlyArray<JsonSchema> =>
      typeof reference === "string" ? this.targets(schema, reference) : [],
    )
  }

  private targets(schema: SchemaObject, reference: string): ReadonlyArray<JsonSchema> {
    const at = reference.indexOf("#")
    const address = at < 0 ? reference : reference.slice(0, at)
    const fragment = at < 0 ? "" : reference.slice(at + 1)
    const documents =
      address === "" ? [this.bases.get(schema) ?? this.documents[0]!] : this.named(address)
    if (fragment !== "" && !fragment.startsWith("/")) return this.anchors.get(fragment) ?? []
    return documents.flatMap((document): ReadonlyArray<JsonSchema> => {
      const target = targetOf(document, `#${fragment}`)
      return target === undefined ? [] : [target]
    })
  }

  /** Documents with an address that ends alike; all of them if none does, because addresses have many spellings. */
  private named(address: string): ReadonlyArray<SchemaObject> {
    const end = address.split("/").at(-1)!
    const found = this.documents.filter(
      ({ $id }) => typeof $id === "string" && $id.split("#")[0]!.split("/").at(-1) === end,
    )
    return found.length === 0 ? this.documents : found
  }
}
