import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { has, run, say } from './run.mjs'

/** The release that the chart is tested with. */
export const HELM_VERSION = '4.3.1'

export const helmFolder = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'beadloom',
  `helm-${HELM_VERSION}`,
)

/**
 * A real `helm` for the tests of the chart, built once into a cache outside of the checkout. Without Go there is none.
 */
export async function ensureHelm() {
  if (existsSync(join(helmFolder, 'helm'))) return true
  if (!(await has('go'))) {
    say('Go is not installed: the tests of the Helm chart are skipped (https://go.dev/dl).')
    return false
  }
  say(`Building helm ${HELM_VERSION} for the tests, once; this takes minutes …`)
  const part = join(helmFolder, `part.${process.pid}`)
  try {
    mkdirSync(part, { recursive: true })
    await run('nice', ['-n', '19', 'go', 'install', `helm.sh/helm/v4/cmd/helm@v${HELM_VERSION}`], {
      cwd: helmFolder, // another module's folder could ask for another version
      env: { ...process.env, GOBIN: part, GOFLAGS: '-buildvcs=false' },
      quiet: true,
      why: `building helm ${HELM_VERSION}`,
    })
    renameSync(join(part, 'helm'), join(helmFolder, 'helm'))
    return true
  } catch (error) {
    say(`helm could not be built: ${error.message}`)
    return false
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}
