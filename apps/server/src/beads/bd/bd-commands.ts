import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { ACTOR } from '@beadloom/core/bead/tracker-marks.ts'
import { answerOf, listOf } from './bd-json.ts'
import { runBd } from './run-bd.ts'
import type { BdSettings } from './run-bd.ts'

const ANSWER_LIMIT = 8 * 1024 * 1024
/** Every change begins with a look: since 1.3, this one refuses a database that `bd` would have to change first. */
const LOOKS = ['--readonly']

/** Single commands and their answers. Never uses a destructive one, nor `--force` except for the prefix of a new id. */
export class BdCommands {
  /** Whether an update can require, in one step, that status and assignee are still these: since 1.3. */
  readonly hasGuards: boolean
  readonly #settings: BdSettings

  constructor(settings: BdSettings, version: string | null) {
    this.#settings = settings
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
    this.hasGuards = major > 1 || (major === 1 && minor >= 3)
  }

  /**
   * The bead; null if there is none. `bd` accepts part of an id, so an answer with another id is not the requested
   * bead.
   */
  async show(id: string): Promise<JsonObject | null> {
    const end = await this.#run(['show', id, ...LOOKS])
    if (end.code !== 0 && /no issues? found/i.test(end.stdout + end.stderr)) return null
    return listOf(answerOf('bd show', end)).find((issue) => issue['id'] === id) ?? null
  }

  async change(name: string, args: string[], input?: string): Promise<JsonObject> {
    const [issue] = listOf(answerOf(`bd ${name}`, await this.#run([name, ...args], input)))
    return issue ?? {}
  }

  async comments(id: string): Promise<JsonObject[]> {
    return listOf(answerOf('bd comments', await this.#run(['comments', id, ...LOOKS])))
  }

  #run(args: string[], input?: string) {
    const call = { args: [...args, '--sandbox', '--json', '--actor', ACTOR], limitBytes: ANSWER_LIMIT }
    return runBd(this.#settings, input === undefined ? call : { ...call, input })
  }
}
