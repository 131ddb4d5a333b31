// Secrets of providers, in formats modelled on publicly documented ones: what providers document, what the rules of gitleaks and the detectors
// of TruffleHog describe; none of their code or test data is here. `{h32}`: 32 hexadecimal digits; `l` small letters and figures, `m` both cases
// and figures, `d` those with - and _, `U` capitals and figures, `n` figures, `b` base64, `u` a UUID.

/** The secret tells by itself whose it is. `name format` */
export const PREFIXED = `
github ghp_{m36}; github gho_{m36}; github ghs_{m36}; github github_pat_{m22}_{m59}; gitlab glpat-{d20}; gitlab gldt-{d20}
gitlab glrt-{d20}; gitlab glptt-{h40}; gitlab GR1348941{d20}; gitlab glagent-{d50}; gitlab glimt-{d25}; gitlab glft-{d20}
gitlab gloas-{h64}; gitlab glsoat-{d20}; gitlab glffct-{d20}; aws AKIA{U16}; aws ASIA{U16}; gcp AIza{d35}; google ya29.{d68}
google GOCSPX-{d28}; google 1//0{d60}; openai sk-{m20}T3BlbkFJ{m20}; openai sk-proj-{d74}T3BlbkFJ{d74}
anthropic sk-ant-api03-{d93}AA; anthropic sk-ant-admin01-{d93}AA; huggingface hf_{m34}; huggingface api_org_{m34}
perplexity pplx-{m48}; groq gsk_{m52}; replicate r8_{m37}; openrouter sk-or-v1-{h64}; xai xai-{m80}
langsmith lsv2_pt_{h32}_{h10}; stripe sk_live_{m24}; stripe rk_live_{m24}; stripe sk_test_{m24}; stripe whsec_{m32}
slack xoxb-{n12}-{n12}-{m24}; slack xoxp-{n12}-{n12}-{n12}-{h32}; slack xapp-1-A{U10}-{n13}-{h64}; slack xoxe.xoxp-1-{U160}
slack https://hooks.slack.com/services/T{U10}/B{U10}/{m24}; slack xoxs-{n12}-{n12}-{n12}-{h10}
discord https://discord.com/api/webhooks/{n18}/{d68}; telegram {n10}:AA{d33}; twilio SK{h32}; sendgrid SG.{d22}.{d43}
sendinblue xkeysib-{h64}-{m16}; mailgun key-{h32}; mailchimp {h32}-us12; shopify shpat_{h32}; shopify shpss_{h32}
shopify shpca_{h32}; shopify shppa_{h32}; square sq0atp-{d22}; square sq0csp-{d43}; npm npm_{m36}
pypi pypi-AgEIcHlwaS5vcmc{d70}; rubygems rubygems_{h48}; dockerhub dckr_pat_{d27}; clojars CLOJARS_{l60}
digitalocean dop_v1_{h64}; digitalocean doo_v1_{h64}; digitalocean dor_v1_{h64}; cloudflare v1.0-{h24}-{h146}; heroku HRKU-{u}
flyio fo1_{d43}; flyio fm2_{b120}; vault hvs.{d90}; vault hvb.{d138}; vault s.{m24}; terraform {m14}.atlasv1.{d60}
pulumi pul-{h40}; doppler dp.pt.{m43}; doppler dp.st.dev.{m43}; tailscale tskey-auth-{m12}-{m32}; databricks dapi{h32}
supabase sbp_{h40}; supabase sb_secret_{d31}; planetscale pscale_tkn_{d43}; planetscale pscale_pw_{d43}
planetscale pscale_oauth_{d43}; grafana glc_{b60}; grafana glsa_{m32}_{h8}; grafana eyJrIjoi{m72}; sentry sntryu_{h64}
sentry sntrys_eyJpYXQiO{m120}_{b43}; newrelic NRAK-{U27}; newrelic NRII-{d32}; newrelic NRJS-{h19}; dynatrace dt0c01.{U24}.{U64}
age AGE-SECRET-KEY-1{U58}; postman PMAK-{h24}-{h34}; linear lin_api_{m40}; figma figd_{d40}; notion ntn_{n11}{m35}
notion secret_{m43}; airtable pat{m14}.{h64}; atlassian ATATT3{d186}; adobe p8e-{m32}; alibaba LTAI{m20}; artifactory AKCp{m69}
artifactory cmVmd{m59}; easypost EZAK{m54}; easypost EZTK{m54}; duffel duffel_live_{d43}; duffel duffel_test_{d43}
flutterwave FLWSECK_TEST-{h32}-X; frameio fio-u-{d64}; prefect pnu_{m36}; readme rdme_{l70}; scalingo tk-us-{d48}
shippo shippo_live_{h40}; infracost ico-{m32}; intra42 s-s4t2ud-{h64}; maxmind {m6}_{m29}_mmk; octopus API-{U26}
openshift sha256~{d43}; settlemint sm_pat_{m16}; settlemint sm_aat_{m16}; sonar sqp_{h40}; sonar squ_{h40}
sourcegraph sgp_{h16}_{h40}; typeform tfp_{d59}; yandex AQVN{d35}; yandex t1.{d20}.{d86}; harness pat.{m22}.{h24}.{m20}
harness sat.{m22}.{h24}.{m20}; facebook EAAC{m120}; facebook EAAM{m110}; authress sc_{m15}.{m5}.acc-{l20}.{d60}
clickhouse 4b1d{m38}; 1password A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}; 1password ops_eyJ{b260}; plaid access-production-{u}
buildkite bkua_{h40}; contentful CFPAT-{d43}; circleci CCIPAT_{m22}_{h40}; netlify nfp_{m36}; vercel vcp_{m56}; render rnd_{m32}
mapbox sk.eyJ{m60}.{d22}; paystack sk_live_{h40}; razorpay rzp_live_{m14}; lob live_{h35}; checkout sk_{u}; adyen AQE{m40}
onfido api_live.{m11}.{m32}; persona persona_production_{u}; ramp ramp_sec_{m48}; pagerduty u+{m18}; launchdarkly sdk-{u}
launchdarkly api-{u}; statsig secret-{m40}; posthog phx_{m43}; posthog phc_{m43}; segment sgp_{m64}; livekit API{m12}
elevenlabs sk_{h48}; stability sk-{m48}; voyage pa-{d43}; pinecone pcsk_{m6}_{m60}; nvidia nvapi-{d64}; fireworks fw_{m24}
together tgp_v1_{d43}; cerebras csk-{l48}; tavily tvly-{m32}; firecrawl fc-{h32}; e2b e2b_{h40}; modal ak-{m22}
wandb wandb_v1_{m70}; neon napi_{l64}; turso eyJhbGciOiJFZERTQSI{m20}.eyJ{m60}.{d86}; upstash AX{d60}; convex prod:{l10}|{b80}
resend re_{m8}_{m24}; knock sk_{d43}; clerk sk_live_{m42}; workos sk_live_{b50}; stytch secret-live-{d40}; dub dub_{m24}
cal cal_live_{h32}; calendly eyJraWQiOiI{m30}.eyJ{m60}.{d80}; asana 1/{n16}:{h32}; asana 2/{n16}/{n16}:{h32}
clickup pk_{n8}_{U32}; trello ATTA{h64}; shortcut sct_rw_{m20}; height secret_{m24}; hubspot pat-na1-{u}; intercom dG9rO{b50}=
front eyJhbGciOiJ{m20}.eyJ{m60}.{d43}; twitch oauth:{l30}
`;

/** Only the name beside it tells: `name kinds format`. */
export const NAMED = `
adafruit key {d32}; adobe client_secret {h32}; algolia api_key {l32}; alibaba secret_key {m30}; airtable api_key key{m14}
asana client_secret {l32}; atlassian api_token {l20}{h4}; beamer api_token b_{d44}; bitbucket client_secret {d64}
bitbucket client_id {l32}; bittrex secret_key {l32}; bittrex access_key {l32}; meraki api_key {h40}; cloudflare api_key {d40}
cloudflare global_api_key {h37}; codecov token {l32}; cohere api_key {m40}; coinbase access_token {d64}
confluent secret_key {l64}; confluent api_key {U16}; contentful delivery_token {d43}; datadog api_key {h32}
datadog app_key {h40}; discord client_secret {d32}; discord bot_token {h64}; droneci access_token {l32}
dropbox app_secret {l15}; dropbox access_token {l11}AAAAAAAAAA{d43}; etsy api_key {l24}; facebook app_secret {h32}
fastly api_token {d32}; finicity client_secret {l20}; finicity app_key {h32}; finnhub api_key {l20}; flickr access_token {l32}
freshbooks access_token {l64}; gitter access_token {d40}; gocardless api_token live_{d40}; heroku api_key {u}
hubspot api_key {u}; intercom access_token {d60}; jfrog api_key {m73}; jfrog identity_token {m64}; kraken access_token {b80}
kucoin secret_key {u}; kucoin access_token {h24}; launchdarkly access_token {d40}; linear client_secret {h32}
linkedin client_secret {l16}; lob api_key live_{h35}; looker client_secret {l24}; mailgun signing_key {h32}-{h8}-{h8}
mapbox api_token pk.{l60}.{l22}; mattermost access_token {l26}; messagebird api_token {l25}; netlify access_token {d43}
newrelic api_key {l64}; nytimes access_token {d32}; okta access_token 00{d40}; plaid secret_key {l30}; plaid client_id {l24}
privateai api_token {l32}; rapidapi key {d50}; sendbird access_token {h40}; sendbird access_id {u}; sentry access_token {h64}
snyk token {u}; squarespace access_token {u}; sumologic access_token {m64}; sumologic access_id su{m12}
travisci access_token {l22}; trello access_token {m32}; twitch api_token {l30}; twitter api_key {m25}; twitter api_secret {m50}
twitter access_secret {m45}; zendesk secret_key {l40}; abbysale api_key {m40}; abstract api_key {l32}; abuseipdb api_key {l80}
accuweather key {m32}; adzuna key {l32}; aeroworkflow api_key {m20}; agora token {l32}; aha api_key {h64}
airbrake project_key {h32}; airship token {m91}; airvisual key {u}; aiven token {b372}; alchemy api_key {d32}
alconost key {l32}; alegra api_token {l20}; aletheia api_key {U32}; alienvault api_key {l64}; allsports api_key {l64}
amadeus client_secret {m16}; ambee api_key {h64}; amplitude secret_key {h32}; apacta api_key {u}; apiflash access_key {l32}
apify api_token apify_api_{m36}; apilayer key {m32}; apimatic api_key {d64}; appcues api_secret {u}; appfollow api_secret {d20}
appsynergy token {l64}; artsy client_secret {l32}; assemblyai api_key {h32}; audd api_token {h32}; autodesk client_secret {m16}
autopilot api_key {h32}; avaza token {n6}-{h40}; axonaut api_key {h32}; aylien app_key {l32}
ayrshare api_key {U7}-{U7}-{U7}-{U7}; bannerbear api_key {m24}; baremetrics api_key lk_{d25}; baseapi key {u}
beebole api_token {h40}; besnappy api_key {h64}; bestbuy api_key {m24}; billomat api_key {h32}; bitbar api_key {m32}
bitcoinaverage secret {m43}; bitfinex api_secret {m43}; bitly access_token {h40}; bitmex secret {m48}
blazemeter token {l10}_{m40}; blitapp key {d39}; blocknative api_key {u}; blogger api_key {m39}; bombbomb token {m30}.{m60}
boostnote token {h64}; borgbase token {d148}; box client_secret {m32}; braintree private_key {h32}; brandfetch api_key {m40}
browserstack access_key {m20}; bscscan api_key {U34}; budibase api_key {h32}-{h60}; bugherd api_key {l22}; bugsnag api_key {h32}
buildkite token {l40}; bulbul key {h32}; buttercms token {l40}; caflou token {m150}; calendarific api_key {h40}
calorieninja key {m40}; campayn key {l64}; cannyio key {u}; capsulecrm token {d64}; captaindata api_key {h64}
carboninterface key {m21}; cashboard key {U3}-{U3}-{U3}-{U3}; caspio token {l8}; censys secret {m32}; centralstation token {l30}
cexio secret {m26}; chartmogul key {h32}; chatbot token {d32}; checkio key {h56}; checklyhq api_key {h32}
checkout secret sk_{u}; checkvist key {m14}; cicero key {h40}; clarifai api_key {l32}; clearbit secret sk_{h32}
clinchpad key {h32}; clockify api_key {m48}; clockwork key {h40}; closecrm api_key api_{m22}.{m22}; cloudconvert token {m100}
cloudelements secret {m43}; cloudimage token {l30}; cloudmersive key {u}; cloudplan token {d32}; cloverly private_key {l28}
cloze api_key {h32}; clustdoc token {m60}; codacy api_token {l20}; codeclimate token {h40}; codemagic token {d43}
codequiry key {h64}; coinapi key {U8}-{U4}-{U4}-{U4}-{U12}; coingecko api_key CG-{m24}; coinlayer access_key {l32}
coinlib key {l16}; column secret live_{m27}; commercejs secret sk_{m48}; commodities key {l60}; companyhub key {m20}
confluence api_token {m24}; contentstack token cs{h34}; convertkit api_secret {d43}; convier token {n2}|{m40}; copper key {h32}
couchbase password {m12}!{m6}; countrylayer access_key {l32}; courier token pk_{l4}_{m28}; coveralls token {m37}
crowdin token {h80}; cryptocompare api_key {l64}; currencycloud api_key {h64}; currencyfreaks key {l32}
currencylayer access_key {l32}; currentsapi key {d48}; customerguru secret {l50}; customerio api_key {l20}; dailyco token {h64}
dandelion token {l32}; dareboost token {m60}; databox token {l21}; datagov api_key {m40}; deepai api_key {u}
deepgram api_key {h40}; delighted api_key {m32}; deputy token {h32}; detectify key {h32}; detectlanguage api_key {h32}
dfuse server_key web_{h32}; diffbot token {l32}; diggernaut key {h40}; disqus api_secret {m64}; ditto key {u}.{l40}
dnscheck secret {h32}; docparser key {h40}; documo token ey{m100}; docusign secret_key {u}; dotdigital password {m14}
dovico token {h32}.{n5}; dronahq key {l50}; dwolla secret {d50}; dyspatch key {U52}; eagleeye key {m16}; easyinsight key {m20}
ecostruxure token {m364}; edamam app_key {l32}; edenai token {m36}.{m92}.{d43}; eightxeight secret {m23}
elasticemail api_key {U96}; enablex app_key {m36}; endorlabs secret endr+{d16}; enigma key {m40}; envoy api_key {m220}
eraser token {m20}; ethplorer key EK-{m5}-{m7}-{m5}; etherscan api_key {U34}; eventbrite token {U20}
everhour api_key {h4}-{h4}-{h6}-{h6}-{h8}; exchangerate api_key {l24}; exportsdk key {h10}_{u}; extractorapi key {m40}
facepp secret {d32}; fastforex key {l10}-{l10}-{l6}; feedier token {m32}; fetchrss key {m40}.{m12}; fibery token {h8}.{h35}
fileio key {m16}.{m7}-{m7}-{m7}-{m7}; finage api_key API_KEY{U32}; financialmodelingprep key {m32}; findl key {u}
fixer access_key {l32}; flatio key {m16}; fleetbase key flb_live_{m20}; flexport token shltm_{d40}; flightapi key {l24}
flightlabs key {m150}; flightstats key {l32}; float token {d59}.{d8}; flowflu key {m51}; fmfw secret {d32}
formbucket token {m60}; formcraft key {l32}; formio token {m80}; formsite key {m32}; foursquare secret {U48}
freshdesk api_key {m20}; fulcrum key {l80}; fullstory key na1.{b60}; fxmarket key {d20}; geckoboard api_key {m44}
gemini secret {m27}; gengo private_key {d64}; geoapify key {l32}; geocode api_key {l28}; geocodify key {l40}; geocodio key {l39}
geoipify key at_{m29}; getemail key {d20}; getemails secret {l26}; getgeoapi key {l40}; getgist key {b68}; getresponse key {l32}
getsandbox key {l40}; glassnode key {m27}; glitterly key {u}; gosquared key {d16}; grafana password {m16}
graphcms token ey{m73}.ey{m365}.{d683}; graphhopper key {u}; guardianapi key {u}; gumroad access_token {d43}; gyazo token {d43}
happyscribe key {m24}; harvest token {l97}; hellosign api_key {m64}; helpcrunch key {b84}; helpscout secret {m32}
hereapi key {d43}; hightouch token {u}; hive key {m32}; holidayapi key {u}; holistic key {d43}; honeycomb api_key {m22}
host key {l14}; html2pdf key {m64}; hunter api_key {l40}; hybiscus key {d43}; hypertrack secret {d54}; iconfinder key {m64}
iexapis token sk_{m29}; imagekit private_key private_{m21}; imagga secret {l32}; impala token {m46}; infura api_key {l32}
insightly key {u}; instabot key {b44}; intrinio key {m44}; invoiceocean token {m20}; ipapi key {l32}; ipgeolocation key {l32}
ipify key at_{m29}; ipinfodb key {l64}; ipquality key {m32}; ipstack access_key {l32}; jiratoken token {m24}; jotform key {l32}
jumpcloud api_key {h40}; jupiterone token {m76}; juro key {m40}; kanban key {U12}; karma token {m20}; keenio key {U64}
kickbox key live_{m64}; klaviyo api_key pk_{m34}; klipfolio key {l40}; kontent token {m700}; languagelayer key {l32}
lemlist key {l32}; lendflow key {m36}.{m235}.{d32}; lessannoying key {m57}; lexigram key {m301}; linenotify token {m43}
linkpreview key {l32}; liveagent key {m32}; livestorm key ey{m30}.{m60}.{d43}; logz token {u}; lokalise token {l40}
loginradius key {u}; luno secret {d43}; madkudu key {l32}; magicbell secret {m40}; magnetic key {u}; mailboxlayer key {l32}
mailerlite token {l32}; mailjet secret {h32}; mailmodo key {U7}-{U7}-{U7}-{U7}; mailsac key k_{m36}; mandrill api_key {d22}
manifest secret {m32}; mapquest key {m32}; marketstack key {l32}; mavenlink token {h64}; mediastack key {l32}
meistertask token {m43}; mesibo token {m64}; messari key {u}; metaapi key {m64}; metabase token {u}; metrilo token {h16}
mindmeister token {m43}; miro token {m27}; mite key {h16}; mixmax key {u}; mixpanel secret {h32}; mockaroo key {h8}
moderation token {u}; monday token ey{m30}.{m240}.{d43}; moonclerk key {l32}; moosend key {u}; moralis key {m64}
mrticktock password {m20}; mux secret {b75}; myfreshworks key {d22}; nasdaq key {d20}; netcore key {l32}; neutrino key {m48}
newsapi key {l32}; newscatcher key {d43}; nexmo secret {m16}; nftport key {u}; ngrok authtoken {m27}_{m20}
nicereply token {h40}; nightfall key NF-{m32}; nimble token {m30}; nitro token {m39}; noticeable key {m20}; notifier secret {u}
numverify key {l32}; nutritionix key {h32}; nylas token {m30}; oanda key {h32}-{h32}; omnisend key {h24}-{m50}
onedesk token {m20}; onelogin secret {h64}; onesignal rest_api_key {m48}; onwater key {m20}; oopspam key {m40}
opencage key {l32}; opengraphr key {m80}; openuv key {l32}; openweather api_key {h32}; opsgenie api_key {u}
optimizely token {d54}; overloop key {d50}; owlbot token {l40}; packagecloud token {h48}; pagerduty api_key {d20}
pandadoc key {m40}; pandascore key {d51}; parallel key {m48}; parsehub key {d12}; parsers key {m20}; parseur key {h40}
partnerstack secret {m64}; pastebin dev_key {d32}; payments token {m32}; paymo key {m44}; paymongo secret sk_live_{m24}
paypal client_secret {d80}; paydirt token {l32}; paystack secret sk_live_{h40}; pdflayer key {l32}; pdfshift key {h32}
peopledatalabs key {l64}; pepipost key {m32}; percy token {h64}; pinata secret {l64}; pipedream key {h32}; pipedrive token {l40}
pivotaltracker token {h32}; pixabay key {n8}-{h25}; plivo auth_token {m40}; podio secret {m64}; pollsapi key {U28}
poloniex secret {h128}; polygon key {m32}; portainer token ptr_{b44}; positionstack key {l32}; postageapp key {m32}
posthog key phx_{m43}; postmark server_token {u}; powrbot key {l40}; privacy key {u}; prodpad key {h64}; prospect token {u}
protocolsio token {l64}; proxycrawl token {d22}; pubnub subscribe_key sub-c-{u}; purestake key {m40}; pushbullet token {m34}
pusher app_secret {l20}; qase token {l40}; qualaroo key {b64}; qubole key {m64}; rave secret FLWSECK-{h32}-X; rawg key {m32}
razorpay key_secret {m24}; reachmail token {d60}; rebrandly key {l32}; recharge token sk_{m32}; redis password {m24}
refiner key {d34}; rentman token ey{m30}.ey{m60}.{d43}; repairshopr key {d51}; restpack key {m48}; revamp key {m40}
ringcentral secret {d22}; riteway key {m43}; roaring secret {d28}; rocketreach key {h30}; ronin token {d26}; roninapp key {d26}
route4me key {U32}; rownd secret {h48}; rubygems api_key rubygems_{h48}; runrunit token {m32}; salesblink key {m16}
salescookie key {m32}; salesforce secret {U64}; salesmate key {u}; satismeter key {m16}; saucelabs access_key {u}
scalr token {m136}; scrapeowl key {l30}; scraperapi key {l32}; scrapestack key {l32}; scrapfly key {l32}; scrapingant key {l32}
scrapingbee key {U80}; screenshotapi key {U7}-{U7}-{U7}-{U7}; scrutinizer key {h64}; securitytrails key {m32}
segment api_key {d43}.{d43}; selectpdf key {u}; semaphore token {h32}; sendbird token {h40}; sentiment key {m20}
serphouse key {m60}; serpstack key {l32}; sheety token {m64}; sherpadesk key {l32}; shipday key {m11}.{m20}
shodan api_key {m32}; shortcut token {u}; shotstack key {m40}; shutterstock secret {m16}; signable key {m32}
signalwire token {m50}; signaturit token {m86}; signupgenius key {m32}; simfin key {m32}; simplesat token {h40}
simplynoted key {m340}; simvoly key {m33}; sinch auth_token {h32}; sirv secret {b88}; skrapp key {m42}; skybiometry secret {l26}
sloodo token {m32}; smartsheets token {m37}; smooch secret {d86}; snipcart secret {b75}; spoonacular key {l32}
sportsmonk token {m60}; spotify client_secret {h32}; sslmate key {m36}; statuscake key {m20}; statuspage key {u}
stitchdata token {m40}; stockdata key {m40}; storecove key {d43}; stormglass key {u}-{u}; storyblok token {m22}tt
storychief token {m60}; strava secret {h40}; streak key {h32}; stytch secret {d47}; sugester token {m32}; superfeedr key {h32}
surveyanyplace key {h32}; surveybot token {d80}; surveysparrow token {d88}; survicate key {h32}; swell key {m24}
swiftype key {m6}-{m6}-{m6}; tailscale key {m40}; tallyfy token {m36}.{m264}.{d683}; tatum key {u}; taxjar token {h32}
teamgate token {h40}; teamworkcrm token tkn.v1_{m71}; technical key {m16}; telnyx key KEY{m55}; tefter token {m20}
textmagic key {m30}; theoddsapi key {h32}; thinkific key {h32}; thousandeyes token {u}; ticketmaster secret {m32}
tiingo token {l40}; timezoneapi token {m20}; tineswebhook secret {h32}; tly token {m60}; tmetric token {U64}
todoist token {h40}; tomorrowio key {m32}; tomtom key {m32}; tradier token {m28}; transferwise token {u}
travelpayouts token {h32}; truenas key {n2}-{m64}; tru_nas key {m64}; twelvedata key {l32}; twist token {h46}; tyntec key {m32}
typetalk secret {m64}; ubidots token BBFF-{m30}; uclassify key {m12}; unify token {d43}; unplugg secret {h64}
unsplash access_key {d43}; upcdatabase key {U32}; uplead key {h32}; uploadcare secret {h20}; uptimerobot key u{n6}-{h24}
upwave key {h32}; urlscan key {u}; userflow key {m30}; userstack key {h32}; vatlayer key {h32}; vbout key {n24}
verifier key {h96}; verimail key {U32}; veriphone key {U32}; versioneye token {m40}; viewneo token {m100}
virustotal api_key {h64}; visualcrossing key {U25}; voicegain token ey{m30}.ey{m100}.{d43}; vouchery secret {d64}
vyte token {m50}; walkscore key {l32}; weatherbit key {l32}; weatherstack key {l32}; webex secret {h64}; webflow token {h64}
webscraper token {m60}; webscraping key {m32}; wepay token stage_{m62}; whoxy key {m33}; wistia token {h64}; wit token {U32}
worksnaps token {m40}; workstack key {m60}; worldcoinindex key {m35}; worldweather key {l31}; wrike token ey{m30}.ey{m330}.{d43}
yandex key trnsl.1.1.{n8}T{n6}Z.{h16}.{h40}; yelp key {d128}; youneedabudget token {h64}; yousign key {h32}; zapier secret {m32}
zendesk token {m40}; zenrows key {h40}; zenscrape key {u}; zenserp key {u}; zeplin token {m80}.{m40}; zerobounce key {h32}
zerotier token {m32}; zipapi key {m32}; zipbooks token {m60}; zipcodeapi key {m64}; zonkafeedback token {m36}; zulip key {m32}
`;
