/** Loads `faiss-node`, which is installed beside this package or built by `setup.sh`. */
import { createRequire } from "node:module"
import { join, resolve } from "node:path"

/** An index of the native library: what is called of it. */
export interface NativeIndex {
  readonly add: (numbers: ReadonlyArray<number>) => void
  readonly search: (
    query: ReadonlyArray<number>,
    count: number,
  ) => { readonly labels: ReadonlyArray<number> }
  readonly ntotal: () => number
  readonly toBuffer: () => Buffer
}

export interface Faiss {
  readonly IndexFlatIP: new (dimensions: number) => NativeIndex
  readonly Index: {
    readonly fromFactory: (dimensions: number, description: string, metric: number) => NativeIndex
    readonly fromBuffer: (bytes: Buffer) => NativeIndex
  }
  readonly MetricType: { readonly METRIC_INNER_PRODUCT: number }
}

/** A text is the reason why it cannot be used. `PLANLOOM_FAISS` names the folder in which `setup.sh` built it. */
export const loadFaiss = (folder = process.env["PLANLOOM_FAISS"]): Faiss | string => {
  const from = folder === undefined ? import.meta.url : join(resolve(folder), "index.js")
  try {
    return createRequire(from)("faiss-node") as Faiss
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const how =
      "install it with `npm install faiss-node`, or build it with setup.sh of @planloom/retrieval-faiss and set PLANLOOM_FAISS"
    return code === "MODULE_NOT_FOUND"
      ? `faiss-node is not installed${folder === undefined ? "" : ` in ${folder}`}: ${how}`
      : `faiss-node cannot be loaded (${message.split("\n", 1)[0]}): ${how}`
  }
}
