import { settingsOfBudgets } from '@beadloom/core/budget/budget-settings.ts'

/**
 * Words about each key of `config.json` without a flag, by its dotted name (`*` for any name or place), for
 * docs/configuration/reference.md. A key is listed down to the level that has words here. Keys with a flag have theirs
 * in `app/settings/server-setting-table.ts`.
 */
export const configWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(settingsOfBudgets('config.json').map(({ key, words }) => [key, words])),
  webhooks: 'Addresses that are told what happens. A repository cannot name one. Default: none.',
  'webhooks.*.name': 'Its name, which must be unique.',
  'webhooks.*.url': 'Where it sends. As sensitive as a password, and never shown.',
  'webhooks.*.format': 'What is sent. Default: "json".',
  'webhooks.*.secret': 'Signs requests, with "json". Default: they are not signed.',
  'webhooks.*.events': 'The events it reports. Default: all four.',
  'webhooks.*.projects': 'The ids of projects it reports on. Default: all.',
  engines: 'Other container engines, by the names that projects use; at most 20. "local" is always there.',
  'engines.*.docker': 'Address of a Docker, as in DOCKER_HOST. An engine has this or "kubernetes".',
  'engines.*.kubernetes': 'A cluster in which each sandbox is a pod.',
  'engines.*.kubernetes.kubeconfig':
    'The file with the cluster. Default: as kubectl finds it; in a pod, its own account.',
  'engines.*.kubernetes.context': 'A context in that file. Default: the current one.',
  'engines.*.kubernetes.namespace': 'Where its pods are. Required.',
  'engines.*.kubernetes.runtimeClass': 'A RuntimeClass whose pods have no network.',
  'engines.*.kubernetes.probe':
    'Without a "runtimeClass": an address that pods reach unless a policy denies it. Each pod uses it to prove that it has no network.',
  'engines.*.kubernetes.images': 'How images reach the nodes: "registry" or "load". Required.',
  'engines.*.kubernetes.images.registry': 'Where images are pushed and pulled, as HOST[:PORT]/PATH.',
  'engines.*.kubernetes.images.pullSecret': 'The name of the Secret with which nodes pull.',
  'engines.*.kubernetes.images.load': 'A command, word by word, that takes images as docker save writes them.',
  'engines.*.kubernetes.queue': 'A LocalQueue of Kueue in which pods wait for quota.',
  'engines.*.kubernetes.cpuRequest': 'The part of its CPU limit that a pod requests. Default: 1.',
  'engines.*.kubernetes.memoryRequest': 'The part of its memory limit that a pod requests. Default: 1.',
  'engines.*.kubernetes.diskGib':
    'How much a pod may write to its node\'s disk, in GiB: its folders together, and each container beside them (ephemeral-storage). Its node ends a pod that writes more. A pod requests 1 GiB of it, or none with a "queue". Default: 32.',
  'engines.*.kubernetes.writable':
    'More folders of the image that sandboxes may write to, such as /go. Default: only /workspace, /home/agent, /tmp and /var/tmp are writable.',
  'engines.*.kubernetes.userNamespaces':
    "true: a pod's users are nobody on its node; if they would be somebody, nothing starts. Default: false.",
  'engines.*.runtime': 'What runs the containers of this Docker. Default: "runtime".',
  'engines.*.slots':
    'Executions at a time, or "capacity": as many as fit. Default: three quarters of what fits for a cluster, --slots for a Docker.',
  engine: 'The engine of projects that name none. Default: "local".',
  runtime:
    'What runs containers, by Docker\'s name for it: "runsc" (gVisor), "kata", "sysbox-runc". Default: what the engine uses.',
  trustedTrackers:
    'Absolute paths of working trees in which bd may run hooks and reach the server that their .beads names. Default: none.',
  images:
    "Names of images on an engine's machine, or in registries of your own, that any project may use; * stands for any characters. Default: only what anybody can pull from a public registry.",
  people: 'Who signs in besides the access token, and with which role. Default: nobody.',
  'people.address': 'The address that people open, without a path. Required.',
  'people.proxies': 'Addresses or networks of the proxy that signs people in.',
  'people.header': 'The headers in which that proxy names the user and their groups.',
  'people.header.user': 'The header with the name. Default: X-Forwarded-User.',
  'people.header.groups': 'The header with the groups, separated by commas. Default: X-Forwarded-Groups.',
  'people.oidc': 'An OpenID Connect provider, in place of "header".',
  'people.oidc.issuer': 'Its https address. Required.',
  'people.oidc.clientId': "This server's client id. Required.",
  'people.oidc.clientSecretFile':
    "A file with the client's secret. Default: the variable BEADLOOM_OIDC_CLIENT_SECRET; a public client has none.",
  'people.oidc.scopes': 'What the provider is asked for. Default: ["openid", "profile", "email"].',
  'people.oidc.nameClaim': 'The claim that names a person. Default: the verified address, else the subject.',
  'people.oidc.groupsClaim': 'The claim with the groups. Default: "groups".',
  'people.oidc.sessionHours': 'How long somebody stays signed in. Default: 12.',
  'people.roles': 'For "viewer", "runner" and "admin": the "people" and "groups" that have this role. Required.',
  'people.projects': 'Projects with roles of their own, by id: "viewer" and "runner".',
  signing: 'The key with which the server signs each commit that it publishes. Default: none.',
  'signing.format': 'The kind of key. Required.',
  'signing.key':
    'With "ssh": the absolute path of the key\'s file. With "openpgp": the fingerprint or address of a key in the keyring of the server\'s user. Required.',
  upstreams: 'Where models are called, for each API: "chat", "responses", "messages".',
  'upstreams.*.baseUrl': "Address of the API. Default: OPENAI_BASE_URL or ANTHROPIC_BASE_URL, else the vendor's own.",
  'upstreams.*.keyVariable':
    'The environment variable that holds the key. Default: OPENAI_API_KEY or ANTHROPIC_API_KEY.',
  'upstreams.*.models': 'The endpoint\'s own name for each name that projects use; "*" is every other name.',
  prices: 'Prices of models per million tokens; they override the known list prices. null: no price is shown.',
  'prices.*.input': 'Input.',
  'prices.*.cachedInput': 'Input read from a cache. Default: "input".',
  'prices.*.cacheWrite': 'Input written to a cache. Default: "input".',
  'prices.*.output': 'Output.',
  windows: 'How many tokens each model takes, question and answer together. Default: a known value, else 100000.',
  hostedTools: "Tools that a model's endpoint runs by itself. Default: all are closed.",
  'hostedTools.*.projects': 'The ids of projects that may use it. Default: all.',
  'hostedTools.*.price': 'The price of one use, in "currency".',
  currency: 'The currency of all prices, in three capital letters. Default: "USD".',
}

/** Variables that a start reads only from the environment. */
export const variableWords: Readonly<Record<string, string>> = {
  OPENAI_API_KEY: 'Key of the endpoint behind /v1/chat/completions and /v1/responses.',
  OPENAI_BASE_URL: "Its address, which ends in /v1. Default: OpenAI's.",
  ANTHROPIC_API_KEY: 'Key of the endpoint behind /v1/messages.',
  ANTHROPIC_BASE_URL: "Its address. Default: Anthropic's.",
  BEADLOOM_OIDC_CLIENT_SECRET: 'Secret of the OpenID Connect client, if no file has it.',
  DOCKER_HOST: 'Address of the container engine. Default: the engine that is found.',
  DOCKER_TLS_VERIFY: 'Set: tcp:// uses TLS.',
  DOCKER_CERT_PATH:
    "A folder with ca.pem, cert.pem and key.pem, with which tcp:// uses TLS. Default: the docker command's own folder.",
  DOCKER_CONTEXT: 'The docker context that names the engine. Default: the current one.',
  DOCKER_CONFIG: "The docker command's folder. Default: ~/.docker.",
  COLIMA_HOME: "colima's folder, where Beadloom looks for its sockets.",
  LIMA_HOME: "Lima's folder, where Beadloom looks for its sockets.",
  'NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, CURL_CA_BUNDLE, REQUESTS_CA_BUNDLE, PIP_CERT, GIT_SSL_CAINFO':
    'Files with certificates that images get too, like those in /usr/local/share/ca-certificates.',
  'HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY':
    'Passed on to image builds and to containers with a network, unless the address has a user name or a password: run a proxy on this machine that adds them.',
}
