// Technologies that conversations about software name, each with the other ways to write it. The first word of a line is the
// name that is kept; words in lower case, parts separated by commas.

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
chart.js
hnsw
`;

let table: ReadonlyMap<string, string> | undefined;

/** Every way to write a technology → its name. Names that are everyday words too are left to the context. */
export function technologyAliases(): ReadonlyMap<string, string> {
  if (table) return table;
  const made = new Map<string, string>();
  for (const line of LINES.split('\n')) {
    const names = line
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean);
    for (const name of names) made.set(name, names[0]!);
  }
  table = made;
  return made;
}

/** Also ordinary words: they count only where they are written like a name (`Express`, `Linear`). */
export const EVERYDAY: ReadonlySet<string> = new Set(
  'rest make go node express spring linear cursor rust swift react commander notion bun lambda windows solid nest flask remix astro helm nats ts js py pg gh expo vue java ruby git linear slack discord'.split(
    ' ',
  ),
);
