/** The subjects of the invented conference. */

export interface Subject {
  readonly name: string
  readonly track: string
  /** Topics of talks on it. */
  readonly aspects: readonly [string, string, string]
  /** Products that companies sell for it. */
  readonly service: string
}

const subject = (
  track: string,
  name: string,
  aspects: Subject["aspects"],
  service: string,
): Subject => ({ name, track, aspects, service })

export const subjects: ReadonlyArray<Subject> = [
  subject(
    "Data",
    "Streaming pipelines",
    ["late events", "exactly-once delivery", "back pressure"],
    "managed event streams",
  ),
  subject(
    "Data",
    "Data warehouses",
    ["columnar storage", "query cost", "slowly changing dimensions"],
    "warehouse migration",
  ),
  subject(
    "Data",
    "Data quality",
    ["schema drift", "anomaly alerts", "contracts between teams"],
    "automated data tests",
  ),
  subject(
    "Data",
    "Graph databases",
    ["path queries", "fraud rings", "knowledge graphs"],
    "hosted graph storage",
  ),
  subject(
    "Data",
    "Time series",
    ["forecasting demand", "seasonal patterns", "downsampling"],
    "metrics storage",
  ),
  subject(
    "Data",
    "Data privacy",
    ["anonymization", "consent records", "retention rules"],
    "privacy audits",
  ),
  subject(
    "Machine learning",
    "Recommender systems",
    ["cold start", "ranking models", "offline evaluation"],
    "recommendation engines",
  ),
  subject(
    "Machine learning",
    "Computer vision",
    ["defect detection", "camera calibration", "image labeling"],
    "visual inspection",
  ),
  subject(
    "Machine learning",
    "Language models",
    ["prompt design", "retrieval augmented answers", "hallucination tests"],
    "fine-tuned assistants",
  ),
  subject(
    "Machine learning",
    "Speech recognition",
    ["accents and dialects", "live captions", "noisy rooms"],
    "transcription services",
  ),
  subject(
    "Machine learning",
    "Reinforcement learning",
    ["reward design", "simulation", "safe exploration"],
    "training simulators",
  ),
  subject(
    "Machine learning",
    "Explainable models",
    ["feature attribution", "fairness reports", "regulated decisions"],
    "model audits",
  ),
  subject(
    "Cloud",
    "Kubernetes",
    ["cluster upgrades", "autoscaling", "network policies"],
    "managed clusters",
  ),
  subject(
    "Cloud",
    "Serverless",
    ["cold starts of functions", "event triggers", "cost control"],
    "function hosting",
  ),
  subject(
    "Cloud",
    "Edge computing",
    ["offline operation", "fleet updates", "local inference"],
    "edge gateways",
  ),
  subject(
    "Cloud",
    "Infrastructure as code",
    ["drift detection", "module design", "policy checks"],
    "provisioning automation",
  ),
  subject(
    "Cloud",
    "Observability",
    ["distributed tracing", "alert fatigue", "service objectives"],
    "monitoring platforms",
  ),
  subject(
    "Cloud",
    "Disaster recovery",
    ["failover drills", "backups", "regional outages"],
    "backup services",
  ),
  subject(
    "Security",
    "Zero trust",
    ["device identity", "short-lived credentials", "access reviews"],
    "identity platforms",
  ),
  subject(
    "Security",
    "Application security",
    ["dependency scanning", "threat modeling", "secure defaults"],
    "penetration testing",
  ),
  subject(
    "Security",
    "Incident response",
    ["forensics", "communication plans", "tabletop exercises"],
    "emergency response teams",
  ),
  subject(
    "Security",
    "Cryptography",
    ["key rotation", "post-2030 algorithms", "hardware modules"],
    "key management",
  ),
  subject(
    "Security",
    "Fraud prevention",
    ["account takeover", "payment risk", "behavioral signals"],
    "risk scoring",
  ),
  subject(
    "Engineering",
    "Software architecture",
    ["modular monoliths", "event sourcing", "decision records"],
    "architecture reviews",
  ),
  subject(
    "Engineering",
    "Testing",
    ["property based tests", "flaky tests", "contract tests"],
    "test automation",
  ),
  subject(
    "Engineering",
    "Developer experience",
    ["fast builds", "internal portals", "onboarding"],
    "developer portals",
  ),
  subject(
    "Engineering",
    "Accessibility",
    ["screen readers", "keyboard navigation", "color contrast"],
    "accessibility audits",
  ),
  subject(
    "Engineering",
    "Web performance",
    ["image loading", "caching", "interaction latency"],
    "content delivery",
  ),
  subject(
    "Engineering",
    "Mobile apps",
    ["offline sync", "release trains", "battery use"],
    "app testing farms",
  ),
  subject(
    "Engineering",
    "Open source",
    ["licensing", "maintainer burnout", "funding"],
    "license compliance",
  ),
  subject(
    "Leadership",
    "Team topologies",
    ["platform teams", "cognitive load", "ownership"],
    "team coaching",
  ),
  subject(
    "Leadership",
    "Hiring",
    ["structured interviews", "junior engineers", "diverse teams"],
    "technical recruiting",
  ),
  subject(
    "Leadership",
    "Remote work",
    ["asynchronous writing", "time zones", "trust"],
    "collaboration tools",
  ),
  subject(
    "Leadership",
    "Product discovery",
    ["user interviews", "experiments", "roadmaps"],
    "research panels",
  ),
  subject("Future", "Robotics", ["warehouse robots", "grasping", "human safety"], "robot arms"),
  subject(
    "Future",
    "Physics of emerging technology",
    ["new computing hardware", "superconducting chips", "photonic processors"],
    "laboratory instruments",
  ),
  subject(
    "Future",
    "Sustainability",
    ["carbon accounting", "green data centers", "hardware reuse"],
    "energy reports",
  ),
  subject(
    "Future",
    "Augmented reality",
    ["remote maintenance", "spatial anchors", "headset comfort"],
    "training headsets",
  ),
  subject(
    "Future",
    "Digital twins",
    ["factory models", "sensor fusion", "what-if planning"],
    "twin platforms",
  ),
  subject(
    "Future",
    "Health technology",
    ["wearable sensors", "clinical records", "remote diagnosis"],
    "medical device software",
  ),
]
