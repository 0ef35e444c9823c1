/** What one kind of operation must say of itself. */
import type { Raw } from "./read.ts"
import type { Operation } from "./Operation.ts"
import type { Column } from "./Table.ts"

export interface OperationKind<O extends Operation> {
  /** The operation in `raw`, checked against the columns it will meet. Throws `DataFailed`. */
  readonly decode: (raw: Raw, columns: ReadonlyArray<Column>) => O
  /** The columns it leaves, in order. */
  readonly columns: (op: O, columns: ReadonlyArray<Column>) => ReadonlyArray<Column>
  /** One `SELECT` over the relation `from`. Everything in it is quoted or a number. */
  readonly sql: (op: O, columns: ReadonlyArray<Column>, from: string) => string
  /** Its result is much smaller than its input, so that keeping it pays. */
  readonly reduces: boolean
}
