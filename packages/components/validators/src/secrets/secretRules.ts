/** Formats of secrets, each with a text that every match contains, so that most rules never search a text. */

export interface SecretRule {
  readonly what: string
  readonly keyword: string
  /** Global; bounded in every repetition. The group `secret`, or else the match with the group `rest`, is the secret. */
  readonly pattern: RegExp
}

const rule = (what: string, keyword: string, source: string): SecretRule => ({
  what,
  keyword,
  pattern: new RegExp(`(?<![A-Za-z0-9_])${source}(?![A-Za-z0-9_-])`, "g"),
})

/** A private key: its first line, a character of its body, and its last line. */
export const KEY_BEGIN = "-----BEGIN (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----"
export const KEY_BODY = "(?:[A-Za-z0-9+/=\\s:,-]|\\\\[nr])"
export const KEY_END = "-----END (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----"

/** Tokens with a prefix of their service. */
export const secretRules: ReadonlyArray<SecretRule> = [
  rule("GitHub token", "gh", "gh[pousr]_[A-Za-z0-9]{36,255}"),
  rule("GitHub token", "github_pat_", "github_pat_[A-Za-z0-9_]{22,255}"),
  rule(
    "GitLab token",
    "gl",
    "gl(?:pat|ptt|dt|rt|cbt|ft|agent|imt|oas|soat)-[A-Za-z0-9_.-]{20,200}",
  ),
  rule("Slack token", "xox", "xox[bp]-\\d{10,16}-[A-Za-z0-9-]{12,250}"),
  rule("Slack token", "xox", "xox[aeors](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}"),
  rule("Slack token", "xapp-", "xapp-\\d-[A-Za-z0-9-]{10,250}"),
  rule(
    "Slack webhook",
    "hooks.slack.com",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,100}",
  ),
  rule("AWS key", "A", "(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
  rule("Google API key", "AIza", "AIza[A-Za-z0-9_-]{35}"),
  rule("Google token", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,300}"),
  rule("Google client secret", "GOCSPX-", "GOCSPX-[A-Za-z0-9_-]{28}"),
  rule("Anthropic key", "sk-ant-", "sk-ant-[A-Za-z0-9_-]{20,250}"),
  rule(
    "OpenAI key",
    "sk-",
    "sk-(?!ant-)(?:(?:proj|svcacct|admin|or-v1|None)-)?[A-Za-z0-9_-]{32,250}",
  ),
  rule("Groq key", "gsk_", "gsk_[A-Za-z0-9]{40,60}"),
  rule("Hugging Face token", "_", "(?:hf|api_org)_[A-Za-z]{34}"),
  rule("Replicate token", "r8_", "r8_[A-Za-z0-9]{37,40}"),
  rule("xAI key", "xai-", "xai-[A-Za-z0-9]{60,100}"),
  rule("Perplexity key", "pplx-", "pplx-[A-Za-z0-9]{40,60}"),
  rule("Stripe key", "k_", "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{24,250}"),
  rule("Stripe webhook secret", "whsec_", "whsec_[A-Za-z0-9+/=]{24,100}"),
  rule("npm token", "npm_", "npm_[A-Za-z0-9]{36}"),
  rule("PyPI token", "pypi-", "pypi-AgE[A-Za-z0-9_-]{50,300}"),
  rule("SendGrid key", "SG.", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
  rule("Twilio key", "SK", "SK[0-9a-f]{32}"),
  rule("Mailgun key", "key-", "key-[0-9a-f]{32}"),
  rule("Mailchimp key", "-us", "[0-9a-f]{32}-us\\d{1,2}"),
  rule("Shopify token", "shp", "shp(?:at|ca|pa|ss|tka)_[0-9A-Za-z]{32,42}"),
  rule("Square token", "sq0", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}"),
  rule("DigitalOcean token", "_v1_", "do[opr]_v1_[0-9a-f]{64}"),
  rule("Databricks token", "dapi", "dapi[0-9a-fA-F]{32}(?:-\\d)?"),
  rule("Docker token", "dckr_", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,60}"),
  rule("Vault token", "hv", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}"),
  rule("Grafana token", "glc_", "glc_[A-Za-z0-9+/]{32,400}={0,2}"),
  rule("Grafana token", "glsa_", "glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
  rule("Linear token", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,64}"),
  rule("Notion token", "ntn_", "ntn_[A-Za-z0-9]{40,60}"),
  rule("Notion token", "secret_", "secret_[A-Za-z0-9]{43}"),
  rule("Figma token", "fig", "fig(?:d|o[hru]|u[hr]?)_[A-Za-z0-9_-]{36,60}"),
  rule("Tailscale key", "tskey-", "tskey-[a-z]{3,20}-[A-Za-z0-9]{8,24}(?:-[A-Za-z0-9]{16,40})?"),
  rule("Vercel token", "vc", "vc[pairk]_[A-Za-z0-9]{24,80}"),
  rule("Cloudflare token", "cf", "cf(?:k|ut|at)_[A-Za-z0-9_-]{48}"),
  rule("Cloudflare key", "v1.0-", "v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
  rule("1Password token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{100,4000}"),
  rule(
    "JSON web token",
    "eyJ",
    "eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8,2000}\\.[A-Za-z0-9_-]{10,600}",
  ),
  rule("Telegram token", ":A", "\\d{5,16}:A[A-Za-z0-9_-]{34}"),
  rule("Postman key", "PMAK-", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  rule("Atlassian token", "ATATT3", "ATATT3[A-Za-z0-9_=-]{100,250}"),
  rule("Airtable token", "pat", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
  rule("New Relic key", "NRAK-", "NRAK-[A-Z0-9]{27}"),
  rule("Supabase token", "sb", "sb(?:p_[0-9a-f]{40}|_secret_[A-Za-z0-9_-]{20,60})"),
  rule("PlanetScale token", "pscale_", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
  rule("Doppler token", "dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,64}"),
  rule("Adobe secret", "p8e-", "p8e-[a-fA-F0-9]{32}"),
  rule("Alibaba key", "LTAI", "LTAI[A-Za-z0-9]{16,24}"),
  rule("AWS Bedrock key", "ABSK", "ABSK[A-Za-z0-9+/]{100,280}={0,2}"),
  rule("Artifactory token", "AKCp", "AKCp[A-Za-z0-9]{69}"),
  rule("Brevo key", "xkeysib-", "xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
  rule("Buildkite token", "bkua_", "bkua_[0-9a-f]{40}"),
  rule("CircleCI token", "CCIPAT_", "CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}"),
  rule("ClickHouse key", "4b1d", "4b1d[A-Za-z0-9]{38}"),
  rule("Clojars token", "CLOJARS_", "CLOJARS_[0-9a-f]{60}"),
  rule("Contentful token", "CFPAT-", "CFPAT-[A-Za-z0-9_-]{43}"),
  rule("Discord token", ".", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}"),
  rule("Duffel token", "duffel_", "duffel_(?:live|test)_[A-Za-z0-9_=-]{43}"),
  rule("Dynatrace token", "dt0c01.", "dt0c01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  rule("EasyPost key", "EZ", "EZ[AT]K[A-Za-z0-9]{54}"),
  rule("Flutterwave key", "FLWSECK", "FLWSECK(?:_TEST)?-[0-9a-f]{12,32}(?:-X)?"),
  rule("Fly.io token", "f", "f(?:o1|m1r|m1a|m2)_[A-Za-z0-9_+/=-]{40,500}"),
  rule("GitLab token", "glffct-", "glffct-[A-Za-z0-9_-]{20}"),
  rule("GitLab token", "GR1348941", "GR1348941[A-Za-z0-9_-]{20}"),
  rule("Grafana key", "eyJrIjoi", "eyJrIjoi[A-Za-z0-9+/=_-]{60,400}"),
  rule("Harness key", "at.", "[ps]at\\.[A-Za-z0-9_-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}"),
  rule("Heroku key", "HRKU-", "HRKU-[A-Za-z0-9_-]{36,60}"),
  rule("LangSmith key", "lsv2_", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
  rule("MaxMind key", "_mmk", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
  rule("New Relic key", "NRII-", "NRII-[A-Za-z0-9-]{32}"),
  rule("NVIDIA key", "nvapi-", "nvapi-[A-Za-z0-9_-]{60,70}"),
  rule("OpenShift token", "sha256~", "sha256~[A-Za-z0-9_-]{43}"),
  rule("Pinecone key", "pcsk_", "pcsk_[A-Za-z0-9_]{50,80}"),
  rule(
    "Plaid token",
    "access-",
    "access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  ),
  rule("Prefect key", "pnu_", "pnu_[A-Za-z0-9]{36}"),
  rule("Pulumi token", "pul-", "pul-[0-9a-f]{40}"),
  rule("ReadMe key", "rdme_", "rdme_[a-z0-9]{70}"),
  rule("Resend key", "re_", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
  rule("RubyGems key", "rubygems_", "rubygems_[0-9a-f]{48}"),
  rule("Sentry token", "sntry", "sntry(?:u_[0-9a-f]{64}|s_eyJ[A-Za-z0-9+/=_]{80,300})"),
  rule("Shippo token", "shippo_", "shippo_(?:live|test)_[0-9a-f]{40}"),
  rule("Sourcegraph token", "sgp_", "sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}"),
  rule("Tavily key", "tvly-", "tvly-(?:dev-|prod-)?[A-Za-z0-9]{32}"),
  rule("Terraform token", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}"),
  rule("Typeform token", "tfp_", "tfp_[A-Za-z0-9_=.-]{59}"),
  rule("1Password key", "A3-", "A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}"),
  rule("Azure secret", "Q~", "[A-Za-z0-9_~.-]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}"),
  rule("Facebook token", "|", "\\d{15,16}\\|[A-Za-z0-9_-]{27}"),
  rule("Frame.io token", "fio-u-", "fio-u-[A-Za-z0-9_=-]{64}"),
  rule("GitLab session", "_gitlab_session", "_gitlab_session=[0-9a-z]{32}"),
  rule("Intra 42 secret", "s-s4t2", "s-s4t2(?:ud|af)-[0-9a-f]{64}"),
  rule("Mapbox token", "sk.", "sk\\.[A-Za-z0-9]{60}\\.[A-Za-z0-9]{22}"),
  rule("X token", "AAAAAAAAAA", "A{22}[A-Za-z0-9%]{80,100}"),
  rule("Yandex key", "AQVN", "AQVN[A-Za-z0-9_-]{35,38}"),
  rule("Yandex token", "t1.", "t1\\.[A-Za-z0-9_-]{4,40}={0,2}\\.[A-Za-z0-9_-]{80,90}={0,2}"),
  rule("age key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  {
    what: "token of a service",
    keyword: "",
    // A word before a random end says what it is.
    pattern:
      /(?<![A-Za-z0-9])(?:pat|api|key|token|secret|live|test|prod|sk|rk|sess|oauth|pw|tkn|auth|cred)[_-](?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])[A-Za-z0-9]{16,200}(?![A-Za-z0-9_-])/g,
  },
  {
    what: "credentials of a request",
    keyword: "uthorization",
    pattern:
      /(?<![A-Za-z0-9-])[Aa]uthorization["']?\s{0,2}[:=]\s{0,2}["']?(?:(?:[Bb]asic|[Bb]earer|[Tt]oken|Api-Token|ApiKey)\s{1,2})?(?<secret>(?=[A-Za-z._~+/=-]{0,80}\d)[A-Za-z0-9._~+/=-]{12,400})/g,
  },
  {
    what: "password in a URL",
    keyword: "://",
    pattern:
      /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>{}$]{0,100}:(?<secret>[^\s/"'<>{}$*]{4,200})@(?=[A-Za-z0-9[])/g,
  },
  {
    what: "private key",
    keyword: "PRIVATE KEY",
    // Looks ahead, because a first line can stand in the body of another key: each counts, wherever reading began.
    pattern: new RegExp(`${KEY_BEGIN}(?=(?<rest>${KEY_BODY}{64,4000}?${KEY_END}))`, "g"),
  },
]

const NAMES =
  "(?:pass(?:word|wd|phrase|code)?|pwd|contraseña|clave|secret|token|credential|(?:api|access|auth|account|private|secret)[ _-]?key|(?:client|app)[ _-]?secret|(?:api|user|basic)[ _-]?auth)s?[A-Za-z0-9_]{0,20}[\"'`]?"

/** Signs of an assignment, also with a type before them; the end of an element's tag; what a function is passed; a quoted value. */
const ASSIGNS =
  "(?:(?:\\s{1,2}(?:is|es))?(?:\\s[A-Za-z]{2,10}(?=\\s{1,2}=))?\\s{0,2}(?::{1,3}=|[?.|+]{0,2}=>?|:)|\\s{1,2}(?:is|es)\\s|>|,(?=\\s?[\"'`])|\\s(?=[\"'`]))"

/** A value that a name declares to be secret: `DB_PASSWORD=…`, `api key: …`, `<token>…</token>`. */
export const ASSIGNMENT = new RegExp(
  `(?<name>${NAMES})${ASSIGNS}\\s{0,10}["'\`]?(?<secret>[^\\s"'\`,;<>{}$]{8,200})`,
  "giu",
)

/** The same, as long as more of it may follow. */
export const OPEN_ASSIGNMENT =
  /(?:pass|pwd|contra|clave|secret|token|credential|api|access|auth|account|private|client|app|user|basic)[\p{L}\p{N}_ "'`-]{0,40}(?:[?.|+:]{0,3}=>?|:|>|,|\b(?:is?|es?)\b)?\s{0,10}["'`]?[^\s"'`,;<>{}$]{0,200}$/iu

/** Names of what is no secret, though a word for one is in them. */
export const OTHER_NAME =
  /(?:ids?|names?|length|len|size|count|type|path|file|url|uri|variable|version|policy|limit|usage|expir\w*|ttl)["'`]?$/i

/** Words before such a word, of values that are no secret. */
export const OTHER_HEAD = /(?:public|pub|csrf|xsrf|page|next|sync|continuation)[ _-]?(?:token)?$/i
