/** Narrows the type of a path by what is proven about it. */
import { noProof } from "./guards.ts"
import type { Proof } from "./guards.ts"
import { pathOf } from "../syntax/Node.ts"
import type { Node } from "../syntax/Node.ts"
import { canEqual, fieldIn, union } from "./Type.ts"
import type { Type } from "./Type.ts"

/** Removes from a union what the proof excludes: null, and objects of which a field has another text. */
export const narrow = (type: Type, node: Node, proof: Proof): Type => {
  if (type.kind !== "union" || proof === noProof) return type
  const { equal, notNull, unequal } = proof
  const path = pathOf(node)?.join(".")
  if (path === undefined) return type
  const within = <A>(facts: ReadonlyMap<string, A>): ReadonlyArray<readonly [string, A]> =>
    [...facts].flatMap(([of, fact]) =>
      of.startsWith(`${path}.`) ? [[of.slice(path.length + 1), fact] as const] : [],
    )
  const same = within(equal)
  const others = within(unequal)
  return union(
    type.members.filter(
      (member) =>
        !(member.kind === "null" && (notNull.has(path) || same.length > 0)) &&
        same.every(([name, text]) => mayHave(member, name, text)) &&
        others.every(([name, texts]) => mayDiffer(member, name, texts)),
    ),
  )
}

/** Whether a field of a value of this type may be the text. */
const mayHave = (type: Type, name: string, text: string): boolean => {
  const field = type.kind === "object" ? fieldIn(type, name) : undefined
  return field === undefined || canEqual(field.type, { kind: "string", values: [text] })
}

/** Whether a field of a value of this type may be something else than these texts. */
const mayDiffer = (type: Type, name: string, texts: ReadonlyArray<string>): boolean => {
  const field = type.kind === "object" ? fieldIn(type, name) : undefined
  const values = field?.type.kind === "string" ? field.type.values : undefined
  return values === undefined || values.some((value) => !texts.includes(value))
}
