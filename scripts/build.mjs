import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compileCommand } from '../apps/server/bin/server-command.mjs'
import { node24, root, run, say } from './run.mjs'

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')

const products = [
  {
    name: 'agent',
    folder: 'packages/agent',
    sources: ['packages/core/src', 'packages/agent/src', 'packages/agent/vite.config.ts'],
  },
  {
    name: 'dashboard',
    folder: 'apps/web',
    sources: ['packages/core/src', 'apps/web/src', 'apps/web/public', 'apps/web/index.html', 'apps/web/vite.config.ts'],
  },
]

/** Builds what has changed since it was built last: the only two parts of Beadloom that are built at all. */
export async function ensureBuilt() {
  for (const { name, folder, sources } of products) {
    const stampFile = join(root, folder, 'dist', '.built-from')
    const wanted = hashOf([...sources, 'pnpm-lock.yaml'])
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) continue
    say(`Building the ${name} …`)
    await run(node24, [vite, 'build', '--logLevel', 'warn'], {
      cwd: join(root, folder),
      quiet: true,
      why: `building the ${name}`,
    })
    mkdirSync(join(root, folder, 'dist'), { recursive: true })
    writeFileSync(stampFile, wanted)
  }
  await ensureCompiled()
}

/** The server is not built, but Node keeps its sources compiled: so the first server needs as little memory as the next. */
async function ensureCompiled() {
  const stampFile = join(root, 'node_modules', '.cache', 'beadloom-node', '.built-from')
  const wanted = hashOf(['packages/core/src', 'apps/server/bin', 'apps/server/src', 'pnpm-lock.yaml'])
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  const { command, args, env } = compileCommand(process.env)
  await run(command, args, { env, quiet: true, why: 'compiling the server' })
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, wanted)
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
