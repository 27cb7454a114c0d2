import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../process/clock.ts'
import { readPlainFile } from '../process/plain-file.ts'
import type { BeadsAdapter, Issues, Tracker, TrackerInfo } from '../ports/tracker.ts'
import { BD_CONFIG, ISSUES_FILE, TrackerError } from '../ports/tracker.ts'
import { bdAdapter } from './bd/bd-adapter.ts'
import { judge, Versions } from './bd/bd-version.ts'
import { lastBdIn, whyNotRun } from './bd/database-version.ts'
import { ledOut } from './bd/led-out.ts'
import { hooksIn, leadsElsewhere } from './bd/obeyed.ts'
import { branchAdapter } from './branch-adapter.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { issuesAtOnce } from './jsonl/issues-at-once.ts'
import { jsonlAdapter } from './jsonl/jsonl-adapter.ts'
import { isThere, NotOwn, withOwn, type OwnFolder } from './own-folder.ts'
import { readTracker } from './reading/read-tracker.ts'
import { Redirects } from './redirect.ts'
import { otherBranchOf, syncBranchIn } from './sync-branch.ts'

export type TrackerSettings = {
  clock: Clock
  /** The environment of the person who runs the server: `bd` runs as they would run it. */
  env: Readonly<Record<string, string | undefined>>
  /** Names of variables with keys and tokens, which `bd` does not get. */
  secrets?: () => Iterable<string>
  /** A folder in which only the server's user can write. */
  own: string
  /** Working trees in which `bd` may obey the files in `.beads`, as absolute paths. */
  trusted: readonly string[]
  /** Reads the text of `issues.jsonl`; for a command line, which nobody else waits for, at once. */
  issues?: Issues
}

export function createTracker(given: TrackerSettings): Tracker {
  const settings = { issues: issuesAtOnce, secrets: () => [], ...given }
  const versions = new Versions(settings)
  const redirects = new Redirects()
  return {
    read: (reading) => readTracker(settings.issues, reading),
    find: async (folder) => {
      let at = folder
      try {
        const led = await redirects.follow(folder)
        if ('problem' in led) {
          const info: TrackerInfo = { kind: 'read-only', version: null, writable: false, text: led.problem }
          return jsonlAdapter({ folder }, info, settings)
        }
        at = led.folder
        return inWords(at, folder, await withOwn(at, (own) => findTracker(at, own, settings, versions)))
      } catch (error) {
        if (error instanceof TrackerError) return inWords(at, folder, unread(error))
        throw error
      }
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
export type Found = { database: 'dolt' | 'sqlite' | null; isOfBr: boolean; issues: boolean }

async function lookAt(beads: string): Promise<Found> {
  const meta = await metadataOf(beads)
  const { backend, database } = meta
  const sqlite = typeof database === 'string' && /^[\w.-]+$/.test(database) ? database : 'beads.db'
  const dolt =
    backend === 'dolt' || (await isThere(join(beads, 'embeddeddolt'))) || (await isThere(join(beads, 'dolt')))
  return {
    database: dolt ? 'dolt' : (await isThere(join(beads, sqlite))) ? 'sqlite' : null,
    isOfBr: await hasSignsOfBr(beads),
    issues: await isThere(join(beads, basename(ISSUES_FILE))),
  }
}

/** Only br makes these folders, and only its .gitignore names them. */
const OF_BR = ['.br_history', '.br_recovery']

async function hasSignsOfBr(beads: string): Promise<boolean> {
  for (const name of OF_BR) if (await isThere(join(beads, name))) return true
  const ignored = await readPlainFile(join(beads, '.gitignore'), 100_000, 'no links').catch(() => '')
  return ignored.split('\n').some((line) => OF_BR.includes(line.trim().replace(/\/$/, '')))
}

/** Says so if a redirect has led to the tracker. */
function inWords(at: string, folder: string, found: BeadsAdapter): BeadsAdapter {
  if (at === folder) return found
  return { ...found, info: { ...found.info, text: `${found.info.text} (in ${at}, through .beads/redirect)` } }
}

/** For a `.beads` that is not even read. */
function unread(error: TrackerError): BeadsAdapter {
  const text = error.message
  const fix = error instanceof NotOwn ? { fix: error.fix } : {}
  return {
    info: { kind: 'read-only', version: null, writable: false, text, ...fix },
    read: () => Promise.resolve(null),
    stamp: () => Promise.resolve(null),
    write: (changes) => Promise.resolve(changes.map(() => ({ result: 'later', text }))),
  }
}

async function findTracker(
  folder: string,
  own: OwnFolder | null,
  settings: Required<TrackerSettings>,
  versions: Versions,
): Promise<BeadsAdapter> {
  const { clock } = settings
  const adapter = (info: TrackerInfo) => jsonlAdapter({ folder, key: own?.key ?? null }, info, settings)
  if (own === null) return adapter(nothing)
  const { at, key } = own
  const found = await lookAt(at)
  const branch = found.database === 'dolt' ? null : await otherBranchOf(folder, at)
  if (branch !== null) return adapter(onBranch(branch))
  if (found.database === null && !found.issues) return adapter(nothing)
  if (found.database === null)
    return adapter({ kind: 'jsonl', version: null, writable: true, text: `${ISSUES_FILE}, read and written directly` })
  const info = judge(found.database, await versions.known(), found.isOfBr)
  if (info.kind !== 'bd') return adapter(info)
  const why = whyNotRun(info.version ?? '', await lastBdIn(at), folder)
  if (why !== null) return adapter(notRun(info, why))
  const trusted = await isTrusted(folder, settings.trusted)
  const [leads, hooks] = trusted ? [[], []] : await Promise.all([whereLed(at), hooksIn(at)])
  if (leads.length > 0) return adapter(notObeyed(info, folder, leads))
  const text = hooks.length === 0 ? info.text : `${info.text}, without ${hooks.join(' and ')} of .beads/hooks`
  const before = async () => {
    const now = await withOwn(folder, async (same) => same && (trusted ? [] : await whereLed(same.at)), key)
    // Without it, bd would take the one of a folder above.
    if (now === null) throw new TrackerError('busy', '.beads was removed meanwhile')
    if (now.length > 0) throw new TrackerError('broken', notObeyed(info, folder, now).text)
  }
  const { env, secrets } = settings
  return bdAdapter({ program: 'bd', folder, clock, env, secrets, trusted, before }, { ...info, text })
}

/** Why `bd` would leave this `.beads`, as ends of a sentence. */
const whereLed = async (beads: string): Promise<string[]> =>
  (await Promise.all([ledOut(beads), leadsElsewhere(beads)])).flat()

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
    const value: unknown = JSON.parse(await readPlainFile(join(beads, 'metadata.json'), 100_000, 'no links'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
