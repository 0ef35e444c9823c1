/** The same loop of the engine, with tools that answer in a later turn of the event loop. */
import { looping } from "./loop.ts"

export const start = () => looping(() => new Promise((resolve) => setImmediate(resolve)))
