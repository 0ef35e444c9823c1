/** The validator `secrets`: formats that it finds, and what looks like one. */
import { validatorSuite } from "@planloom/testing"
import { assert, describe, it } from "vitest"
import { of, places, validated } from "./of.ts"
import { longTexts, streamedOtherwise } from "./streamLaw.ts"

// Each is joined from two parts: scanners of secrets would report a whole one in this file.
const github = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`
const slack = `xoxb-${"23984754863-2348975623112"}`
const aws = `AKIA${"IOSFODNN7EXAMPLX"}`
const rubygems = `rubygems_${"5609a214e72544ea39a1c9809ed8da4f06ca03cdf85d0620"}`
const jwt = `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${"dozjgNryP4J3jVmNHl0w5N"}`
const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDndJt7".repeat(3)}\n-----END PRIVATE KEY-----`

const found: ReadonlyArray<readonly [text: string, ...secrets: ReadonlyArray<string>]> = [
  [`token ${github}, and "${slack}"`, github, slack],
  [`Key: ${aws}`, aws],
  [`Bearer ${jwt}.`, jwt],
  [key, key],
  [`${key.slice(0, 60)}${key}${key.slice(-60)}`, `${key.slice(0, 60)}${key}`],
  [
    `${key.slice(0, 60)}${key.slice(0, 60)}${key.slice(-25)}${key.slice(-60)}`,
    `${key.slice(0, 60)}${key.slice(0, 60)}${key.slice(-25)}${key.slice(-60)}`,
  ],
  [`sk-${"ant-a1a1a1a1a1a1a1a1a1a1a1a1"}${key}`, `sk-${"ant-a1a1a1a1a1a1a1a1a1a1a1a1"}${key}`],
  ["postgres://app:s3cr3tPa55@db.example.com/x", "s3cr3tPa55"],
  ["DB_PASSWORD=hunter2Zx9", "hunter2Zx9"],
  ['"clientSecret": "ahDz1AqqBHgpAeUBUU"', "ahDz1AqqBHgpAeUBUU"],
  ["La contraseña es: k9Xw2Pq7Lm", "k9Xw2Pq7Lm"],
  [`${[...github].join("\u200b")} hidden`, [...github].join("\u200b")],
  [`Authorization: Basic ${"YWRtaW46UzNjcjN0UHc5eA=="}`, "YWRtaW46UzNjcjN0UHc5eA=="],
  [`curl -H "Authorization: Bearer ${"a8Fk2Lq9Zx7Vb4Nm1Cd6"}"`, "a8Fk2Lq9Zx7Vb4Nm1Cd6"],
  [`It is ${rubygems}.`, rubygems],
  ['var apiToken string = "k9Xw2Pq7Lm"', "k9Xw2Pq7Lm"],
  ["<apiToken>\n    k9Xw2Pq7Lm\n</apiToken>", "k9Xw2Pq7Lm"],
  ['API_TOKEN ?= "k9Xw2Pq7Lm"; $token .= "b7Yq4Rn2Ks"', "k9Xw2Pq7Lm", "b7Yq4Rn2Ks"],
  ['setProperty("API_TOKEN", "k9Xw2Pq7Lm")', "k9Xw2Pq7Lm"],
  ["connect -ClientSecret 'k9Xw2Pq7Lm'", "k9Xw2Pq7Lm"],
  [`acme_pat_${"2fw6eby92r07e8x9"}`, `pat_${"2fw6eby92r07e8x9"}`],
  [`2Vq7Q~${"q5VgKljZ7cb3.0sp0Apz.vOjRIPyeTrAb"}`, `2Vq7Q~${"q5VgKljZ7cb3.0sp0Apz.vOjRIPyeTrAb"}`],
]

const notFound: ReadonlyArray<string> = [
  "Your password must have 12 characters.",
  "password: ${DB_PASSWORD} or password: <secret>",
  "https://user:password@example.com and https://example.com:8080/x@y",
  "postgres://YOUR_USER:YOUR_PASSWORD@localhost",
  "-----BEGIN PRIVATE KEY-----\nxxx\n-----END PRIVATE KEY-----",
  "commit 1e7080a8f4b2c3d4e5f60718293a4b5c6d7e8f90",
  "The token is valid for 30 minutes.",
  "Write Authorization: Bearer your-token-here in the header.",
  `Put ghp_${"x".repeat(36)} there`,
  `${github}tail`.slice(0, 30),
  'nextPageToken: "CAUQAA9x72b", csrf-token=Mj2qykJO5rEL',
  "credentialsId: 'ff083f76-7804-4ef1-80e4-fe975bb9141b'",
  "Maven - io.jsonwebtoken:jjwt-jackson-0.11.2",
  `sk_live_${"A".repeat(23)} and https://user:1111@example.com`,
  "task_0123456789abcdef01 and order_01hxyz7k2m9q4w8e1r5t",
]

validatorSuite({ describe, it }, of("secrets"), [
  { name: "replaces a token", text: found[0]![0], verdict: "replace" },
  { name: "blocks a private key", text: key, with: { action: "block" }, verdict: "block" },
  { name: "passes a text without any", text: "Your order 12345 is on its way.", verdict: "pass" },
  { name: "passes allowed texts", text: github, with: { allow: [github] }, verdict: "pass" },
  {
    name: "finds formats of the author",
    text: "acme-12ab34",
    with: { patterns: [{ name: "acme key", pattern: "\\bacme-[0-9a-f]{6}\\b" }] },
    verdict: "replace",
  },
])

describe("secrets", () => {
  it.each(found)("in %j", (text, ...secrets) => {
    assert.deepStrictEqual(places("secrets", text), secrets)
  })

  it.each(notFound)("not in %j", (text) => {
    assert.deepStrictEqual(places("secrets", text), [])
  })

  it("are never repeated in the words of the finding", () => {
    const finding = validated("secrets", `token ${github}`)
    assert.notInclude(JSON.stringify(finding), github)
    assert.deepStrictEqual(finding.spans, [{ start: 6, end: 46, text: "[GitHub token]" }])
  })

  it("are searched in linear time, also with a pattern of the author", () => {
    const patterns = [{ name: "slow", pattern: "(a+)+$x" }]
    const units = [
      "sk- ",
      "password: ",
      "eyJa.",
      "http://a:",
      "-----BEGIN PRIVATE KEY-----\nA",
      "<token>\n",
      "pat_a1",
    ]
    for (const text of longTexts(...units)) {
      assert.strictEqual(validated("secrets", text, { patterns }).verdict, "pass")
      assert.isAtMost(of("secrets").pending!(text, { patterns }), text.length)
    }
  })

  it("are the same in a streamed text", () => {
    const fragments = [
      github,
      slack,
      aws,
      "password",
      ": ",
      "k9Xw2Pq7Lm",
      "http://a:b3cd@x",
      "-----",
      "<token>\n    ",
      "api_token",
      "Id",
      " ?= ",
      ', "',
      "next page ",
      "acme_pat_2fw6eby92r07e8x9",
    ]
    assert.isNull(streamedOtherwise(of("secrets"), {}, fragments))
  })

  it("are the same in a streamed text with a private key", () => {
    const pieces = [key, key.slice(0, 60), key.slice(-60), "-----END PRIVATE KEY-----", "word"]
    assert.isNull(streamedOtherwise(of("secrets"), {}, pieces))
  })
})
