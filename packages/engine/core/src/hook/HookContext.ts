/** What a hook may use in one call: the contract's `CallContext`. */
import type { Effect } from "effect/Effect"
import type {
  CallContext,
  Collection,
  Failure,
  Json,
  JsonObject,
  Surroundings,
} from "@planloom/plugin/effect"
import { below } from "@planloom/plugin/segments"
import type { HookCall } from "./HookCall.ts"

// Accessors, not fields: hardly any hook reads more than one, and a context is made for each hook of each call.
export class HookContext implements CallContext {
  readonly with: JsonObject
  private readonly call: HookCall
  private readonly id: string

  constructor(call: HookCall, id: string, options: JsonObject) {
    this.call = call
    this.id = id
    this.with = options
  }

  get run(): string {
    return this.call.site.surroundings.run
  }

  get path(): string {
    return this.call.site.surroundings.path
  }

  get stage(): string {
    return this.call.site.surroundings.stage!
  }

  get user(): JsonObject {
    return this.call.site.surroundings.user
  }

  get session(): NonNullable<Surroundings["session"]> {
    return this.call.site.surroundings.session!
  }

  get calls(): Surroundings["calls"] {
    return this.call.site.surroundings.calls
  }

  get collection(): (name: string) => Collection {
    return this.call.site.surroundings.collection
  }

  get variant(): (experiment: string) => string | undefined {
    return this.call.site.surroundings.variant
  }

  get text(): Surroundings["text"] {
    return this.call.site.surroundings.text
  }

  get files(): Surroundings["files"] {
    return this.call.site.surroundings.files
  }

  get note(): Surroundings["note"] {
    return this.call.site.surroundings.note
  }

  get mode(): string {
    return this.call.mode!
  }

  get now(): number {
    return this.call.now
  }

  get step(): CallContext["step"] {
    const { call, id } = this
    return <A extends Json>(name: string, effect: Effect<A, Failure>) =>
      call.site.keep(below(below(call.name, "hook", `${call.point}:${id}`), "step", name), effect)
  }
}
