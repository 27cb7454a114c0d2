import { tmpdir } from 'node:os'
import type { Clock } from '../../process/clock.ts'
import type { TrackerInfo } from '../../ports/tracker.ts'
import { ISSUES_FILE, TrackerError } from '../../ports/tracker.ts'
import { isObject } from '../jsonl/json-object.ts'
import { runBd } from './run-bd.ts'

/** The text of `version`, '?' for a program that does not say one, null where there is no program. */
export type KnownVersions = { bd: string | null; br: string | null }

const LIMIT_BYTES = 64 * 1024
const TIMEOUT_MS = 10_000
/** People install and update it while the server runs. */
const KEEP_MS = 60_000

/** Which of the programs are on the person's PATH, asked now and then. */
export class Versions {
  readonly #settings: { clock: Clock; env: Readonly<Record<string, string | undefined>> }
  #asked: { at: number; answer: Promise<KnownVersions> } | null = null

  constructor(settings: { clock: Clock; env: Readonly<Record<string, string | undefined>> }) {
    this.#settings = settings
  }

  known(): Promise<KnownVersions> {
    const now = this.#settings.clock.monotonic()
    if (this.#asked === null || now - this.#asked.at > KEEP_MS) this.#asked = { at: now, answer: this.#ask() }
    return this.#asked.answer
  }

  async #ask(): Promise<KnownVersions> {
    const [bd, br] = await Promise.all([this.#versionOf('bd'), this.#versionOf('br')])
    return { bd, br }
  }

  async #versionOf(program: 'bd' | 'br'): Promise<string | null> {
    try {
      const call = { args: ['version', '--json'], limitBytes: LIMIT_BYTES, timeoutMs: TIMEOUT_MS }
      // Not in the project's folder: the answer is about the program, and an old one would open its database there.
      const { stdout } = await runBd({ ...this.#settings, program, folder: tmpdir() }, call)
      return versionIn(stdout)
    } catch (error) {
      if (!(error instanceof TrackerError)) throw error
      return error.kind === 'missing' ? null : '?'
    }
  }
}

/** From the JSON of newer releases, with or without an envelope, or from the line of older ones. */
export function versionIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const answer = isObject(value) && isObject(value['data']) ? value['data'] : value
    const version = isObject(answer) ? answer['version'] : null
    if (typeof version === 'string') return version.replace(/^v/, '').slice(0, 40)
  } catch {
    // Text, then.
  }
  return /\d+\.\d+\.\d+[\w.-]*/.exec(text)?.[0] ?? '?'
}

/** Who keeps a working tree's database, and whether Beadloom may write there. */
export function judge(database: 'dolt' | 'sqlite', { bd, br }: KnownVersions): TrackerInfo {
  const [major, minor] = (bd ?? '').split('.').map(Number)
  if (database === 'dolt' && major === 1)
    return { kind: 'bd', version: bd, writable: true, text: `bd ${bd}, by its command line` }
  const fileOnly = `only ${ISSUES_FILE} is read, as old as it may be, and nothing is written back`
  const readOnly = (what: string, advice: string, version: string | null): TrackerInfo => ({
    kind: 'read-only',
    version,
    writable: false,
    text: `${what}: ${fileOnly}. ${advice}`,
  })
  if (database === 'sqlite') {
    if (br !== null && bd === null)
      return readOnly(
        `br ${br} keeps these beads`,
        'Beadloom writes with bd 1.0, or to the file where there is no database.',
        br,
      )
    const keeper = bd !== null && major === 0 && (minor ?? 0) <= 50 ? `bd ${bd}` : 'a bd before 0.51, or br,'
    return readOnly(`${keeper} keeps these beads`, 'Install bd 1.0 and take them over: bd init --from-jsonl.', bd)
  }
  if (bd === null)
    return readOnly(
      'bd keeps these beads, and is not on the PATH of this server',
      'Install bd 1.0 and start again.',
      null,
    )
  if (major === 0) return readOnly(`bd ${bd} is older than 1.0`, 'Update bd.', bd)
  return readOnly(`bd ${bd} is not a version that Beadloom knows (1.x)`, 'Update Beadloom, or use bd 1.x.', bd)
}
