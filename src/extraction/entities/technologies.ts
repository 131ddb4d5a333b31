// Technologies that conversations about software name, each with the other ways to write it. The first word of a line is the
// name that is kept; words in lower case, other spellings behind commas, several names in a line behind semicolons.

import { lazy } from '../../model/lazy.ts';
import { aliasesIn } from './spellings.ts';

const LINES = `
postgresql, postgres, pg, psql
mysql, mariadb
sqlite, sqlite3
mongodb, mongo
redis
elasticsearch, opensearch
dynamodb
cassandra
clickhouse
duckdb
supabase
firebase, firestore
prisma
drizzle
sequelize
typeorm
sqlalchemy
kafka
rabbitmq, amqp
nats
sqs
docker, docker-compose
kubernetes, k8s, kubectl
helm
terraform
ansible
pulumi
nginx
apache
caddy
traefik
aws, amazon web services
gcp, google cloud
azure
cloudflare
vercel
netlify
heroku
s3
lambda
github, gh
gitlab
bitbucket
github actions
jenkins
circleci
git
typescript, ts, tsc
javascript, js
python, py, python3
golang, go lang
rust, cargo
java
kotlin
swift
c++, cpp
c#, csharp
.net, dotnet
ruby
rails, ruby on rails
php
laravel
elixir
scala
haskell
bash
zsh
powershell
node.js, node, nodejs
deno
bun
npm
pnpm
yarn
react, reactjs, react.js
preact
next.js, nextjs
vue, vuejs, vue.js
nuxt
svelte, sveltekit
angular
solid.js, solidjs
remix
astro
express, expressjs
fastify
hono
koa
nestjs
django
flask
fastapi
spring, spring boot
graphql
grpc
rest
websocket, websockets
trpc
openapi, swagger
json
yaml
toml
xml
csv
protobuf
html
css
sass, scss
tailwind, tailwindcss
webpack
vite
rollup
esbuild
turbopack
babel
eslint
prettier
biome
jest
vitest
mocha
playwright
cypress
puppeteer
selenium
pytest
junit
storybook
electron
tauri
react native
flutter
expo
ios
android
linux
macos
windows
ubuntu
debian
wsl
esp32
arduino
raspberry pi
mqtt
lora, lorawan
bluetooth, ble
zod
pydantic
commander
oauth, oauth2
jwt, json web token
saml
openid, oidc
tls, ssl
ssh
http, https
dns
cors
csrf
openai, gpt, chatgpt
anthropic, claude
claude code
gemini
llama
ollama
langchain
hugging face, huggingface
pytorch, torch
tensorflow
onnx
numpy
pandas
scikit-learn, sklearn
jupyter
mcp, model context protocol
sentry
datadog
prometheus
grafana
opentelemetry, otel
stripe
twilio
slack
discord
notion
figma
jira
linear
vscode, vs code
vim, neovim
emacs
cursor
codex
homebrew, brew
make
cmake
gradle
maven
bazel
nix
sqlite-vec
fts5
pgvector
bm25
d3.js, d3
three.js
popper.js
commander.js
markdown
chart.js
hnsw
cockroachdb; neo4j; influxdb; timescaledb; scylladb; planetscale; neon; turso; libsql; qdrant; weaviate; pinecone; milvus
chromadb; faiss; meilisearch; typesense; algolia; solr; lucene; tantivy; snowflake; bigquery; redshift; databricks; parquet
apache arrow; apache spark, pyspark; flink; hadoop; airflow; dagster; dbt; polars; celery; knex; kysely; mongoose; podman
containerd; k3s; minikube; argo cd, argocd; istio; envoy; consul; hashicorp vault; vagrant; wireguard; tailscale; ngrok
cloudflare workers, wrangler; fly.io; digitalocean; hetzner; systemd; cron, crontab; buildkite; travis ci; dependabot
renovate; codecov; sonarqube; semgrep; codeql; coderabbit; snyk; turborepo; nx; lerna; changesets; semantic-release; husky
lint-staged; commitlint; release please; ruff; mypy; pyright; poetry; uv; pip, pip3; conda; tox; gunicorn; uvicorn
golangci-lint; gofmt; goreleaser; rustfmt; clippy; rustup; tokio; serde; axum; actix; shellcheck; shfmt; markdownlint; vale
stylelint; tsup; swc; oxlint; knip; testing library; msw; k6; locust; testcontainers; winget; chocolatey, choco; scoop
apt-get; pacman; flatpak; nuget; cocoapods; xcode; android studio; intellij; jetbrains; webstorm; pycharm; tmux; nushell
oh my posh; starship; oh my zsh; zig; ocaml; clojure; erlang; dart; perl; lua; fortran; solidity; matlab; wasm, webassembly
emscripten; hardhat; ethers.js; viem; wagmi; web3.js; ethereum; bitcoin; solana; metamask; walletconnect; web3auth; privy
ipfs; kubo; libp2p; nostr; pinata; webrtc; webgl; webgpu; opengl; vulkan; cuda; opencv; ffmpeg; imagemagick; pandoc; latex
mermaid; graphviz; plantuml; docusaurus; mkdocs; vitepress; jekyll; gatsby; wordpress; shopify; strapi; contentful; hasura
apollo; relay; redux; zustand; mobx; tanstack query, react query; axios; lodash; octokit; socket.io; rxjs; jquery; bootstrap
shadcn, shadcn/ui; radix ui; material ui, mui; chakra ui; framer motion; bullmq; passport; keycloak; auth0; clerk; okta
cognito; nextauth, next-auth; webauthn; bcrypt; argon2; fuse, fuse-t, macfuse; resend; sendgrid; mailgun; posthog; mixpanel
launchdarkly; pagerduty; new relic; loki; alloy; jaeger; zipkin; kibana; logstash; splunk; scipy; matplotlib; plotly
streamlit; gradio; keras; jax; xgboost; vllm; llama.cpp; llamaindex; sentence-transformers; minilm; mistral; deepseek; qwen
grok; github copilot, copilot; windsurf; aider; cline; roo code; opencode; codeium; kilo code; amazon bedrock, bedrock
vertex ai; openrouter; litellm; groq; whisper; stable diffusion; claude opus, opus; claude sonnet, sonnet
claude haiku, haiku; claude desktop; claude agent sdk; sx1262; sx1276; stm32; nrf52; rp2040; platformio; freertos; zephyr
zigbee; modbus; i2c; uart; kicad; home assistant; esphome
`;

/** Every way to write a technology → its name. Names that are everyday words too are left to the context. */
export const technologyAliases = lazy(() => aliasesIn(LINES));

const FAMILY =
  /^(?:claude|gpt|gemini|llama|mistral|qwen|deepseek|grok)(?=[\d.]*-[a-z\d.-]*(?:\d|pro|flash|mini|turbo|opus|sonnet|haiku))/;

/** Of the name of a model, with its version (`claude-sonnet-4-5`, `gpt-4o`): what a table of versions could not keep up with. */
export function modelFamily(lower: string): string | undefined {
  if (!lower.includes('-')) return undefined;
  const family = FAMILY.exec(lower)?.[0];
  const size = family === 'claude' ? /opus|sonnet|haiku/.exec(lower)?.[0] : undefined;
  return family && technologyAliases().get(size ?? family);
}

/** Also ordinary words: they count only where they are written like a name (`Express`, `Linear`). */
export const EVERYDAY: ReadonlySet<string> = new Set(
  'rest make go node express spring linear cursor rust swift react commander notion bun lambda windows solid nest flask remix astro helm nats ts js py pg gh expo vue java ruby git slack discord neon pinecone snowflake redshift celery envoy consul renovate poetry locust scoop starship dart privy apollo relay passport clerk fuse resend alloy vale mistral copilot windsurf cline bedrock whisper opus sonnet haiku zephyr bootstrap mermaid husky mongoose solidity pinata grok'.split(
    ' ',
  ),
);
