/** Signs of an attack on the instructions of a model. */
export { attacksIn } from "./attacksIn.ts"
export { attackRules, attacksOf } from "./attacksOf.ts"
