/** Gives every property a seed, so that each test run tries the same cases and a long run can be repeated. */
import { configureGlobal } from "fast-check"
import { seed } from "./cases.ts"

configureGlobal({ seed })
