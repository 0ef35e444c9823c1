/** Reports for people, editors and CI. */
import { describe, expect, it } from "vitest"
import { rules } from "../definition/rules/index.ts"
import type { Diagnostic } from "./Diagnostic.ts"
import { report } from "./report.ts"
import { positionAt, sourceFile } from "./SourceFile.ts"

const file = sourceFile(
  "flows/a.yaml",
  "name: report\nif: stages.plan.output.confidense >= 0.6\nlast: 日本 x\n",
)
const sources = new Map([[file.path, file]])

const at = (text: string, more: Partial<Diagnostic> = {}): Diagnostic => {
  const from = file.text.indexOf(text)
  return {
    code: "PL1201",
    severity: "error",
    message: `stages.plan.output has no field "${text}"`,
    file: file.path,
    start: positionAt(file, from),
    end: positionAt(file, from + text.length),
    ...more,
  }
}

const one = at("confidense", {
  help: 'did you mean "confidence"? it has: confidence, requirements',
})

describe("a problem in an option", () => {
  const given = at("name", { code: "PL4014", message: 'there is no "prd"', given: "--env prd" })

  it("names the option and shows no line of the file", () => {
    expect(report([given], { sources })).toBe(
      '--env prd error PL4014 there is no "prd"\n\n1 error\n',
    )
    expect(report([given], { format: "github" })).toBe(
      '::error title=PL4014::--env prd: there is no "prd"\n',
    )
    const [result] = JSON.parse(report([given], { format: "sarif", rules })).runs[0].results
    expect(result.message.text).toMatch(/^--env prd: there is no "prd"\nName an environment/)
    expect(result.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: "flows/a.yaml" } } },
    ])
  })
})

describe("a report for people", () => {
  it("shows the place, the line and the help", () => {
    expect(report([one], { sources }))
      .toBe(`flows/a.yaml:2:24 error PL1201 stages.plan.output has no field "confidense"
  2 | if: stages.plan.output.confidense >= 0.6
    |                        ^^^^^^^^^^
  help: did you mean "confidence"? it has: confidence, requirements

1 error
`)
  })

  it("has colors only when asked, around the same text", () => {
    const colored = report([one], { sources, color: true })
    expect(colored).toContain("\u001B[31merror\u001B[39m")
    // oxlint-disable-next-line no-control-regex -- the codes are what is taken out
    expect(colored.replace(/\u001B\[\d+m/g, "")).toBe(report([one], { sources }))
  })

  it("sorts, counts, and prints each problem once", () => {
    const printed = report([one, at("name", { severity: "warning" }), one], { sources })
    expect(printed.indexOf("flows/a.yaml:1:1")).toBeLessThan(printed.indexOf("flows/a.yaml:2:24"))
    expect(printed.endsWith("\n1 error, 1 warning\n")).toBe(true)
  })

  it("marks the right place after wide characters", () => {
    const printed = report([at("x")], { sources })
    expect(printed).toContain("  3 | last: 日本 x\n    |            ^\n")
  })

  it("does not print a secret that it reports", () => {
    const key = "sk-ant-api03-abcdefghijkl"
    const leaky = sourceFile("leaky.yaml", `with: { token: ${key} } # twelve`)
    const found = {
      ...one,
      code: "PL6002",
      secret: true as const,
      file: leaky.path,
      start: positionAt(leaky, 15),
      end: positionAt(leaky, 15 + key.length),
    }
    const printed = report([found], { sources: new Map([[leaky.path, leaky]]) })
    expect(printed).toContain("with: { token: sk-ant••••••••••••••••••• } # twelve\n")
    expect(printed).not.toContain("api03")
    const beside = {
      ...one,
      file: leaky.path,
      start: positionAt(leaky, 0),
      end: positionAt(leaky, 4),
    }
    const both = report([beside, found], { sources: new Map([[leaky.path, leaky]]) })
    expect(both.match(/token: sk-ant•{19} }/g)).toHaveLength(2)
    expect(both).not.toContain("api03")
  })

  it("does not print the lines of a secret that spans several", () => {
    const leaky = sourceFile("leaky.yaml", "token: |\n  first half\n  second half\nnext: 1\n")
    const found = {
      ...one,
      secret: true as const,
      file: leaky.path,
      start: positionAt(leaky, 7),
      end: positionAt(leaky, 35),
    }
    for (const [offset, shown] of [
      [11, "2 | ••••••••••••\n"],
      [24, "3 | •••••••••••••\n"],
      [36, "4 | next: 1\n"],
    ] as const) {
      const place = positionAt(leaky, offset)
      const within = { ...one, file: leaky.path, start: place, end: place }
      const printed = report([found, within], { sources: new Map([[leaky.path, leaky]]) })
      expect(printed).toContain(shown)
      expect(printed).not.toContain("half")
    }
  })

  it("cuts long lines around the place", () => {
    const long = sourceFile("long.yaml", `${"a".repeat(200)}HERE${"b".repeat(200)}`)
    const diagnostic = {
      ...one,
      file: long.path,
      start: positionAt(long, 200),
      end: positionAt(long, 204),
    }
    const printed = report([diagnostic], { sources: new Map([[long.path, long]]), width: 60 })
    const [, line, marks] = printed.split("\n") as [string, string, string]
    expect(line.length).toBeLessThanOrEqual(60)
    expect(line.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1)).toBe("HERE")
  })

  it("prints no terminal code of a file", () => {
    const evil = sourceFile("evil.yaml", "\u001B[2Jx")
    const diagnostic = {
      ...one,
      message: "\u001B]0;title\u0007",
      file: evil.path,
      start: positionAt(evil, 4),
      end: positionAt(evil, 5),
    }
    expect(report([diagnostic], { sources: new Map([[evil.path, evil]]) })).not.toContain("\u001B")
  })

  it("is empty without problems", () => {
    expect(report([], { sources })).toBe("")
  })
})

describe("a report for machines", () => {
  it("is JSON with every field", () => {
    expect(JSON.parse(report([one], { format: "json" }))).toEqual([one])
  })

  it("annotates a pull request", () => {
    const escaped = at("name", { message: "100% of\nit", file: "a,b:c.yaml" })
    expect(report([escaped], { format: "github" })).toBe(
      "::error file=a%2Cb%3Ac.yaml,line=1,endLine=1,col=1,endColumn=5,title=PL1201::100%25 of%0Ait\n",
    )
  })

  it("is SARIF 2.1.0, with the rule", () => {
    const log = JSON.parse(report([one], { format: "sarif", rules })) as {
      readonly version: string
      readonly runs: ReadonlyArray<{
        readonly tool: {
          readonly driver: { readonly rules: ReadonlyArray<{ readonly id: string }> }
        }
        readonly results: ReadonlyArray<unknown>
      }>
    }
    expect(log.version).toBe("2.1.0")
    expect(log.runs[0]!.tool.driver.rules.map(({ id }) => id)).toEqual(["PL1201"])
    expect(log.runs[0]!.results[0]).toMatchObject({
      ruleId: "PL1201",
      ruleIndex: 0,
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "flows/a.yaml" },
            region: { startLine: 2, startColumn: 24, endLine: 2, endColumn: 34 },
          },
        },
      ],
    })
  })
})
