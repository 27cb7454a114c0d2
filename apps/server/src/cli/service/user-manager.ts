import { CliError } from '../exit-code.ts'
import { oneLiner } from '../terminal/terminal-text.ts'
import type { AskProgram } from './ask-program.ts'
import { UNIT } from './unit-file.ts'

/** The manager's view of the unit. `state`: active, activating, failed, inactive, …; `enabled`: enabled, disabled, … */
export type UnitState = {
  loaded: boolean
  state: string
  /** The result of the last start: success, exit-code, signal, start-limit-hit, … */
  result: string
  /** Null if none runs. */
  pid: number | null
  enabled: string
}

/**
 * systemd's manager of this user, asked through `systemctl --user`. Every call throws a `CliError` that says what to
 * do.
 */
export class UserManager {
  readonly #ask: AskProgram
  readonly #user: string
  readonly #isBooted: boolean

  /** `user`: the name, for sentences about how to reach the manager. `isBooted`: systemd runs this machine. */
  constructor(ask: AskProgram, { user, isBooted }: { user: string; isBooted: boolean }) {
    this.#ask = ask
    this.#user = user
    this.#isBooted = isBooted
  }

  async unit(): Promise<UnitState> {
    const names = ['LoadState', 'ActiveState', 'Result', 'MainPID', 'UnitFileState']
    const out = await this.#systemctl('asking for the service', ['show', UNIT, `--property=${names.join(',')}`])
    const value = new Map(out.split('\n').map((line) => line.split(/=(.*)/s, 2) as [string, string]))
    const pid = Number(value.get('MainPID'))
    return {
      loaded: value.get('LoadState') === 'loaded',
      state: value.get('ActiveState') ?? 'unknown',
      result: value.get('Result') ?? 'unknown',
      pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
      enabled: value.get('UnitFileState') || 'not installed',
    }
  }

  async reload(): Promise<void> {
    await this.#systemctl('reading the unit', ['daemon-reload'])
  }

  /** Starts it now and at every login. `again`: restarts a running one. */
  async enable({ again }: { again: boolean }): Promise<void> {
    await this.#systemctl('enabling the service', ['enable', UNIT])
    // A unit that failed too often cannot be started, even by hand, until its failures are forgotten.
    await this.#systemctl('forgetting earlier failures', ['reset-failed', UNIT]).catch(() => {})
    await this.#systemctl('starting the service', [again ? 'restart' : 'start', UNIT])
  }

  async disable(): Promise<void> {
    await this.#systemctl('stopping the service', ['disable', '--now', UNIT])
  }

  /** Whether this user's services run without a login; null if unknown. */
  async lingers(): Promise<boolean | null> {
    const ended = await this.#ask('loginctl', ['show-user', this.#user, '--property=Linger', '--value'])
    if (ended === 'missing' || ended.code !== 0) return null
    return { yes: true, no: false }[ended.out.trim()] ?? null
  }

  async #systemctl(doing: string, args: readonly string[]): Promise<string> {
    const ended = await this.#ask('systemctl', ['--user', ...args])
    if (ended === 'missing' || (ended.code !== 0 && !this.#isBooted)) throw new CliError(NO_SYSTEMD)
    if (ended.code === 0) return ended.out
    const said = oneLiner(ended.err || ended.out) || `it ended with ${ended.code ?? 'a signal'}`
    if (/connect to .*bus|XDG_RUNTIME_DIR/i.test(said)) throw new CliError(this.#unreachable(said))
    throw new CliError(`${doing} failed. "systemctl --user ${args.join(' ')}" says: ${said}`)
  }

  #unreachable(said: string): string {
    return `systemd's manager of the user ${this.#user} does not answer here (${said}). Log in as ${this.#user} itself, not through su or sudo. Without a login: "sudo loginctl enable-linger ${this.#user}", then "export XDG_RUNTIME_DIR=/run/user/$(id -u)", and try again.`
  }
}

const NO_SYSTEMD =
  'there is no systemd here to run the service. In a container the engine starts it again ("docker run --restart unless-stopped"). Elsewhere have your own init system run "beadloom start" as your user; it exits with 70 when it should be started again. "beadloom service install --print" shows the unit that it would install.'

/** Why there can be no service on this system; null on Linux. */
export function noServiceOn(platform: string): string | null {
  if (platform === 'linux') return null
  if (platform === 'darwin')
    return 'a service needs systemd, which macOS does not have. Put "beadloom start" into a launch agent (~/Library/LaunchAgents, with KeepAlive and the absolute paths of Node and beadloom), or run the image of Beadloom with "docker run --restart unless-stopped".'
  return `a service needs systemd, which ${platform} does not have. Run the image of Beadloom with "docker run --restart unless-stopped".`
}
