import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { has, run, say } from './run.mjs'

/** The release that the tests of forges use: the newest whose modules all come from Go's module proxy. */
export const GITEA_VERSION = '1.26.0'
const MODULE = 'code.gitea.io/gitea'

/** One folder for each release: the program, and a file with the path of its templates. */
export const giteaFolder = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'beadloom',
  `gitea-${GITEA_VERSION}`,
)

/**
 * A real Gitea for the tests, built once into a cache outside of the checkout, without its pages' scripts: only the API
 * is used. Without Go there is none, and the tests that need it say so. The build takes ten minutes or more.
 */
export async function ensureGitea() {
  if (isThere()) return true
  if (!(await has('go'))) {
    say('Go is not installed: the tests that need a real Gitea are skipped (https://go.dev/dl).')
    return false
  }
  const part = join(giteaFolder, `gitea.${process.pid}.part`)
  try {
    mkdirSync(giteaFolder, { recursive: true })
    const source = JSON.parse(
      await run('go', ['mod', 'download', '-json', `${MODULE}@v${GITEA_VERSION}`], {
        cwd: giteaFolder, // another module's folder could ask for another version
        quiet: true,
        why: `downloading Gitea ${GITEA_VERSION}`,
      }),
    )
    if (!existsSync(join(giteaFolder, 'gitea'))) {
      say(`Building Gitea ${GITEA_VERSION} for the tests, once; this takes minutes …`)
      await run('nice', ['-n', '19', 'go', 'build', '-o', part, '.'], {
        cwd: source.Dir,
        env: {
          ...process.env,
          CGO_ENABLED: '1',
          GOFLAGS: '-tags=sqlite,sqlite_unlock_notify -mod=readonly -buildvcs=false',
        },
        quiet: true,
        why: `building Gitea ${GITEA_VERSION}`,
      })
      renameSync(part, join(giteaFolder, 'gitea'))
    }
    writeFileSync(join(giteaFolder, 'source'), source.Dir)
    return true
  } catch (error) {
    say(`Gitea could not be built: ${error.message}`)
    return false
  } finally {
    rmSync(part, { force: true })
  }
}

/** Whether it is there: Go's own cache, which has the templates, may have been emptied since. */
function isThere() {
  const note = join(giteaFolder, 'source')
  if (!existsSync(join(giteaFolder, 'gitea')) || !existsSync(note)) return false
  return existsSync(join(readFileSync(note, 'utf8'), 'templates'))
}
