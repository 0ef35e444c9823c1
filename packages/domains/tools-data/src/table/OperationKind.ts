/** Interface of an operation kind: decoding, resulting columns and SQL. */
import type { Raw } from "./read.ts"
import type { Lineage, Operation } from "./Operation.ts"
import type { Column } from "./Table.ts"

/** The second table of a binary operation. */
export interface Beside {
  readonly lineage: Lineage
  readonly columns: ReadonlyArray<Column>
}

export interface OperationKind<O extends Operation> {
  /** Decodes an operation and validates it against the input columns. Throws `DataFailed`. */
  readonly decode: (raw: Raw, columns: ReadonlyArray<Column>, beside: Beside | undefined) => O
  /** Resulting columns in order. `beside` are those of the second table. */
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
  /** The result is much smaller than the input, so that materializing it pays off. */
  readonly reduces: boolean
}
