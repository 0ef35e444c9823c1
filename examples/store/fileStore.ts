/** A store of runs on JSON files, for the processes of one machine. */
import { setTimeout } from "node:timers/promises"
import { AnswerRefused, store, type Json } from "@planloom/plugin"
import type {
  CancelRequest,
  RunEvent,
  RunRecord,
  RunStart,
  RunStatus,
} from "@planloom/plugin/store"
import { fileJournal } from "./fileJournal.ts"
import { fileSessions } from "./fileSessions.ts"
import { failed, type RunFile, type RunFiles } from "./RunFiles.ts"

/** Interval of looking for a cancel request. */
const CANCEL_POLL_MS = 200

/** Interval of looking whether an owner is alive. */
const OWNER_POLL_MS = 50

export const fileStore = (files: RunFiles) => {
  const recordOf = (file: RunFile): RunRecord => {
    const { epoch, failedWith, finishedAt, inputs, run, session, startedAt, status } = file
    const { owner, userDigest, workflow } = file
    const active = files.isActive(file)
    const attemptsWithoutProgress = silentOwners(
      file,
      !active && owner !== undefined && owner.store !== files.store,
    )
    return {
      run,
      workflow,
      status,
      inputs,
      startedAt,
      epoch,
      active,
      ...(attemptsWithoutProgress === 0 ? {} : { attemptsWithoutProgress }),
      ...(finishedAt === undefined ? {} : { finishedAt }),
      ...(session === undefined ? {} : { session }),
      ...(userDigest === undefined ? {} : { userDigest }),
      ...(failedWith === undefined ? {} : { failedWith }),
    }
  }
  const isDue = (file: RunFile, now: number): boolean => {
    if (file.finishedAt !== undefined || files.isActive(file)) return false
    if (file.status === "running") return true
    return file.waits.some(
      ({ answer, wait: { expiresAt = now + 1, name } }) =>
        file.held.includes(name) && (answer !== undefined || expiresAt <= now),
    )
  }

  return store({
    id: "files",
    summary: "Runs in JSON files, for one machine.",
    sessions: fileSessions(files),
    open: (start, { now }) => {
      const file = acquired(files, start, now)
      const { run } = start
      const { scrub = (value: Json) => value } = start
      const { close, journal } = fileJournal(files, run, file.epoch, scrub)
      let poll: NodeJS.Timeout | undefined
      return {
        journal,
        epoch: file.epoch,
        events: file.events,
        ...(file.session === undefined ? {} : { session: file.session }),
        onCancel: (handler: (request: CancelRequest) => void) => {
          const look = () => {
            const request = files.find(run)?.cancel
            if (request === undefined) return
            clearInterval(poll)
            handler(request)
          }
          poll = setInterval(look, CANCEL_POLL_MS).unref()
          look()
        },
        close: (call) => {
          clearInterval(poll)
          return close(call)
        },
      }
    },
    list: ({ before, failedWith, limit, session, since = 0, status, userDigest, workflow } = {}) =>
      files
        .all()
        .filter(
          (file) =>
            (status === undefined || file.status === status) &&
            (workflow === undefined || file.workflow === workflow) &&
            (failedWith === undefined || file.failedWith === failedWith) &&
            (session === undefined || file.session === session) &&
            (userDigest === undefined || file.userDigest === userDigest) &&
            file.startedAt >= since &&
            (before === undefined || file.startedAt < before),
        )
        .toReversed()
        .slice(0, limit)
        .map(recordOf),
    show: (run) => {
      const file = files.find(run)
      return file && recordOf(file)
    },
    events: (run, from = 0) => files.get(run).events.filter(({ seq }) => seq >= from),
    steps: (run) => files.get(run).steps,
    definition: (run) => files.get(run).definition,
    personalDigests: (run) => files.get(run).personalDigests,
    erasePersonal: (userDigest) =>
      files
        .all()
        .filter((file) => file.userDigest === userDigest && hasPersonal(file))
        .map((file) => {
          const names = Object.keys(file.personalDigests!).map((name) => [name, null])
          return files.put({ ...file, personalDigests: Object.fromEntries(names) }).run
        }),
    waits: ({ run, userDigest, workflow } = {}, { now }) =>
      files
        .all()
        .filter(
          (file) =>
            file.finishedAt === undefined &&
            (run === undefined || file.run === run) &&
            (userDigest === undefined || file.userDigest === userDigest) &&
            (workflow === undefined || file.workflow === workflow),
        )
        .flatMap((file) =>
          file.waits
            .filter(
              ({ answer, wait: { expiresAt = now + 1 } }) =>
                answer === undefined && expiresAt > now,
            )
            .map(({ askedAt, wait }) => ({
              run: file.run,
              workflow: file.workflow,
              askedAt,
              wait,
            })),
        )
        .sort((a, b) => a.askedAt - b.askedAt),
    answer: (run, name, answer) => {
      const file = files.get(run)
      const refused = refusal(file, name, answer.at)
      if (refused !== undefined) throw refused
      const waits = file.waits.map((one) => (one.wait.name === name ? { ...one, answer } : one))
      return recordOf(files.put({ ...file, waits }))
    },
    due: ({ after, limit } = { limit: Number.MAX_SAFE_INTEGER }, { now }) => {
      const all = files.all()
      const first = after === undefined ? 0 : all.findIndex(({ run }) => run === after) + 1
      return all
        .slice(first)
        .filter((file) => isDue(file, now))
        .slice(0, limit)
        .map(recordOf)
    },
    backlog: (most) =>
      Math.min(most, files.all().filter(({ status }) => status === "running").length),
    unfinished: () => {
      const open = files.all().filter(({ finishedAt }) => finishedAt === undefined)
      const count = (status: RunStatus) => open.filter((file) => file.status === status).length
      const active = open.filter((file) => files.isActive(file)).length
      return {
        queued: count("running") - active,
        active,
        suspended: count("suspended"),
        clarification: count("clarification"),
      }
    },
    // The process is looked up, so its state is certain at once; a killed one may take a moment to disappear.
    watchOwner: async (run) => {
      if (!files.isActive(files.get(run))) return false
      await setTimeout(OWNER_POLL_MS)
      return files.isActive(files.get(run))
    },
    prune: ({ before, keep }) => {
      const all = files.all().toReversed()
      const gone = new Set(
        all
          .filter(
            ({ finishedAt }, index) =>
              finishedAt !== undefined &&
              ((before !== undefined && finishedAt < before) ||
                (keep !== undefined && index >= keep)),
          )
          .map(({ run }) => run),
      )
      // Newest first: a fork of a fork comes before its origin.
      for (const { events, run } of all) {
        if (gone.has(run)) continue
        for (const event of events) if (event.type === "RunForked") gone.delete(event.of)
      }
      for (const run of gone) files.remove(run)
      return [...gone]
    },
    cancel: (run, cancel) => {
      const file = files.get(run)
      if (files.isActive(file)) files.put({ ...file, cancel })
      return files.isActive(file)
    },
    reset: (run, { definition, drops, event }, { now }) => {
      const { cancel: _c, failedWith: _f, finishedAt: _t, owner: _o, ...rest } = files.get(run)
      const { silent: _s, ...file } = rest
      if (files.isActive(files.get(run))) throw failed("busy", run)
      const seq = (file.events.at(-1)?.seq ?? -1) + 1
      files.put({
        ...file,
        epoch: file.epoch + 1,
        status: "running",
        held: [],
        steps: file.steps.filter(({ name }) => !drops(name)),
        waits: file.waits.filter(({ wait }) => !drops(wait.name)),
        timers: Object.fromEntries(Object.entries(file.timers).filter(([name]) => !drops(name))),
        events: [...file.events, { ...event, seq, at: now } as RunEvent],
        ...(definition === undefined ? {} : { definition }),
      })
    },
    read: (run) => {
      const {
        announced: _a,
        cancel: _c,
        epoch: _e,
        failedWith: _f,
        held: _h,
        ...rest
      } = files.get(run)
      const { owner: _o, savedVersion: _v, silent: _s, ...recorded } = rest
      return recorded
    },
    write: (recorded) => {
      if (files.find(recorded.run) !== undefined) throw failed("exists", recorded.run)
      const last = recorded.events.at(-1)
      const failure = last?.type === "RunFailed" ? { failedWith: last.failure.class } : {}
      const held = last?.type === "RunSuspended" ? last.waits.map(({ name }) => name) : []
      files.put({ ...recorded, ...failure, epoch: 1, held })
    },
    revision: () => files.revision(),
  })
}

/** Whether there is a digest of a personal input to erase. */
const hasPersonal = ({ personalDigests = {} }: RunFile): boolean =>
  Object.values(personalDigests).some((digest) => digest !== null)

/** Creates the run, or takes it over: the next epoch belongs to this process. */
const acquired = (files: RunFiles, start: RunStart, now: number): RunFile => {
  const { definition, inputs, run, scrub = (value) => value, session, userDigest, workflow } = start
  const { epoch, personalDigests, startedAt = now } = start
  const owner = { pid: process.pid, store: files.store }
  const known = files.find(run)
  if (known === undefined) {
    return files.put({
      run,
      workflow,
      status: "running",
      inputs: scrub(inputs),
      startedAt,
      epoch: 1,
      owner,
      held: [],
      steps: [],
      timers: {},
      waits: [],
      events: [],
      ...(definition === undefined ? {} : { definition: scrub(definition) }),
      ...(session === undefined ? {} : { session }),
      ...(userDigest === undefined ? {} : { userDigest }),
      ...(personalDigests === undefined ? {} : { personalDigests }),
    })
  }
  if (epoch !== undefined && epoch !== known.epoch) throw failed("fenced", run)
  if (epoch !== undefined && files.isActive(known)) throw failed("busy", run)
  const { cancel: _c, failedWith: _f, finishedAt: _t, ...file } = known
  const isSilent = file.owner !== undefined && file.owner.store !== files.store
  const silent = { count: silentOwners(file, isSilent), steps: file.steps.length }
  return files.put({ ...file, status: "running", epoch: file.epoch + 1, owner, silent })
}

/** How many owners in a row fell silent without a new step. `more`: the present owner as well. */
const silentOwners = ({ silent, steps }: RunFile, more: boolean): number =>
  (silent?.steps === steps.length ? silent.count : 0) + (more ? 1 : 0)

const refusal = (file: RunFile, name: string, at: number): AnswerRefused | undefined => {
  const refused = (reason: AnswerRefused["reason"], message: string) =>
    new AnswerRefused({ reason, message })
  if (file.finishedAt !== undefined) return refused("ended", `the run ${file.run} has ended`)
  const known = file.waits.find(({ wait }) => wait.name === name)
  if (known === undefined) return refused("unknown", `${file.run} has no question "${name}"`)
  if (known.answer !== undefined) return refused("answered", `"${name}" was answered`)
  const { expiresAt = at + 1 } = known.wait
  return expiresAt <= at ? refused("expired", `"${name}" has expired`) : undefined
}
