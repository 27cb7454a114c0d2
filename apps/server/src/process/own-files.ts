import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * The places of Beadloom's own files. The server runs from its sources, or from the one file that
 * `apps/server/vite.config.ts` makes of them; `import.meta` differs between the two, so ask here.
 */

const isBuilt = !import.meta.filename.endsWith('.ts')

/** The folder of the checkout or of the installed package. */
export const root = join(import.meta.dirname, ...(isBuilt ? ['..', '..', '..'] : ['..', '..', '..', '..']))

/** The scripted model's scenarios that come with Beadloom: the demo's. */
export const defaultScenarios = join(root, 'test', 'scenarios')

/** Files that `npm start` builds; the server needs each of them. */
export const builtFiles = [
  join(root, 'packages', 'agent', 'dist', 'agent', 'agent.mjs'),
  join(root, 'apps', 'web', 'dist', 'index.html'),
]

const server = join(root, 'apps', 'server')

/** Whether this is an installed package (`npm run pack`), which has no sources. */
export const isRelease = !existsSync(join(server, 'src', 'cli', 'main.ts'))

/** A file among the server's sources that is read, not run: `path` is below `src`. */
export const sourceFile = (...path: string[]): string => join(server, 'src', ...path)

/** The code of a thread, for `new Worker`: `path` is below `src` and ends in `-worker.ts`. */
export function workerFile(path: string): URL {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.ts'.length)
  return pathToFileURL(isBuilt ? join(import.meta.dirname, `${name}.mjs`) : sourceFile(path))
}
