import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../process/clock.ts'
import { readPlainFile } from '../process/plain-file.ts'
import type { BeadsAdapter, Issues, Tracker, TrackerInfo } from '../ports/tracker.ts'
import { BD_CONFIG, ISSUES_FILE } from '../ports/tracker.ts'
import { bdAdapter } from './bd/bd-adapter.ts'
import { judge, Versions } from './bd/bd-version.ts'
import { lastBdIn, whyNotRun } from './bd/database-version.ts'
import { hooksIn, leadsElsewhere } from './bd/obeyed.ts'
import { branchAdapter } from './branch-adapter.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { issuesAtOnce } from './jsonl/issues-at-once.ts'
import { jsonlAdapter } from './jsonl/jsonl-adapter.ts'
import { readTracker } from './reading/read-tracker.ts'
import { Redirects } from './redirect.ts'
import { otherBranchOf, syncBranchIn } from './sync-branch.ts'

export type TrackerSettings = {
  clock: Clock
  /** The environment of the person who runs the server: `bd` runs as they would run it. */
  env: Readonly<Record<string, string | undefined>>
  /** A folder in which only the server's user can write. */
  own: string
  /** Working trees in which `bd` may obey the files in `.beads`, as absolute paths. */
  trusted: readonly string[]
  /** Reads the text of `issues.jsonl`; for a command line, which nobody else waits for, at once. */
  issues?: Issues
}

export function createTracker(given: TrackerSettings): Tracker {
  const settings = { issues: issuesAtOnce, ...given }
  const versions = new Versions(settings)
  const redirects = new Redirects()
  return {
    read: (reading) => readTracker(settings.issues, reading),
    find: async (folder) => {
      const led = await redirects.follow(folder)
      if ('problem' in led) {
        const info: TrackerInfo = { kind: 'read-only', version: null, writable: false, text: led.problem }
        return jsonlAdapter(folder, info, settings)
      }
      const found = await findTracker(led.folder, settings, versions)
      if (led.folder === folder) return found
      const { info } = found
      return { ...found, info: { ...info, text: `${info.text} (in ${led.folder}, through .beads/redirect)` } }
    },
    elsewhere: (config, baseBranch) => {
      const branch = syncBranchIn(config)
      return branch === null || branch === baseBranch ? null : onBranch(branch)
    },
    ofBranch: (place) => branchAdapter(place, settings),
    ofCommit: {
      kind: 'branch',
      version: null,
      writable: false,
      text: `${ISSUES_FILE} on the base branch, read-only: changes to beads are kept here and not written there`,
    },
  }
}

/** The content of a working tree's `.beads`; its database shows which program keeps it. */
export type Found = { folder: 'none' } | { folder: 'there'; database: 'dolt' | 'sqlite' | null; issues: boolean }

async function lookAt(folder: string): Promise<Found> {
  const beads = join(folder, '.beads')
  if (!(await isThere(beads))) return { folder: 'none' }
  const meta = await metadataOf(beads)
  const { backend, database } = meta
  const sqlite = typeof database === 'string' && /^[\w.-]+$/.test(database) ? database : 'beads.db'
  const dolt =
    backend === 'dolt' || (await isThere(join(beads, 'embeddeddolt'))) || (await isThere(join(beads, 'dolt')))
  return {
    folder: 'there',
    database: dolt ? 'dolt' : (await isThere(join(beads, sqlite))) ? 'sqlite' : null,
    issues: await isThere(join(folder, ISSUES_FILE)),
  }
}

async function findTracker(
  folder: string,
  settings: Required<TrackerSettings>,
  versions: Versions,
): Promise<BeadsAdapter> {
  const { clock } = settings
  const found = await lookAt(folder)
  const adapter = (info: TrackerInfo) => jsonlAdapter(folder, info, settings)
  if (found.folder === 'none') return adapter(nothing)
  const branch = found.database === 'dolt' ? null : await otherBranchOf(folder)
  if (branch !== null) return adapter(onBranch(branch))
  if (found.database === null && !found.issues) return adapter(nothing)
  if (found.database === null)
    return adapter({ kind: 'jsonl', version: null, writable: true, text: `${ISSUES_FILE}, read and written directly` })
  const info = judge(found.database, await versions.known())
  if (info.kind !== 'bd') return adapter(info)
  const why = whyNotRun(info.version ?? '', await lastBdIn(folder), folder)
  if (why !== null) return adapter(notRun(info, why))
  const trusted = await isTrusted(folder, settings.trusted)
  const [leads, hooks] = trusted ? [[], []] : await Promise.all([leadsElsewhere(folder), hooksIn(folder)])
  if (leads.length > 0) return adapter(notObeyed(info, folder, leads))
  const text = hooks.length === 0 ? info.text : `${info.text}, without ${hooks.join(' and ')} of .beads/hooks`
  return bdAdapter({ program: 'bd', folder, clock, env: settings.env, trusted }, { ...info, text })
}

/** Whether the folder is trusted, however the person wrote it: `/tmp` may be a link. */
async function isTrusted(folder: string, trusted: readonly string[]): Promise<boolean> {
  if (trusted.length === 0) return false
  const real = (path: string) => realpath(path).catch(() => path)
  return (await Promise.all(trusted.map(real))).includes(await real(folder))
}

const notObeyed = ({ version }: TrackerInfo, folder: string, leads: readonly string[]): TrackerInfo => ({
  kind: 'read-only',
  version,
  writable: false,
  text: `bd is not run here, because ${leads.join(', and ')}: only ${ISSUES_FILE} is read, which may be out of date, and nothing is written back. If these files are yours, add ${JSON.stringify(folder)} to "trustedTrackers" in config.json and start the server again.`,
})

const notRun = ({ version }: TrackerInfo, { text, fix }: { text: string; fix: string }): TrackerInfo => ({
  kind: 'read-only',
  version,
  writable: false,
  text: `${text}: it is not run, only ${ISSUES_FILE} is read, which may be out of date, and nothing is written back. ${fix}`,
  fix,
})

/** For beads on another branch: the local file may be years old. */
function onBranch(branch: string): TrackerInfo & { branch: string } {
  const fix = `To have them written, import them into bd 1.x (bd init --from-jsonl), or keep them here and remove sync-branch from ${BD_CONFIG}.`
  return {
    kind: 'read-only',
    version: null,
    writable: false,
    text: `${BD_CONFIG} says that the beads are on the branch ${branch} (sync-branch, bd before 1.0): they are read from there, the copy of ${ISSUES_FILE} here is not, and nothing is written back. ${fix}`,
    fix,
    branch,
  }
}

const nothing: TrackerInfo = {
  kind: 'none',
  version: null,
  writable: false,
  text: `no tracker: run "bd init" there, or create an empty ${ISSUES_FILE}, and Beadloom will keep its beads there`,
}

async function metadataOf(beads: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readPlainFile(join(beads, 'metadata.json'), 100_000))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
