import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { has, run, say } from './run.mjs'

/** The release that the tests of the tracker use; `BD_VERSION=1.1.0 npm test -- bd` takes another one. */
export const BD_VERSION = process.env.BD_VERSION || '1.0.5'
const MODULE = 'github.com/steveyegge/beads'

/** Later versions that the tests know, each in a suite of its own (`suites.mjs`): each has changed the output of bd. */
export const LATER = { 'bd-1.1': '1.1.0', 'bd-1.3': '1.3.0' }

/** One folder for each release, with its `bd`, to be put on a PATH. */
const folderOf = (version) => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'beadloom', `bd-${version}`)

/**
 * A real `bd` for the tests, built once into a cache outside of the checkout. Without Go there is none, and the tests
 * that need it say so. The build takes minutes and a gigabyte of memory, at the lowest priority, so other tests should
 * not wait for it.
 */
export async function ensureBd(version = BD_VERSION) {
  const bdFolder = folderOf(version)
  if (existsSync(join(bdFolder, 'bd'))) return true
  if (!(await has('go'))) {
    say('Go is not installed: the tests that need a real bd are skipped (https://go.dev/dl).')
    return false
  }
  say(`Building bd ${version} for the tests, once; this takes minutes …`)
  const part = join(bdFolder, `bd.${process.pid}.part`)
  try {
    mkdirSync(bdFolder, { recursive: true })
    // Built in the module's own folder, with the sums that its authors checked in.
    const source = JSON.parse(
      await run('go', ['mod', 'download', '-json', `${MODULE}@v${version}`], {
        cwd: bdFolder, // another module's folder could ask for another version
        quiet: true,
        why: `downloading bd ${version}`,
      }),
    )
    await run('nice', ['-n', '19', 'go', 'build', '-o', part, './cmd/bd'], {
      cwd: source.Dir,
      env: { ...process.env, CGO_ENABLED: '1', GOFLAGS: '-tags=gms_pure_go -mod=readonly -buildvcs=false' },
      quiet: true,
      why: `building bd ${version}`,
    })
    renameSync(part, join(bdFolder, 'bd'))
    return true
  } catch (error) {
    say(`bd could not be built: ${error.message}`)
    return false
  } finally {
    rmSync(part, { force: true })
  }
}
