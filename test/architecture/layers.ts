import { agentFloors, apiFloors, appFloors, coreFloors } from './floors.ts'

/**
 * The allowed imports. Everything else is forbidden, and so is a folder that no layer claims.
 *
 * - `may`: names of other layers; a layer may always import itself.
 * - `packages`: modules from outside; `node:*` stands for all of Node's own. `types` may be imported for types alone.
 */
export type Layer = {
  name: string
  /** Folder (ends with `/`) or file, from the repository's root. The longest that fits a file is its layer. */
  home: string
  may: readonly string[]
  /** A part of this layer: layers that may know that one may know it, and some may know only it. */
  within?: string
  packages: readonly string[]
  types?: readonly string[]
}

const NODE = 'node:*'
const CORE = 'core'
const AGENT = 'agent'
const APP = 'app'
const API = 'api'

/** A leaf of the server: it knows what everybody in the server may know, and no other leaf. */
const leaf = (name: string, ...packages: string[]): Layer => ({
  name,
  home: `apps/server/src/${name}/`,
  may: ['ports', 'process', CORE],
  packages: [NODE, ...packages],
})

const everythingInTheServer = [
  'aside',
  'ports',
  'process',
  'container',
  'kubernetes',
  'hub',
  'gateway',
  'beads',
  'forge',
  'egress',
  'webhooks',
  'people',
  'store',
  'recorder',
  'link',
  'execution',
  'budget',
  'holds',
  'sandbox',
  'verify',
  'publish',
  'workflow',
  'scheduler',
  'http',
  'stream',
  APP,
  API,
  'health',
  CORE,
]

/**
 * Each room is a separate layer and may know those on the floors below. A layer that may know the package may know all
 * of them.
 */
function roomsOf(
  within: string,
  folder: string,
  floors: readonly (readonly string[])[],
  others: readonly string[],
  packages: readonly string[],
): Layer[] {
  const nameOf = (room: string) => `${within}-${room}`
  return floors.flatMap((rooms, floor) =>
    rooms.map((room) => ({
      name: nameOf(room),
      home: `${folder}${room}/`,
      may: [...floors.slice(0, floor).flat().map(nameOf), ...others],
      within,
      packages,
    })),
  )
}

const parsers = ['markdown-it', 're2js', 'smol-toml', 'yaml', 'zod/mini', 'zod/v4/locales/en.js']
const roomsOfCore = roomsOf(CORE, 'packages/core/src/', coreFloors, [], parsers).map((room) =>
  room.name === 'core-text' ? { ...room, packages: [] } : room,
)
const roomsOfAgent = roomsOf(
  AGENT,
  'packages/agent/src/',
  agentFloors,
  [CORE],
  [NODE, 'openai', 'zod', 'zod/mini', 'zod/v4/locales/en.js'],
)

const roomsOfApp = roomsOf(
  APP,
  'apps/server/src/app/',
  appFloors,
  ['ports', 'process', 'stream', 'budget', 'workflow', 'scheduler', CORE],
  [NODE],
)

const roomsOfApi = roomsOf(
  API,
  'apps/server/src/api/',
  apiFloors,
  ['ports', 'process', 'http', APP, 'budget', 'workflow', 'scheduler', CORE],
  [NODE, 'zod', 'zod/mini'],
)

export const layers: readonly Layer[] = [
  ...roomsOfCore,

  // The server. `ports` are the types between its parts; each driver is at home in one leaf.
  { name: 'ports', home: 'apps/server/src/ports/', may: ['process', CORE], packages: [NODE] },
  { name: 'process', home: 'apps/server/src/process/', may: [CORE], packages: [NODE, 'pino', 'zod', 'zod/mini'] },
  // Its sandboxes are reached by a link: a secret of the adapter.
  { ...leaf('container', 'dockerode', 'tar-stream', 'zod/mini'), may: ['link', 'ports', 'process', CORE] },
  // Its library is large: nobody loads it who has no cluster.
  {
    name: 'kubernetes',
    home: 'apps/server/src/container/kubernetes/',
    may: ['container', 'link', 'ports', 'process', CORE],
    packages: [NODE, '@kubernetes/client-node'],
  },
  leaf('hub', 'simple-git', 'tar-stream'),
  { ...leaf('gateway', 'eventsource-parser', 'zod', 'zod/mini'), types: ['openai'] },
  leaf('beads'),
  leaf('forge', '@octokit/request', 'zod/mini'),
  leaf('egress'),
  leaf('webhooks'),
  // Loaded where people sign in with a provider alone.
  leaf('people', 'openid-client'),
  leaf('store', 'better-sqlite3'),
  leaf('recorder'),
  // Its threads read what is a stranger's, whichever leaf has the parser.
  { ...leaf('aside'), may: ['beads', 'ports', 'process', CORE] },
  { ...leaf('link'), may: ['ports', 'process', CORE] },
  // One execution, from RUNNING to the end of its pipeline: what its parts share, then its parts, then who drives them.
  { ...leaf('execution'), may: ['ports', 'process', CORE] },
  { ...leaf('budget'), may: ['execution', 'ports', 'process', CORE] },
  { ...leaf('holds'), may: ['budget', 'execution', 'ports', 'process', CORE] },
  { ...leaf('sandbox'), may: ['holds', 'budget', 'execution', 'ports', 'process', CORE] },
  { ...leaf('verify'), may: ['sandbox', 'execution', 'ports', 'process', CORE] },
  { ...leaf('publish'), may: ['execution', 'ports', 'process', CORE] },
  { ...leaf('workflow'), may: ['holds', 'sandbox', 'verify', 'publish', 'execution', 'ports', 'process', CORE] },
  { ...leaf('scheduler'), may: ['ports', 'process', CORE] },
  leaf('http', 'express', 'zod', 'zod/mini'),
  leaf('stream', 'ws'),
  ...roomsOfApp,
  ...roomsOfApi,
  // The list of all subjects.
  { name: 'api-list', home: 'apps/server/src/api/api-routes.ts', may: [API, 'http'], within: API, packages: [] },
  // The server's checks of itself and its address file: for the server and for the command line.
  {
    ...leaf('health'),
    may: [APP, 'beads', 'container', 'kubernetes', 'forge', 'hub', 'store', 'ports', 'process', CORE],
  },
  // No layer may know the command line.
  { name: 'cli', home: 'apps/server/src/cli/', may: [...everythingInTheServer, 'main'], packages: [NODE, 'commander'] },
  // The wiring.
  { name: 'compose', home: 'apps/server/src/compose/', may: everythingInTheServer, packages: [NODE] },
  { name: 'main', home: 'apps/server/src/main.ts', may: ['compose', ...everythingInTheServer], packages: [NODE] },

  // The programs inside a container.
  ...roomsOfAgent,
  ...['main.ts', 'main.test.ts'].map((file) => ({
    name: `agent-${file}`,
    home: `packages/agent/src/${file}`,
    may: [AGENT, CORE],
    within: AGENT,
    packages: [NODE],
  })),

  // The dashboard. `ui` knows no bead and no router.
  {
    name: 'web-ui',
    home: 'apps/web/src/ui/',
    may: ['core-text'], // hidden characters in a stranger's text are the same everywhere
    packages: ['react', 'react-dom', 'radix-ui', 'lucide-react', 'zustand', '@fontsource-variable/noto-emoji'],
  },
  { name: 'web-feed', home: 'apps/web/src/feed/', may: [CORE], packages: ['react', 'zustand', 'zod/mini'] },
  { name: 'web-api', home: 'apps/web/src/api/', may: [CORE], packages: ['react', '@tanstack/react-query', 'zod/mini'] },
  {
    name: 'web-components',
    home: 'apps/web/src/components/',
    may: ['web-syntax', 'web-markdown', 'web-ui', 'web-feed', 'web-api', CORE],
    packages: ['react', '@tanstack/react-router', '@tanstack/react-query', '@tanstack/react-virtual', 'lucide-react'],
  },
  // Runs in a worker, and knows text alone.
  { name: 'web-syntax', home: 'apps/web/src/components/diff/syntax/', may: [], packages: ['highlight.js'] },
  {
    name: 'web-markdown',
    home: 'apps/web/src/components/markdown/',
    may: ['web-ui'],
    packages: ['react', 'markdown-it'],
  },
  {
    name: 'web',
    home: 'apps/web/src/',
    may: ['web-ui', 'web-feed', 'web-api', 'web-components', 'web-markdown', CORE],
    packages: [
      'react',
      'react-dom',
      'radix-ui',
      'lucide-react',
      'zustand',
      '@tanstack/react-router',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
    ],
  },
]

/** Packages that tests may import beside their own layer's list: they drive real parts, and stand in for the other side. */
export const testPackages: readonly string[] = [
  NODE,
  'vitest',
  'fast-check',
  'ws',
  'better-sqlite3',
  'dockerode',
  'openai',
  'oidc-provider',
  'react-dom/server',
  'tar-stream',
  'yaml',
  'zod',
]

/** Words that belong into few files, with the reason that the test prints. */
export const confined: readonly { pattern: RegExp; homes: readonly RegExp[]; why: string }[] = [
  {
    pattern: /\bprocess\s*\.\s*env\b|\bprocess\s*\[/,
    homes: [
      /^apps\/server\/src\/(?:main\.ts|cli\/)/,
      /^packages\/agent\/src\/(?:main|supervisor\/(?:main|first-process))\.ts$/,
    ], // the supervisor's entry has two parts
    why: 'the environment is read in main and cli only, and handed on as an argument',
  },
  {
    pattern: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\s(.\w]))/,
    homes: [
      /^apps\/server\/src\/(?:main\.ts|process\/)/,
      /^packages\/agent\/src\/(?:main\.ts|process\/)/,
      /^apps\/web\/src\/main\.tsx$/,
    ],
    why: 'time is an argument (Clock), so that a test can own it',
  },
  {
    pattern: /\bperformance\s*\.\s*now\b/,
    homes: [
      /^apps\/server\/src\/(?:main\.ts|process\/)/,
      /^packages\/agent\/src\/(?:main\.ts|process\/)/,
      /^apps\/web\//, // there it keeps work within a frame, and no data depends on it
    ],
    why: 'time is an argument (Clock), so that a test can own it',
  },
  {
    pattern: /\bMath\s*\.\s*random\b/,
    homes: [
      /^apps\/server\/src\/(?:main\.ts|process\/)/,
      /^packages\/agent\/src\/(?:main\.ts|process\/)/,
      /^apps\/web\/src\/main\.tsx$/,
    ],
    why: 'chance is an argument (random), so that a test can own it',
  },
  {
    pattern: /\bexport\s+default\b|\bas\s+default\b(?=[^;]*\})/,
    homes: [],
    why: 'a default export has as many names as it has readers',
  },
]
