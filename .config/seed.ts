/** Gives every property a seed, so that each test run tries the same cases and a long run can be repeated. */
import { configureGlobal } from "fast-check"

configureGlobal({ seed: Number(process.env["PLANLOOM_SEED"] ?? 1) })
