import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node24, root, run, say, Stop, trustingEnv } from './run.mjs'

const stampFile = join(root, 'node_modules', '.beadloom-installed')
const manifests = [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'package.json',
  'packages/core/package.json',
  'packages/agent/package.json',
  'apps/server/package.json',
  'apps/web/package.json',
]

// Without a terminal pnpm would stop and ask before it replaces a node_modules that another program made.
const install = ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--config.confirmModulesPurge=false']
const fix =
  'The lines above say why. Is the npm registry within reach (npm ping)? Behind a proxy set HTTPS_PROXY, and NODE_EXTRA_CA_CERTS to its certificate.'

/** Installs the lock file's packages, once for each state of it. */
export async function ensureDependencies() {
  checkNode()
  const stamp = createHash('sha256')
  for (const file of manifests) stamp.update(readFileSync(join(root, file)))
  const wanted = stamp.digest('hex')
  if (existsSync(node24) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return
  say('Installing dependencies …')
  // `npm start --silent` would silence pnpm too; a failure should be seen in full.
  await run('npx', install, {
    quiet: true,
    env: { ...trustingEnv(), npm_config_loglevel: 'notice' },
    why: 'installing the dependencies with pnpm',
    fix,
  })
  if (!existsSync(node24))
    throw new Stop(
      'The package "node" brought no Node 24 for this platform. Linux and macOS on x64 or arm64 are supported.',
    )
  writeFileSync(stampFile, wanted)
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new Stop(`Node ${process.versions.node} is too old: install Node 20 or later, then try again.`)
}
