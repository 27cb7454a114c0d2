import { stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import type { TrackerInfo } from '../../ports/tracker.ts'
import { ISSUES_FILE, TrackerError } from '../../ports/tracker.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import { runBd } from './run-bd.ts'

/** The version; '?' if the program does not tell it, null if there is no program. */
export type KnownVersions = { bd: string | null; br: string | null }

const LIMIT_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000
/** People install and update these programs while the server runs; some are scripts that start another one. */
const KEEP_MS = 60_000

export type VersionSettings = {
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** Names of variables with keys and tokens, which these programs do not get. */
  secrets?: () => Iterable<string>
  /** A folder in which only this user can write, so that no foreign `.beads` is found in it or above. */
  own: string
}

/** Which of the programs are on the person's PATH, asked again after a while. */
export class Versions {
  readonly #settings: VersionSettings
  #asked: { at: number; stamp: string; answer: Promise<KnownVersions> } | null = null

  constructor(settings: VersionSettings) {
    this.#settings = settings
  }

  async known(): Promise<KnownVersions> {
    const now = this.#settings.clock.monotonic()
    const stamp = await stampOf(['bd', 'br'], this.#settings.env['PATH'] ?? '')
    if (this.#asked === null || now - this.#asked.at > KEEP_MS || this.#asked.stamp !== stamp)
      this.#asked = { at: now, stamp, answer: this.#ask() }
    return this.#asked.answer
  }

  async #ask(): Promise<KnownVersions> {
    const [bd, br] = await Promise.all([this.#versionOf('bd'), this.#versionOf('br')])
    return { bd, br }
  }

  async #versionOf(program: 'bd' | 'br'): Promise<string | null> {
    try {
      const call = { args: ['version', '--json'], limitBytes: LIMIT_BYTES, timeoutMs: TIMEOUT_MS }
      // Not in the project's folder, where an old version would open its database.
      const { own, ...settings } = this.#settings
      const { stdout } = await runBd({ ...settings, program, folder: own, trusted: false }, call)
      return versionIn(stdout)
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error
      return error.kind === 'missing' ? null : '?'
    }
  }
}

/** A stamp that changes when a program is replaced: a new `bd` must not be taken for the old one, not even once. */
async function stampOf(programs: readonly string[], path: string): Promise<string> {
  const files = path.split(delimiter).flatMap((folder) => programs.map((program) => join(folder, program)))
  const looks = files.map(async (file) => {
    const info = await stat(file).catch(() => null)
    return info === null ? '' : `${info.ino}:${info.size}:${info.mtimeMs}:${info.ctimeMs}`
  })
  return (await Promise.all(looks)).join()
}

/** Reads the JSON of newer releases, with or without an envelope, or the text of older ones. */
export function versionIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const answer = isObject(value) && isObject(value['data']) ? value['data'] : value
    const version = isObject(answer) ? answer['version'] : null
    if (typeof version === 'string') return version.replace(/^v/, '').slice(0, 40)
  } catch {
    // Not JSON, so it is text.
  }
  return /\d+\.\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? '?'
}

/**
 * Which program keeps a working tree's database, and whether Beadloom may write to it. `isOfBr`: the files beside the
 * database are br's, whether or not the server has that program.
 */
export function judge(database: 'dolt' | 'sqlite', { bd, br }: KnownVersions, isOfBr = false): TrackerInfo {
  const [major, minor] = (bd ?? '').split('.').map(Number)
  if (database === 'dolt' && major === 1)
    return { kind: 'bd', version: bd, writable: true, text: `bd ${bd}, through its command line` }
  const fileOnly = `only ${ISSUES_FILE} is read, which may be out of date, and nothing is written back`
  const readOnly = (what: string, advice: string, version: string | null): TrackerInfo => ({
    kind: 'read-only',
    version,
    writable: false,
    text: `${what}: ${fileOnly}. ${advice}`,
  })
  if (database === 'sqlite') {
    const isOldBd = bd !== null && major === 0 && (minor ?? 0) <= 50
    if (isOfBr || (br !== null && !isOldBd))
      return readOnly(
        `these beads are kept by br${br === null ? '' : ` ${br}`}${isOfBr || bd === null ? '' : ', or by a bd before 0.51'}`,
        'br writes this file anew from its own database and drops what it does not know, so nothing written there would last. To have beads written, keep them in bd 1.x (bd init --from-jsonl), or in the file without a database.',
        br,
      )
    const keeper = isOldBd ? `bd ${bd}` : 'a bd before 0.51, or by br'
    return readOnly(`these beads are kept by ${keeper}`, 'Install bd 1.0 and import them: bd init --from-jsonl.', bd)
  }
  if (bd === null)
    return readOnly(
      "these beads are kept by bd, which is not on the server's PATH",
      'Install bd 1.0 and start the server again.',
      null,
    )
  if (major === 0) return readOnly(`bd ${bd} is older than 1.0`, 'Update bd.', bd)
  return readOnly(`bd ${bd} is not a version that Beadloom supports (1.x)`, 'Update Beadloom, or use bd 1.x.', bd)
}
