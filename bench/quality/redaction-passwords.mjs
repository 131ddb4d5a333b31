// Passwords as people and programs write them down: eight values in every form, and names of settings that only hold secrets. `%` stands
// for the value. Forms take turns between the two halves: one was looked at while the patterns were written, the other was not.

export const PASSWORDS = [
  'hunter2',
  'Tr0ub4dor&3',
  'correct-horse-battery-staple',
  'S3cr3t!',
  'xK9#mP2$vL5@wQ',
  'Winter2024',
  'q8Zr5TnX2bLw7CkJ4hVd',
  'pa$$w0rd"1',
];

/** In these the value stands as it would there: quoted, escaped, encoded. */
export const FORMS = `
The password is %
the password is "%"
password: %
Password: %
pw: %
pwd: %
pass: %
PW = %
My password is % and I cannot log in.
The admin password is \`%\`.
the root password for the box is %
use % as the password
log in with admin / %
login: admin password: %
user foo pass %
username: admin, password: %
credentials: admin/%
creds are admin:%
The DB password was changed to %
password of the staging user: %
Das Passwort lautet %
Das Kennwort ist %
Passwort: %
le mot de passe est %
mot de passe : %
La contraseña es %
contraseña: %
A senha é %
la password è %
Het wachtwoord is %
Hasło: %
пароль: %
密码：%
パスワード: %
your temporary password: %
Initial password is '%'
I set the password to %
the passphrase is %
Wi-Fi password: %
WiFi key: %
PIN is 4711, password %
SSH passphrase: %
export DB_PASSWORD=%q
DB_PASS=%q
PGPASSWORD=%q psql -h db -U app
MYSQL_PWD=%q mysqldump app
REDIS_PASSWORD=%q
SMTP_PASS="%j"
set DB_PASSWORD=%
$env:DB_PASSWORD = "%j"
ENV POSTGRES_PASSWORD=%q
ENV POSTGRES_PASSWORD %q
ARG ADMIN_PASSWORD=%q
docker run -e MYSQL_ROOT_PASSWORD=%q mysql:8
psql "host=db user=app password=%q dbname=app"
psql postgres://app:%u@db:5432/app
mysql -u root -p%q app
mysql --user=root --password=%q app
mysqldump -uroot -p%q app > dump.sql
curl -u admin:%q https://host/api
curl --user 'admin:%s' https://host/api
curl https://admin:%u@host/api
curl -d "user=app&password=%u" https://host/login
wget --user=app --password=%q https://host/file
wget --http-password=%q https://host/file
sshpass -p %q ssh root@host
sshpass -p '%s' scp a host:
ftp://app:%u@ftp.host/file
lftp -u app,%q ftp.host
kubectl create secret generic db --from-literal=password=%q
az login -u app -p %q
az sql server create --admin-password %q
aws rds modify-db-instance --master-user-password %q
gcloud sql users set-password root --password=%q
docker login -u app -p %q registry.host
docker login --username app --password %q
podman login -u app -p %q registry.host
helm upgrade app --set postgresql.auth.password=%q
git clone https://app:%u@git.host/app.git
openssl enc -aes-256-cbc -k %q -in a -out b
openssl pkcs12 -export -passout pass:%q
openssl rsa -passin pass:%q -in key.pem
7z a -p%q archive.7z files
zip -P %q archive.zip files
unzip -P %q archive.zip
gpg --batch --passphrase %q -d file
keytool -genkey -storepass %q -keypass changeit
ldapsearch -D cn=admin -w %q -b dc=host
smbclient //host/share -U app%%%q
mount -t cifs -o username=app,password=%q //host/share /mnt
mongo admin -u root -p %q
mongosh "mongodb://root:%u@db/admin"
mongodb+srv://app:%u@cluster0.mongodb.net/app
redis-cli -h cache -a %q ping
redis://:%u@cache:6379/0
rediss://default:%u@cache:6380
amqp://app:%u@mq:5672/vhost
rabbitmqctl add_user app %q
rabbitmqctl change_password app %q
htpasswd -b .htpasswd app %q
echo "app:%j" | chpasswd
echo %q | sudo -S apt update
echo '%s' | docker login -u app --password-stdin
net use Z: \\\\host\\share /user:app %q
runas /user:app /password:%q cmd
sqlplus app/%q@db
sqlcmd -S db -U sa -P %q
bcp app.dbo.t out f -U sa -P %q
isql -U sa -P %q
xfreerdp /u:app /p:%q /v:host
rdesktop -u app -p %q host
ansible-playbook site.yml -e ansible_password=%q
ansible_ssh_pass=%q
ansible_become_pass: %y
vncpasswd -f <<< %q
ipmitool -H bmc -U admin -P %q power on
snmpget -v3 -u app -A %q -X other host
svn checkout --username app --password %q https://host/svn
hg clone https://app:%u@host/repo
mvn deploy -Dpassword=%q
java -Djavax.net.ssl.keyStorePassword=%q -jar app.jar
npm login --password=%q
twine upload -u app -p %q dist/*
cargo login --password %q
Server=db;Database=app;User Id=sa;Password=%c;
Data Source=db;User ID=sa;Pwd=%c;Encrypt=true
jdbc:mysql://db/app?user=app&password=%u
jdbc:sqlserver://db;user=sa;password=%c;
jdbc:oracle:thin:app/%u@db:1521:xe
Driver={ODBC Driver 17};Server=db;UID=sa;PWD=%c
mysql+pymysql://app:%u@db/app
pgsql:host=db;dbname=app;user=app;password=%c
db.password=%p
spring.datasource.password=%p
spring.datasource.password: %y
  password: %y
    password: "%j"
database_password = "%j"
password = '%s'
{"password": "%j"}
{"username": "app", "password": "%j", "host": "db"}
"dbPassword": "%j",
<password>%x</password>
<add key="Password" value="%x" />
<property name="password" value="%x"/>
<entry key="db.password">%x</entry>
<server><username>app</username><password>%x</password></server>
password => '%s',
'password' => '%s',
define('DB_PASSWORD', '%s');
$password = '%s';
$cfg['Servers'][$i]['password'] = '%s';
password="%j"
conn = psycopg2.connect(host="db", password="%j")
auth=("admin", "%j")
String password = "%j";
private static final String PASSWORD = "%j";
props.setProperty("password", "%j");
config.setPassword("%j");
password := "%j"
Password: "%j",
const password = '%s';
let dbPassword = "%j";
var Password = "%j";
val password: String = "%j"
password: String = "%j"
#define WIFI_PASSWORD "%j"
char *password = "%j";
string pwd = @"%d";
new NetworkCredential("app", "%j")
db_password: str = "%j"
config.password = "%j"
ENV['DB_PASSWORD'] = '%s'
os.environ["DB_PASSWORD"] = "%j"
process.env.DB_PASSWORD = '%s'
Sequel.connect(user: 'app', password: '%s')
master_password = "%j"
variable "db_password" { default = "%j" }
requirepass %
psk="%j"
wpa_passphrase=%
[client]\\npassword=%
machine host login app password %
machine host\\n  login app\\n  password %
db:5432:app:app:%
CREATE USER app IDENTIFIED BY '%s';
ALTER USER app IDENTIFIED BY "%d";
CREATE ROLE app LOGIN PASSWORD '%s';
ALTER ROLE app WITH PASSWORD '%s';
SET PASSWORD FOR 'app'@'%%' = PASSWORD('%s');
GRANT ALL ON *.* TO app IDENTIFIED BY '%s';
CREATE LOGIN app WITH PASSWORD = '%s';
EXEC sp_addlogin 'app', '%s'
data:\\n  password: %b
  - name: DB_PASSWORD\\n    value: %y
{"name": "DB_PASSWORD", "value": "%j"}
auth: {user: app, pass: '%s'}
auth: { username: "app", password: "%j" }
"auth": {"user": "app", "pass": "%j"}
| password | % |
password	%
user,password\\napp,%
[mail] smtp_password = %
password="%j", user="app"
Authorization: Basic %B
WARN login failed for app with password %
Enter password: %
+ DB_PASSWORD=%q
-  password: "%j"
&password=%u&x=1
?pwd=%u
{"args":["--password","%j"]}
sudo mysql -e "SET PASSWORD = '%s'"
passwd: %
passwort=%q
clave: %
motdepasse=%q
db_pw=%q
rootpw %
admin_pass = %
userPassword: %
bindpw %
keystore.password=%p
ssl.key.password=%p
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="%j";
`;

export const NAMES = `
DB_PASS; DB_PASSWORD; DB_PWD; DATABASE_PASSWORD; PGPASSWORD; dbPassword; db-password; MYSQL_ROOT_PASSWORD; MYSQL_PASSWORD; POSTGRES_PASSWORD;
MONGO_INITDB_ROOT_PASSWORD; REDIS_PASSWORD; RABBITMQ_DEFAULT_PASS; passwd; pwd; passphrase; PASSCODE; userPassword; adminPass; root_pw; SMTP_PASS;
SMTP_PASSWORD; MAIL_PASSWORD; EMAIL_HOST_PASSWORD; FTP_PASS; LDAP_BIND_PASSWORD; bindPassword; SSH_PASSPHRASE; KEYSTORE_PASSWORD; keyPassword;
storePassword; TRUSTSTORE_PASSWORD; sudo_pass; ansible_become_pass; vault_password; WIFI_PASSWORD; wpa_passphrase; psk; secret_key_base; SECRET_KEY;
DJANGO_SECRET_KEY; JWT_SECRET; JWT_SECRET_KEY; jwtSecret; clientSecret; client_secret; CLIENT_SECRET; OAUTH_CLIENT_SECRET; APP_SECRET; appSecret;
consumerSecret; signing_key; SIGNING_SECRET; SLACK_SIGNING_SECRET; encryption_key; ENCRYPTION_KEY; encryptionKey; AES_KEY; HMAC_KEY; webhook_secret;
WEBHOOK_SECRET; STRIPE_WEBHOOK_SECRET; access_key; ACCESS_KEY; AWS_SECRET_ACCESS_KEY; SECRET_ACCESS_KEY; auth_token; authToken; AUTH_TOKEN; bearer;
bearer_token; access_token; accessToken; refresh_token; refreshToken; id_token; NEXTAUTH_SECRET; AUTH_SECRET; BETTER_AUTH_SECRET; RAILS_MASTER_KEY;
MASTER_KEY; APP_KEY; LARAVEL_APP_KEY; api-key; apikey; api_key; API_KEY; apiKey; X-API-Key; x-functions-key; Ocp-Apim-Subscription-Key; AccountKey;
AZURE_STORAGE_KEY; STORAGE_ACCOUNT_KEY; SharedAccessKey; CONNECTION_STRING_PASSWORD; otp_seed; OTP_SECRET; TOTP_SECRET; mfa_secret; recovery_code;
license_key; LICENSE_KEY; SERVICE_ROLE_KEY; SUPABASE_SERVICE_ROLE_KEY; SUPABASE_ANON_KEY; COOKIE_SECRET; SESSION_SECRET; session_key; cookie_key;
PASSWORD_SALT; hash_salt; pepper; VAULT_TOKEN; VAULT_UNSEAL_KEY; GITHUB_TOKEN; GH_TOKEN; GITLAB_TOKEN; NPM_TOKEN; CI_JOB_TOKEN; DEPLOY_KEY; deployToken;
PRIVATE_KEY; privateKey; SSH_PRIVATE_KEY; GPG_KEY; SNYK_TOKEN; SONAR_TOKEN; SENTRY_AUTH_TOKEN; DATADOG_API_KEY; DD_APP_KEY; TWILIO_AUTH_TOKEN;
SENDGRID_API_KEY; MAILGUN_KEY; ALGOLIA_ADMIN_KEY; OPENAI_KEY; ANTHROPIC_API_KEY; HF_TOKEN; FIREBASE_TOKEN; FCM_SERVER_KEY; EXPO_TOKEN; FASTLANE_PASSWORD;
MATCH_PASSWORD; SECRET; TOKEN; CREDENTIAL; credentials; db_credentials; basic_auth_pass; HTTP_PASSWORD; PROXY_PASS; csrf_secret; XSRF_SECRET;
sharedSecret; pre_shared_key; PRESHARED_KEY; radius_secret; tls_key_passphrase; pkcs12_password; SIGNING_KEY_PASSWORD; passwort; kennwort;
mot_de_passe; contrasena; senha; TELEGRAM_BOT_TOKEN; DISCORD_BOT_TOKEN; BOT_TOKEN; personal_access_token; PAT; installation_token; device_token_secret;
HASURA_GRAPHQL_ADMIN_SECRET; MEILI_MASTER_KEY; TYPESENSE_API_KEY; ELASTIC_PASSWORD; KIBANA_SYSTEM_PASSWORD; GRAFANA_ADMIN_PASSWORD; N8N_ENCRYPTION_KEY;
`;

export const NAMED_AS = [
  '%n=%v',
  '%n: %v',
  '"%n": "%v"',
  "const %n = '%v'",
  '%n = %v',
  '  %n: "%v"',
  'export %n="%v"',
  '<%n>%v</%n>',
];
export const NAME_VALUES = ['q8Zr5TnX2bLw7CkJ4hVd', 'S3cure-Pa55word!', '9f86d081884c7d659a2feaa0c55ad015'];
