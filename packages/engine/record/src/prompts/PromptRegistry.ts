/** Versions of prompt texts in a run store: each edit adds one, and the active one replaces the text of the file. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type {
  Collection,
  Entry,
  JsonObject,
  Prompts,
  PromptText,
  RunStore,
  StoreFailed,
} from "@planloom/plugin/effect"
import { Audit } from "../audit/Audit.ts"

/** An immutable text. */
export interface PromptVersion {
  /** 1 for the first version of a prompt. */
  readonly number: number
  readonly text: string
  /** SHA-256 of the file's text when the version was made, in hex. */
  readonly file: string
  readonly by?: string
  /** The API key or program that it came through, as a server or the command knows it. */
  readonly via?: string
  readonly why?: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What a prompt uses now. */
export interface PromptState {
  /** Number of the active version; `file` for the text of the file. */
  readonly active: number | "file"
  /** Number of the newest version. */
  readonly latest: number
  /** 1 after the first change, incremented by each edit and each swap. */
  readonly revision: number
  /** Of the last change; `at` in epoch milliseconds. */
  readonly at: number
  readonly by?: string
  /** The API key or program that it came through, as a server or the command knows it. */
  readonly via?: string
  readonly why?: string
}

export interface PromptChange {
  readonly by?: string
  /** The API key or program that it came through, as a server or the command knows it. */
  readonly via?: string
  readonly why?: string
  /** The prompt must still have this revision; 0 before the first change. */
  readonly revision?: number
}

/** `changed`: the prompt has another revision. `unknown`: it has no such version. */
export class PromptRefused extends Data.TaggedError("PromptRefused")<{
  readonly reason: "changed" | "unknown"
  readonly message: string
}> {}

type States = { readonly [prompt: string]: PromptState }

/** Attempts to change a prompt while others change prompts of the same workflow. */
const MAX_ATTEMPTS = 20

/** Versions that stay in memory. */
const MAX_RECENT = 200

/** Digits of a version's number in its key, so that keys are in order. */
const DIGITS = 8

export class PromptRegistry implements Prompts {
  private readonly entries: Collection
  private readonly audit: Audit | undefined
  /** Texts by the key of their version, which never changes. */
  private readonly recent = new Map<string, PromptVersion>()

  constructor(entries: Collection, audit?: Audit) {
    this.entries = entries
    this.audit = audit
  }

  /** Undefined for a store without collections. */
  static readonly of = (store: RunStore): PromptRegistry | undefined =>
    store.collection === undefined
      ? undefined
      : new PromptRegistry(store.collection("planloom/prompts"), Audit.of(store))

  /** One read of a small entry, unless a version is active that this process has not read yet. */
  readonly current = (
    workflow: string,
  ): Effect.Effect<{ readonly [prompt: string]: PromptText } | undefined, StoreFailed> =>
    Effect.flatMap(this.entries.get(headOf(workflow)), (head) =>
      head === undefined ? Effect.undefined : this.activeTexts(workflow, statesIn(head)),
    )

  /** By name of the prompt; prompts without a version are absent. */
  states(workflow: string): Effect.Effect<States, StoreFailed> {
    return Effect.map(this.entries.get(headOf(workflow)), statesIn)
  }

  /** Oldest first. */
  versions(
    workflow: string,
    prompt: string,
  ): Effect.Effect<ReadonlyArray<PromptVersion>, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const found: Array<PromptVersion> = []
      const { latest = 0 } = (yield* this.states(workflow))[prompt] ?? {}
      for (let number = 1; number <= latest; number++) {
        const version = yield* this.version(workflow, prompt, number)
        if (version !== undefined) found.push(version)
      }
      return found
    })
  }

  version(
    workflow: string,
    prompt: string,
    number: number,
  ): Effect.Effect<PromptVersion | undefined, StoreFailed> {
    const key = keyOf(workflow, prompt, number)
    const known = this.recent.get(key)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.map(this.entries.get(key), (entry) => {
      if (entry === undefined) return undefined
      const version = { ...(entry.value as unknown as PromptVersion), number, at: entry.at }
      if (this.recent.size >= MAX_RECENT) this.recent.clear()
      this.recent.set(key, version)
      return version
    })
  }

  /** Adds a version and makes it active. The caller has checked the text. `file` is the SHA-256 of the file's text. */
  edit(
    workflow: string,
    prompt: string,
    { file, text }: { readonly file: string; readonly text: string },
    change: PromptChange = {},
  ): Effect.Effect<PromptState, PromptRefused | StoreFailed> {
    return this.change(workflow, prompt, change, (latest) =>
      Effect.gen({ self: this }, function* () {
        const value = { text, file, ...authorOf(change) }
        // A number may have been taken by an edit that another one overtook.
        for (let number = latest + 1; ; number++) {
          const key = keyOf(workflow, prompt, number)
          const { ok } = yield* this.entries.put(key, value, { version: "new" })
          if (ok) return number
        }
      }),
    )
  }

  /** Makes an older version active again, or the text of the file. */
  use(
    workflow: string,
    prompt: string,
    active: number | "file",
    change: PromptChange = {},
  ): Effect.Effect<PromptState, PromptRefused | StoreFailed> {
    return this.change(workflow, prompt, change, (latest) =>
      active === "file" || (active >= 1 && active <= latest)
        ? Effect.succeed(active)
        : Effect.fail(
            new PromptRefused({
              reason: "unknown",
              message:
                latest === 0
                  ? `the prompt "${prompt}" of ${workflow} has no versions`
                  : `the prompt "${prompt}" of ${workflow} has the versions 1 to ${latest}, not ${active}`,
            }),
          ),
    )
  }

  private change(
    workflow: string,
    prompt: string,
    change: PromptChange,
    select: (latest: number) => Effect.Effect<number | "file", PromptRefused | StoreFailed>,
  ): Effect.Effect<PromptState, PromptRefused | StoreFailed> {
    const key = headOf(workflow)
    const attempt = (
      left: number,
      selected?: number | "file",
    ): Effect.Effect<PromptState, PromptRefused | StoreFailed> =>
      Effect.gen({ self: this }, function* () {
        const head = yield* this.entries.get(key)
        const states = statesIn(head)
        const before = states[prompt]
        const { latest = 0, revision = 0 } = before ?? {}
        if (left === 0 || (change.revision !== undefined && change.revision !== revision)) {
          return yield* new PromptRefused({
            reason: "changed",
            message: `the prompt "${prompt}" of ${workflow} was changed meanwhile${before?.by === undefined ? "" : `, by ${before.by}`}`,
          })
        }
        const active = selected ?? (yield* select(latest))
        const state: Omit<PromptState, "at"> = {
          active,
          latest: active === "file" ? latest : Math.max(latest, active),
          revision: revision + 1,
          ...authorOf(change),
        }
        const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const next = { ...states, [prompt]: { ...state, at } } as unknown as JsonObject
        const version = head?.version ?? ("new" as const)
        const { ok } = yield* this.entries.put(key, next, { version })
        if (!ok) return yield* attempt(left - 1, active)
        const { by, via } = change
        const about = { workflow, prompt, version: active }
        yield* (
          this.audit?.record({
            action: "prompt_changed",
            via,
            ...(by === undefined ? {} : { by }),
            about,
          }) ?? Effect.void
        )
        return { ...state, at }
      })
    return attempt(MAX_ATTEMPTS)
  }

  private activeTexts(
    workflow: string,
    states: States,
  ): Effect.Effect<{ readonly [prompt: string]: PromptText }, StoreFailed> {
    return Effect.gen({ self: this }, function* () {
      const texts: { [prompt: string]: PromptText } = {}
      for (const [prompt, { active }] of Object.entries(states)) {
        if (active === "file") continue
        const version = yield* this.version(workflow, prompt, active)
        if (version !== undefined) texts[prompt] = { version: String(active), text: version.text }
      }
      return texts
    })
  }
}

const headOf = (workflow: string): string => `active:${workflow}`

const keyOf = (workflow: string, prompt: string, number: number): string =>
  `version:${workflow}/${prompt}/${String(number).padStart(DIGITS, "0")}`

const statesIn = (head: Entry | undefined): States => (head?.value ?? {}) as unknown as States

const authorOf = ({ by, via, why }: PromptChange) => ({
  ...(by === undefined ? {} : { by }),
  ...(via === undefined ? {} : { via }),
  ...(why === undefined ? {} : { why }),
})
