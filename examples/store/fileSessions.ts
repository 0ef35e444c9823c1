/** Sessions in one JSON file. */
import type { RunStore } from "@planloom/plugin"
import { nextSession, type SessionChange } from "@planloom/plugin/store"
import { failed, type RunFiles } from "./RunFiles.ts"

export const fileSessions = (files: RunFiles): RunStore["sessions"] => ({
  load: (session) => files.sessions()[session],
  waiting: (session) =>
    files
      .all()
      .find(
        (file) =>
          file.session === session && file.finishedAt === undefined && file.status !== "running",
      )?.run,
  announce: (session, { epoch, ms, run, version }) => {
    const file = files.find(run)
    if (file?.epoch === epoch) files.put({ ...file, session, announced: { version, ms } })
  },
  announced: (session) => {
    const version = files.sessions()[session]?.version ?? 0
    return files.all().flatMap((file) => {
      const { announced, epoch, finishedAt, run, savedVersion } = file
      return file.session === session &&
        announced?.version === version &&
        (finishedAt ?? savedVersion) === undefined
        ? [{ ...announced, run, epoch, active: files.isActive(file) }]
        : []
    })
  },
  save: (session, change) => saved(files, session, change),
  list: ({ limit, userDigest } = {}) =>
    Object.values(files.sessions())
      .filter(({ userDigests }) => userDigest === undefined || userDigests?.includes(userDigest))
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.session < b.session ? -1 : 1))
      .slice(0, limit),
  clear: (session) => {
    const { [session]: found, ...others } = files.sessions()
    if (found !== undefined) files.putSessions(others)
    return found !== undefined
  },
  prune: (before) => {
    const open = new Set(
      files.all().flatMap(({ finishedAt, session }) => (finishedAt === undefined ? session : [])),
    )
    const all = Object.values(files.sessions())
    const gone = all.filter((one) => one.updatedAt < before && !open.has(one.session))
    const rest = all.filter((one) => !gone.includes(one))
    files.putSessions(Object.fromEntries(rest.map((one) => [one.session, one])))
    return gone.map(({ session }) => session)
  },
})

const saved = (files: RunFiles, session: string, change: SessionChange) => {
  const { after, epoch, run } = change
  const file = files.find(run)
  if (file !== undefined) {
    if (epoch !== undefined && file.epoch !== epoch) throw failed("fenced", run)
    if (file.savedVersion !== undefined) return { saved: true as const, version: file.savedVersion }
  }
  const known = files.sessions()[session]
  const version = known?.version ?? 0
  if (file === undefined && known?.run === run) return { saved: true as const, version }
  if (known?.run !== after) return { saved: false as const, version, run: known?.run }
  const next = nextSession(session, known, change)
  files.putSessions({ ...files.sessions(), [session]: next })
  if (file !== undefined) files.put({ ...file, session, savedVersion: next.version })
  return { saved: true as const, version: next.version }
}
