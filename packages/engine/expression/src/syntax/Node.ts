/** The syntax tree of an expression. Offsets are relative to the expression's text. */

interface At {
  readonly start: number
  readonly end: number
}

export type BinaryOperator =
  | "||"
  | "&&"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "in"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"

export type Literal = At & {
  readonly op: "literal"
  readonly value: null | boolean | number | string
}
export type Name = At & { readonly op: "name"; readonly name: string }
/** `of.name`; `nameStart` is the offset of the name. */
export type FieldAccess = At & {
  readonly op: "field"
  readonly of: Node
  readonly name: string
  readonly nameStart: number
}
export type IndexAccess = At & { readonly op: "index"; readonly of: Node; readonly index: Node }
/** `name(args)` or `receiver.name(args)`. */
export type Call = At & {
  readonly op: "call"
  readonly name: string
  readonly nameStart: number
  readonly receiver: Node | undefined
  readonly args: ReadonlyArray<Node>
}
export type ListLiteral = At & { readonly op: "list"; readonly items: ReadonlyArray<Node> }
export type MapLiteral = At & {
  readonly op: "map"
  readonly entries: ReadonlyArray<readonly [key: Node, value: Node]>
}
export type Unary = At & { readonly op: "unary"; readonly operator: "!" | "-"; readonly of: Node }
export type Binary = At & {
  readonly op: "binary"
  readonly operator: BinaryOperator
  readonly left: Node
  readonly right: Node
}
export type Choice = At & {
  readonly op: "choice"
  readonly test: Node
  readonly yes: Node
  readonly no: Node
}

export type Node =
  | Literal
  | Name
  | FieldAccess
  | IndexAccess
  | Call
  | ListLiteral
  | MapLiteral
  | Unary
  | Binary
  | Choice

/** The parts of a node, left to right. */
export const childrenOf = (node: Node): ReadonlyArray<Node> => {
  switch (node.op) {
    case "literal":
    case "name":
      return []
    case "field":
    case "unary":
      return [node.of]
    case "index":
      return [node.of, node.index]
    case "call":
      return node.receiver ? [node.receiver, ...node.args] : node.args
    case "list":
      return node.items
    case "map":
      return node.entries.flat()
    case "binary":
      return [node.left, node.right]
    case "choice":
      return [node.test, node.yes, node.no]
  }
}

/** The methods that bind a name for each item of their receiver. */
export const macros: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"])

/** `xs.map(x, …)`: the receiver and the bound name, when the call is one of the macros. */
export const macroOf = (
  node: Call,
):
  | { readonly over: Node; readonly name: string; readonly bodies: ReadonlyArray<Node> }
  | undefined => {
  const [bound, ...bodies] = node.args
  if (!node.receiver || !macros.has(node.name) || bound?.op !== "name") return undefined
  return { over: node.receiver, name: bound.name, bodies }
}

/** The names of a plain path such as `stages.plan.output`; undefined for other nodes. */
export const pathOf = (node: Node): ReadonlyArray<string> | undefined => {
  if (node.op === "name") return [node.name]
  if (node.op === "field") {
    const of = pathOf(node.of)
    return of && [...of, node.name]
  }
  if (node.op === "index" && node.index.op === "literal" && typeof node.index.value === "string") {
    const of = pathOf(node.of)
    return of && [...of, node.index.value]
  }
  return undefined
}
