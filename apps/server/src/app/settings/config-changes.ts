import { ConfigError, describeIssue } from '@beadloom/core/settings/config-error.ts'
import { Problem } from '../../ports/problem.ts'
import { readConfigFile, writeConfigFile } from '../../process/settings/config-file.ts'
import { ConfigFile, whereNotJson, type ConfigValues } from '../../process/settings/settings.ts'

/** `problem`: why the file cannot be used. */
export type ConfigState = { text: string | null; values: ConfigValues; problem: string | null }

/** Changes `config.json`, one change after the other: two that read the same file would overwrite each other. */
export class ConfigChanges {
  readonly #data: string
  #turn: Promise<unknown> = Promise.resolve()

  constructor(data: string) {
    this.#data = data
  }

  async read(): Promise<ConfigState> {
    try {
      const text = await readConfigFile(this.#data)
      if (text === null) return { text, values: {}, problem: null }
      const parsed = ConfigFile.safeParse(parsedJson(text))
      if (parsed.success) return { text, values: parsed.data, problem: null }
      return { text, values: {}, problem: `config.json: ${parsed.error.issues.map(describeIssue).join('; ')}` }
    } catch (error) {
      if (error instanceof ConfigError) return { text: null, values: {}, problem: error.problems.join('; ') }
      throw error
    }
  }

  /**
   * Writes the result of `make` if it is valid, and returns it. `apply` makes it take effect before the next change
   * comes: an older one must not be the last to act.
   */
  change(
    make: (now: ConfigState) => object | Problem,
    apply: (written: ConfigValues) => Promise<void> = async () => {},
  ): Promise<ConfigValues | Problem> {
    const done = this.#changed(this.#turn, make, apply)
    this.#turn = done.catch(() => {})
    return done
  }

  async #changed(
    before: Promise<unknown>,
    make: (now: ConfigState) => object | Problem,
    apply: (written: ConfigValues) => Promise<void>,
  ): Promise<ConfigValues | Problem> {
    await before
    const now = await this.read()
    if (now.problem !== null)
      return new Problem(409, 'settings_broken', `${now.problem}. Fix the file by hand; nothing was changed.`)
    const wish = make(now)
    if (wish instanceof Problem) return wish
    const parsed = ConfigFile.safeParse(wish)
    if (!parsed.success) {
      const problems = parsed.error.issues.map(describeIssue)
      return new Problem(422, 'invalid_settings', problems.join('; '), problems)
    }
    await writeConfigFile(this.#data, parsed.data)
    await apply(parsed.data)
    return parsed.data
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigError('configuration', [`config.json: not JSON${whereNotJson(error)}`])
  }
}
