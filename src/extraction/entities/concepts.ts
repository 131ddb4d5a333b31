// Ideas of software and its neighbours that have a settled name and are written in plain words: by their form alone nothing tells "mesh
// networking" from any other two words. The first of a line is the name that is kept; other ways to say it follow.

import { lazy } from '../../model/lazy.ts';
import { aliasesIn } from './spellings.ts';

const LINES = `
mesh networking, mesh network, mesh networks
fail-safe, fail safe
failover
single point of failure
race condition, race conditions
deadlock, deadlocks
memory leak, memory leaks
garbage collection
backpressure
rate limit, rate limits, rate limiting, rate limiter
circuit breaker, circuit breakers
load balancing, load balancer
eventual consistency, eventually consistent
optimistic locking, optimistic concurrency
optimistic update, optimistic updates
event sourcing
event loop
dependency injection
separation of concerns
feature flag, feature flags
code review, code reviews
code splitting
tree shaking
dead code
technical debt, tech debt
continuous integration
blue-green deployment
canary release, canary deployment
zero downtime
database migration, database migrations, schema migration, schema migrations
foreign key, foreign keys
full-text search, full text search
vector search
semantic search
knowledge graph
prompt injection
prompt caching
context window
fine-tuning
function calling, tool calling
hallucination, hallucinations
chain of thought
access control
access token, access tokens
refresh token, refresh tokens
session hijacking
path traversal
sql injection
cross-site scripting, xss
supply chain attack
threat model, threat modeling, threat modelling
least privilege
zero trust
zero-knowledge, zero knowledge
end-to-end encryption, e2ee
public key, public keys
private key, private keys
key derivation
key rotation
key exchange
key wrapping
digital signature, digital signatures
code signing
certificate pinning
two-factor authentication, multi-factor authentication, 2fa, mfa
single sign-on, sso
account recovery
secret sharing
smart contract, smart contracts
content addressing
crdt, crdts
lamport clock
vector clock, vector clocks
leader election
service worker, service workers
web worker, web workers
server-side rendering, ssr
single-page application
progressive disclosure
dark mode
responsive design
accessibility
internationalization, i18n
design system
infinite scroll
drag and drop
hot reload, hot reloading, hmr
unit test, unit tests
integration test, integration tests
e2e test, e2e tests, end-to-end test, end-to-end tests
regression test, regression tests
smoke test, smoke tests
property-based testing, property tests
mutation testing
snapshot test, snapshot tests
flaky test, flaky tests
test-driven development, tdd
root cause analysis
semantic versioning, semver
trunk-based development
conventional commits
monorepo
message queue
dead letter queue
idempotency, idempotent
exponential backoff
connection pool, connection pooling
n+1 query, n+1 queries
lazy loading
server-sent events
long polling
firmware update, over-the-air update
watchdog timer
power supply
`;

/** Every way to say it → its name. */
export const conceptAliases = lazy(() => aliasesIn(LINES));
