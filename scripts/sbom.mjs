// The bill of materials of a release, as a CycloneDX document, and the sums of its files.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from './run.mjs'

const SPEC = '1.6'
/** Marks a component that `npm install` adds beside the package; all others are inside its built files. */
const INSTALLED = { name: 'beadloom:installed', value: 'true' }
const SUMS = 'SHA256SUMS'

/**
 * Every package of the lock file that is built into a release or installed with it. pnpm and npm write the parts, each
 * from its own lock file.
 *
 * @param stage the folder that is packed
 */
export async function sbomOf(stage) {
  return joined(await builtIn(), await installedFrom(stage))
}

/** The packages of a release in pnpm's lock file. */
async function builtIn() {
  const form = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', SPEC, '--sbom-type', 'application']
  return JSON.parse(await run('npx', ['-y', 'pnpm@12', 'sbom', ...form, '--prod'], { quiet: true, why: 'pnpm sbom' }))
}

/** The packages that npm installs by the shrinkwrap. */
async function installedFrom(stage) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  return JSON.parse(await run('npm', args, { cwd: stage, quiet: true, why: 'npm sbom' }))
}

/** `built`, with the packages of `installed` marked, and missing ones added. */
function joined(built, installed) {
  const ours = new Set(built.components.filter(({ group }) => group === '@beadloom').map((one) => one['bom-ref']))
  const others = built.components.filter((one) => !ours.has(one['bom-ref']))
  const byUrl = new Map(others.map((one) => [one.purl, one]))
  for (const { purl, ...component } of installed.components) {
    const known = byUrl.get(purl) ?? { ...component, purl, 'bom-ref': purl, properties: undefined }
    byUrl.set(purl, { ...known, properties: [INSTALLED] })
  }
  const self = built.metadata.component['bom-ref']
  return {
    ...built,
    components: [...byUrl.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [
      { ref: self, dependsOn: [...byUrl.keys()].toSorted() },
      ...(built.dependencies ?? [])
        .filter(({ ref }) => ref !== self && !ours.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => byUrl.has(one)) })),
    ],
  }
}

/** Notes the SHA-256 of files in one folder, as `sha256sum -c` reads it there; sums of other files stay. */
export async function noteSums(files) {
  const at = join(dirname(files[0]), SUMS)
  const names = files.map((file) => basename(file))
  const kept = (existsSync(at) ? readFileSync(at, 'utf8').split('\n') : []).filter(
    (line) => line !== '' && !names.includes(line.slice(line.indexOf('  ') + 2)),
  )
  const made = await Promise.all(files.map(async (file) => `${await sha256(file)}  ${basename(file)}`))
  writeFileSync(at, `${[...kept, ...made].join('\n')}\n`)
  return at
}

async function sha256(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
