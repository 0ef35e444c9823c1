/** Exit codes of the process. Scripts rely on these numbers; docs/cli.md lists them. */

export const exitCodes = {
  ok: { code: 0, meaning: "success" },
  problems: { code: 1, meaning: "the files have problems; each is printed with its location" },
  usage: { code: 2, meaning: "the command line itself is wrong" },
  failed: {
    code: 3,
    meaning:
      "the run failed, or output could not be written; an evaluation reached its budget before every case had run",
  },
  open: {
    code: 4,
    meaning: "the run ended in a question or an approval that a person has to answer",
  },
  stalled: {
    code: 75,
    meaning:
      "planloom serve ended itself, because code kept its event loop from turning; start it again",
  },
  bug: { code: 70, meaning: "a defect of planloom itself; please report it" },
  assertions: {
    code: 100,
    meaning:
      "tests ran and some assertions failed, or metrics are worse than their baseline; a gate of an evaluation failed, or a run may cost more than `plan --max-cost`",
  },
  hangup: { code: 129, meaning: "ended by SIGHUP, for example because the terminal was closed" },
  interrupted: { code: 130, meaning: "interrupted with Ctrl-C (SIGINT)" },
  reader_gone: {
    code: 141,
    meaning: "the program that read the output ended, as in `planloom list tools | head -1`",
  },
  terminated: { code: 143, meaning: "ended by SIGTERM" },
} as const

export type ExitName = keyof typeof exitCodes

export const exitCode = (name: ExitName): number => exitCodes[name].code
