import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCommands } from '../apps/server/bin/server-command.mjs'
import { node24, root, run, say } from './run.mjs'

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

/** `modes`: one build for each, with the mode's name. */
const products = [
  {
    name: 'agent',
    folder: 'packages/agent',
    sources: ['packages/core/src', 'packages/agent/src', 'packages/agent/vite.config.ts'],
    modes: ['agent', 'supervisor'],
  },
  {
    name: 'dashboard',
    folder: 'apps/web',
    sources: ['packages/core/src', 'apps/web/src', 'apps/web/public', 'apps/web/index.html', 'apps/web/vite.config.ts'],
    modes: ['production'],
  },
  {
    name: 'server',
    folder: 'apps/server',
    sources: ['packages/core/src', 'apps/server/src', 'apps/server/bin', 'apps/server/vite.config.ts'],
    modes: ['server', 'log-search-worker', 'back-up-worker', 'checkpoint-worker', 'aside-worker'],
    built: ensureCompiled,
  },
]

/** Builds everything that has changed since its last build. */
export async function ensureBuilt() {
  for (const { name, folder, sources, modes, built } of products) {
    const stampFile = join(root, folder, 'dist', '.built-from')
    const wanted = hashOf([...sources, 'pnpm-lock.yaml'])
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) {
      touch(join(root, folder, 'dist'))
      continue
    }
    say(`Building the ${name} …`)
    for (const mode of modes) await build(name, folder, mode)
    await built?.()
    mkdirSync(join(root, folder, 'dist'), { recursive: true })
    writeFileSync(stampFile, wanted)
  }
}

/** Builds a product's folder once. */
export const build = (name, folder, mode) =>
  run(node24, [vite, 'build', '--logLevel', 'warn', '--mode', mode], {
    cwd: join(root, folder),
    env: { ...process.env, NODE_ENV: 'production' }, // a test runner sets another value, and React believes it
    quiet: true,
    why: `building the ${name}`,
  })

/** Marks a build as new as its sources, although git may have written those later. */
function touch(folder) {
  const now = new Date()
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), now, now)
}

/** Makes Node cache the compiled server, so that its first start needs as little memory as the next. */
async function ensureCompiled() {
  for (const { command, args, env } of compileCommands(process.env))
    await run(command, args, { env, quiet: true, why: 'compiling the server' })
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) addTo(hash, path)
  return hash.digest('hex')
}

function addTo(hash, path) {
  const full = join(root, path)
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort()) addTo(hash, join(path, name))
    return
  }
  hash.update(`${path}\0`).update(readFileSync(full))
}
