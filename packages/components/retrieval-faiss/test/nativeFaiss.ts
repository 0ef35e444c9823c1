/** The native library of tests: that of the folder that `PLANLOOM_FAISS` names, or why there is none. */
import { loadFaiss } from "../src/loadFaiss.ts"

export const native = loadFaiss()

export const skipped =
  typeof native === "string"
    ? "skipped without FAISS: run packages/components/retrieval-faiss/setup.sh DIR and set PLANLOOM_FAISS=DIR"
    : undefined
