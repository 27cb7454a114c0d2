import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Orders } from './orders.ts'

const here = import.meta.dirname
const asRoot = process.getuid?.() === 0
/** Arguments that give the sandbox namespaces of its own, as a container has; without root through a user namespace. */
const namespaces = [
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  ...(asRoot ? [] : ['--user', '--map-current-user']),
]
/** Drops capabilities, as a container does: root could otherwise write to a read-only file. */
const powerless = ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
/** Arguments of `unshare` before the command. */
export const unshareCommand = [...namespaces, ...(asRoot ? powerless : [])]

/** Why there can be no pid namespace here, or null. */
export function whyNoNamespace(): string | null {
  const { status, stderr } = spawnSync('unshare', [...unshareCommand, 'true'], { encoding: 'utf8' })
  if (status === 0) return null
  const why = `no pid namespace can be made here (${stderr?.trim() || 'there is no unshare'}): the supervisor's tests with processes are skipped`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${why}`)
  console.warn(why)
  return why
}

/** A pid namespace with process 1, the supervisor, and orders as a server would send them. */
export class Sandbox extends Orders {
  /** The sessions' folders. */
  readonly folder: string
  #own: string
  #process: ChildProcess
  /** The supervisor's own output. */
  words = ''

  private constructor(own: string, folder: string, socketPath: string, process: ChildProcess) {
    super(socketPath)
    this.#own = own
    this.folder = folder
    this.#process = process
    process.stderr?.on('data', (bytes: Buffer) => (this.words += bytes.toString()))
  }

  /** Opens a sandbox. Close it in `afterAll`, or open it with `await using`. */
  static async open(options: { folder?: string; spoolBytes?: number } = {}): Promise<Sandbox> {
    const own = await mkdtemp(join(tmpdir(), 'beadloom-sandbox-'))
    const folder = options.folder ?? join(own, 'sessions')
    const socketPath = join(own, 'orders.sock')
    const command = [join(here, '..', 'process-one.sh'), process.execPath, join(here, 'sandbox-main.ts')]
    const args = [folder, socketPath, String(options.spoolBytes ?? 256 * 1024 * 1024)]
    const child = spawn('unshare', [...unshareCommand, 'sh', ...command, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    process.once('exit', () => child.kill('SIGKILL')) // after a test that ran out of time
    const sandbox = new Sandbox(own, folder, socketPath, child)
    await sandbox.ready()
    return sandbox
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.#own, { recursive: true, force: true })
  }

  /** Kills everything in it, as the end of a container does. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await gone
  }

  /** Stops it as `docker stop` does; returns the exit code of process 1. */
  async stopContainer(): Promise<number | null> {
    process.kill(firstChild(this.#process.pid!), 'SIGTERM')
    return this.exited()
  }

  /** Kills the supervisor with SIGKILL, from outside. */
  killSupervisor(): void {
    process.kill(firstChild(firstChild(this.#process.pid!)), 'SIGKILL')
  }

  /** Lets its supervisor open only this many more files than it has open now. */
  limitFiles(more: number): void {
    const pid = firstChild(firstChild(this.#process.pid!))
    const files = readdirSync(`/proc/${pid}/fd`).length + more
    spawnSync('prlimit', ['--pid', String(pid), `--nofile=${files}:`])
  }

  /** The exit code of process 1. */
  async exited(): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit')
    return this.#process.exitCode
  }
}

const firstChild = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0])
