/** Names of what a run records: no text of an author, a plugin or a model makes one that another text makes, or a stage. */
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { cases } from "../../../../../.config/cases.ts"
import {
  aboutOf,
  attemptName,
  below,
  callOf,
  gateReview,
  inRun,
  isAttemptOf,
  isEngines,
  isPathWithin,
  isQuestion,
  lastOf,
  occurrenceAt,
  occurrenceOf,
  modelPart,
  ofModel,
  ofRun,
  outerNames,
  parseAttemptName,
  segmentsOf,
  words,
} from "./Segment.ts"

const hostile = fc.string({
  unit: fc.constantFrom("a", "b", "/", "%", ":", "[", "]", "~", "0", "2F"),
})
const word = fc.constantFrom(...words)
const id = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/)

describe("the name of a recorded thing", () => {
  it("has one segment more than what it is below, with a colon, whatever it is about", () => {
    fc.assert(
      fc.property(word, hostile, (of, about) => {
        const segments = segmentsOf(below("work[2]/results~2", of, about))
        assert.strictEqual(segments.length, 3)
        assert.isTrue(isEngines(segments[2]!))
        assert.strictEqual(aboutOf(segments[2]!, of), about)
      }),
      { numRuns: cases(1000) },
    )
  })

  it("differs where what it is about differs", () => {
    fc.assert(
      fc.property(word, hostile, hostile, (of, one, other) => {
        const same = one === other
        assert.strictEqual(below("s", of, one) === below("s", of, other), same)
        assert.strictEqual(ofRun("response", [one]) === ofRun("response", [other]), same)
        assert.strictEqual(modelPart(`${one}/m`) === modelPart(`${other}/m`), same)
        assert.strictEqual(isPathWithin(below("s", of, one), below("s", of, other)), same)
        assert.strictEqual(isQuestion(below("s", "question", one), other), same)
        const keys = [inRun(one, "s/tool:a"), inRun(other, "s/tool:a")]
        assert.strictEqual(keys[0] === keys[1], same)
      }),
      { numRuns: cases(1000) },
    )
  })

  it("is that of one model only", () => {
    const all = ["a/b:c", "a:b/c", "a/b/c", "a/b%2Fc", "a/b", "/b", "a:/b", "a/:b"]
    const names = new Set(all.map((model) => ofModel("s/model:1", modelPart(model))))
    assert.strictEqual(names.size, all.length)
    for (const name of names) assert.strictEqual(segmentsOf(name).length, 2)
  })

  it("is never that of an occurrence of a stage, whatever its id", () => {
    fc.assert(
      fc.property(fc.oneof(id, word), fc.integer({ min: 1, max: 3 }), word, (stage, round, of) => {
        const occurrence = occurrenceAt("p/", stage, round)
        assert.isFalse(isEngines(lastOf(occurrence).id))
        assert.notStrictEqual(occurrence, below("p", of, 1))
        assert.notStrictEqual(occurrence, ofRun("section", [stage], "p/"))
      }),
      { numRuns: cases(500) },
    )
  })

  it("of a request to a model gives the call, the same for each model", () => {
    const call = below(below("say~2/model:1", "gate", gateReview("a_/b:c", "0123", 2)), "model", 3)
    for (const model of ["near/a", "near/a:b/c", "a:b/c"]) {
      assert.strictEqual(callOf(ofModel(call, modelPart(model))), call)
    }
  })

  it("leads to those around it, innermost first", () => {
    assert.deepStrictEqual(
      [...outerNames("work[2][0]/results~2/tool:a")],
      ["work[2][0]/results~2", "work[2][0]", "work[2]", "work"],
    )
  })
})

describe("the name of an attempt", () => {
  const attempts = fc.record({
    answers: fc.array(fc.constant(1), { maxLength: 2 }),
    strategy: fc.constantFrom(undefined, "model" as const, "mechanical" as const),
    attempt: fc.integer({ min: 1, max: 4 }),
    path: fc.constantFrom("s", "a[0]/b~2", "s/fallback:1", "s/run:2/b", "s/workflow:2/b"),
  })

  it("is read as it was made", () => {
    fc.assert(
      fc.property(attempts, ({ attempt, path, ...more }) => {
        const name = attemptName({ path, ...more }, attempt)
        assert.strictEqual(occurrenceOf(name), path)
        assert.strictEqual(parseAttemptName(name.slice(path.length + 1)).attempt, attempt)
        assert.isTrue(isAttemptOf(below(name, "pause", 2), { path, attempt: 2 }))
        assert.isFalse(isAttemptOf(below(name, "pause", 2), { path, attempt: 3 }))
        assert.isFalse(isAttemptOf(below(name, "tool", "a"), { path, attempt: 1 }))
        if (name !== path) assert.isTrue(isAttemptOf(name, { path, attempt: 9 }))
      }),
      { numRuns: cases(500) },
    )
  })
})
