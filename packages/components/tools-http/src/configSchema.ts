/** Schema of the plugin's config: which hosts are reached, how, and with which secrets. */
import * as Schema from "effect/Schema"
import { duration } from "@planloom/provider-kit/config"
import { methods } from "./endpoint/Endpoint.ts"
import { rangeProblem } from "./net/AddressGuard.ts"
import { hostProblem } from "./net/AllowedHosts.ts"

/** A text for which `problem` has nothing to say. */
const text = (problem: (given: string) => string | undefined) =>
  Schema.String.check(Schema.makeFilter(problem))

const secret = Schema.String.check(
  Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/, { expected: "the name of a secret" }),
)

const named = Schema.NonEmptyString

const auth = Schema.Union([
  Schema.Struct({ bearer: secret }),
  Schema.Struct({ basic: Schema.Struct({ user: secret, password: secret }) }),
  Schema.Struct({ header: named, secret, prefix: Schema.optionalKey(Schema.String) }),
  Schema.Struct({ query: named, secret }),
  Schema.Struct({ cookie: named, secret }),
])

const atMost = (maximum: number, minimum = 1) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const config = Schema.Struct({
  /** `api.example.com`, `*.example.com`, `api.example.com:8443/v1`, `http://localhost:8080`; `*` for any public host. */
  hosts: Schema.optionalKey(Schema.Array(text(hostProblem))),
  /** Addresses that are not public and may be connected to: `127.0.0.1`, `10.0.0.0/8`. */
  private: Schema.optionalKey(Schema.Array(text(rangeProblem))),
  /** Methods of requests; all unless given. */
  methods: Schema.optionalKey(Schema.Array(Schema.Literals(methods))),
  /** For a request with its redirects and the whole answer. */
  timeout: Schema.optionalKey(duration),
  /** Of an answer, decompressed. */
  max_bytes: Schema.optionalKey(atMost(1_000_000_000)),
  max_redirects: Schema.optionalKey(atMost(20, 0)),
  /** By host, as in `hosts`: authentication of requests whose endpoint has none of its own. */
  auth: Schema.optionalKey(Schema.Record(text(hostProblem), auth)),
})

export type HttpConfig = typeof config.Type
