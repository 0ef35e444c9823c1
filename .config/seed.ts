/** Gives every property the seed of the environment, so that a long run can be repeated. */
import { configureGlobal } from "fast-check"

const seed = process.env["PLANLOOM_SEED"]
if (seed !== undefined) configureGlobal({ seed: Number(seed) })
