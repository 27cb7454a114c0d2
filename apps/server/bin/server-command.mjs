import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const server = dirname(dirname(fileURLToPath(import.meta.url)))
export const root = dirname(dirname(server))

/** Node 24, as the `node` package of the workspace brings it: the sources are TypeScript that it runs as they are. */
export const node24 = join(root, 'node_modules', 'node', 'bin', 'node')

const flags = [
  '--max-semi-space-size=2',
  '--heap-growing-percent=20',
  '--use-system-ca',
  '--import',
  new URL('leave-out.mjs', import.meta.url).href,
]

/**
 * How the command line of Beadloom is started, by everybody who starts it. All settings but one are there for memory,
 * measured with `npm run bench -- --only memory` (docs/benchmark-history.md):
 *
 * - The compile cache keeps the sources with their types stripped. Without it Node loads a TypeScript parser into every
 *   server, which stays there: 25 MB. Where the folder cannot be written, Node goes on without a cache.
 * - The young generation of the heap grows to 3 x 16 MB when nobody says otherwise, and never shrinks in an idle server.
 * - The old generation is collected when it is a fifth larger than what was in use last time, not four times as large.
 * - glibc gives each of a dozen threads an arena of its own, and gives none of them back.
 * - `leave-out.mjs`: what packages load and nobody uses.
 *
 * `--use-system-ca` makes a company's own certificate authority work that the system trusts.
 */
export function serverCommand(args, env) {
  return nodeCommand([join(server, 'src', 'cli', 'main.ts'), ...args], env)
}

/** Loads all of the server and of its command line and ends: Node keeps what it has compiled. */
export function compileCommand(env) {
  const href = (file) => JSON.stringify(pathToFileURL(join(server, 'src', file)).href)
  const files = ['main.ts', 'hub/git/git-version.ts', 'cli/server-program.ts', 'cli/main.ts']
  const parts = files.map((file) => `await import(${href(file)})`)
  // Without the thread that they are for they may fail, but are compiled by then.
  const threads = [
    'http/logs/log-search-worker.ts',
    'store/database/back-up-worker.ts',
    'store/database/checkpoint-worker.ts',
  ].map((file) => `await import(${href(file)}).catch(() => {})`)
  return nodeCommand(['--input-type=module', '--eval', [...threads, ...parts].join('\n'), '--', '--version'], env)
}

/** With the settings that a server has. */
export function nodeCommand(args, env) {
  const cache = join(root, 'node_modules', '.cache', 'beadloom-node')
  return {
    command: node24,
    args: [...flags, ...args],
    env: { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '1', ...env },
  }
}
