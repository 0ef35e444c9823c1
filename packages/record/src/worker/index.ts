/** Workers: resume runnable runs of a store until a scope closes, or once. */
export { type Ended, worker, type Worker, type WorkerOptions } from "./Worker.ts"
export type { Ready } from "./takeUp.ts"
export { work, type Worked, type WorkOptions } from "./work.ts"
export { enqueue } from "./enqueue.ts"
