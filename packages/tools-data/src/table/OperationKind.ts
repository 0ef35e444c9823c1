/** What one kind of operation must say of itself. */
import type { Raw } from "./read.ts"
import type { Operation } from "./Operation.ts"
import type { Column, Lineage } from "./Table.ts"

/** The second table of an operation that has one. */
export interface Beside {
  readonly lineage: Lineage
  readonly columns: ReadonlyArray<Column>
}

export interface OperationKind<O extends Operation> {
  /** The operation in `raw`, checked against the columns it will meet. Throws `DataFailed`. */
  readonly decode: (raw: Raw, columns: ReadonlyArray<Column>, beside: Beside | undefined) => O
  /** The columns it leaves, in order. `beside` are those of the second table. */
  readonly columns: (
    op: O,
    columns: ReadonlyArray<Column>,
    beside: ReadonlyArray<Column>,
  ) => ReadonlyArray<Column>
  /**
   * One `SELECT` over the relation `from`, and `beside` for the second table. Everything in it is
   * quoted or a number.
   */
  readonly sql: (
    op: O,
    columns: ReadonlyArray<Column>,
    from: string,
    beside: { readonly columns: ReadonlyArray<Column>; readonly from: string },
  ) => string
  /** Its result is much smaller than its input, so that keeping it pays. */
  readonly reduces: boolean
}
