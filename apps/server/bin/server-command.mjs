import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = dirname(dirname(fileURLToPath(import.meta.url)))
export const root = dirname(dirname(server))

/** Node 24, as the `node` package of the workspace brings it: the sources are TypeScript that it runs as they are. */
export const node24 = join(root, 'node_modules', 'node', 'bin', 'node')

/**
 * How the command line of Beadloom is started, by everybody who starts it. The first two settings are there for memory, measured
 * with `npm run bench -- --only memory` (docs/benchmarks.md):
 *
 * - The compile cache keeps the sources with their types stripped. Without it Node loads a TypeScript parser into every
 *   server, which stays there: 25 MB. Where the folder cannot be written, Node goes on without a cache.
 * - The young generation of the heap grows to 3 x 16 MB when nobody says otherwise, and never shrinks in an idle server.
 *
 * The last one makes a company's own certificate authority work that the system trusts.
 */
export function serverCommand(args, env) {
  const cache = join(root, 'node_modules', '.cache', 'beadloom-node')
  return {
    command: node24,
    args: ['--max-semi-space-size=2', '--use-system-ca', join(server, 'src', 'cli', 'main.ts'), ...args],
    env: { NODE_COMPILE_CACHE: cache, ...env },
  }
}
