import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Exit, FrameSource, OutputFrame, SandboxState } from '@beadloom/server/src/ports/sandbox.ts'
import type { HealthCheck, ServiceSpec } from '@beadloom/server/src/ports/service.ts'

const LOST: Exit = { code: -1, oomKilled: false, lost: true, startedAt: 0, finishedAt: 0 }
const PATH = `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`

/** `init`: process 1 of the sandbox that shares its network with it. */
export type MadeService = { id: string; instance: string; spec: ServiceSpec; init: () => number; createdAt: number }

/** A service of the process engine: a program of this machine in the network of a sandbox, not confined otherwise. */
export class ProcessService {
  readonly made: MadeService
  #child: ChildProcess | null = null
  #exit: Exit | null = null
  #startedAt = 0
  readonly #printed: Buffer[] = []
  #more = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<Exit>()

  constructor(made: MadeService) {
    this.made = made
  }

  async start(): Promise<void> {
    const { spec } = this.made
    const [program = 'true', ...args] = this.#inNetwork(spec.command ?? ['true'])
    this.#startedAt = Date.now()
    const child = spawn(program, args, {
      env: { PATH, ...spec.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        this.#printed.push(bytes)
        this.#tell()
      })
    child.once('close', (code, signal) => this.#end(signal === null ? (code ?? 0) : 137))
    await Promise.race([once(child, 'spawn'), once(child, 'error')])
  }

  succeeds(check: HealthCheck): boolean {
    if (this.#exit || !this.#child) return false
    const [program = '', ...args] = this.#inNetwork(typeof check === 'string' ? ['sh', '-c', check] : check)
    return spawnSync(program, args, { env: { PATH, ...this.made.spec.env }, timeout: 10_000 }).status === 0
  }

  output(): FrameSource {
    const closed = new AbortController()
    return { close: () => closed.abort(this.#tell()), [Symbol.asyncIterator]: () => this.#frames(closed.signal) }
  }

  state(): SandboxState {
    if (this.#exit) return { state: 'exited', exit: this.#exit }
    return { state: this.#child ? 'running' : 'created', startedAt: this.#startedAt }
  }

  ended(): Promise<Exit> {
    return this.#ended.promise
  }

  kill(): void {
    if (this.#exit) return
    if (!this.#child?.pid) return this.#end(137)
    try {
      process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // it has just ended
    }
  }

  async remove(): Promise<void> {
    this.#ended.resolve(LOST)
    this.kill()
    if (this.#child) while (!this.#exit) await this.#more.promise
  }

  /** Everything ends with its starter, even if that is killed. */
  #inNetwork(words: readonly string[]): string[] {
    const user = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials']
    return ['setpriv', '--pdeathsig=KILL', 'nsenter', `--target=${this.made.init()}`, ...user, '--net', ...words]
  }

  #end(code: number): void {
    this.#exit = { code, oomKilled: false, lost: false, startedAt: this.#startedAt, finishedAt: Date.now() }
    this.#ended.resolve(this.#exit)
    this.#tell()
  }

  #tell(): void {
    this.#more.resolve()
    this.#more = Promise.withResolvers()
  }

  async *#frames(closed: AbortSignal): AsyncGenerator<OutputFrame> {
    for (let at = 0; !closed.aborted;) {
      const bytes = this.#printed[at]
      if (bytes) {
        at++
        yield { stream: 'stderr', bytes }
      } else if (this.#exit) return
      else {
        const more = this.#more.promise
        if (!closed.aborted) await more
      }
    }
  }
}
