import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { EngineError } from '@beadloom/server/src/ports/engine.ts'
import type { Exit } from '@beadloom/server/src/ports/sandbox.ts'

const ENTER = join(import.meta.dirname, 'enter.sh')
const isRoot = process.getuid?.() === 0

const words = (text: string): string[] => text.split(' ')

/** Everything ends with process 1, and process 1 with its starter, even if that is killed. */
const APART = [
  ...words(
    `setpriv --pdeathsig=KILL unshare ${isRoot ? '' : '--user --map-root-user '}--mount --pid --net --ipc --uts`,
  ),
  ...words('--fork --kill-child sh'),
  ENTER,
]
/**
 * An ordinary user without any rights. If we are not root, it has to pretend in one more namespace. Changing the user
 * clears the setting to end with the parent, so it is set again.
 */
const AS_AGENT = [
  ...words(
    isRoot
      ? 'setpriv --reuid=1000 --regid=1000 --clear-groups --bounding-set=-all'
      : 'unshare --map-user=1000 --map-group=1000 setpriv',
  ),
  ...words('--pdeathsig=KILL --inh-caps=-all --no-new-privs env -i'),
]
/** The folders of the commands above, whatever the PATH of the tests. */
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

const MOST_WORDS = 4_000
/** 128 + SIGKILL or SIGTERM. */
const [KILLED, TERMINATED] = [137, 143]

/** `container` has the file fstab; `env` is the program's whole environment, as `NAME=value`. */
export type Program = { container: string; root: string; command: string[]; env: string[] }

/** A program in namespaces of its own, from its start to its end. */
export class StartedProgram {
  readonly startedAt: number
  readonly ended: Promise<Exit>
  exit: Exit | null = null
  /** The end of its output. */
  words = ''
  /** Process 1 of the namespaces, by its number outside of them. */
  readonly init: number
  #stopped = false
  #killed = false
  #outside = false

  private constructor(init: number, startedAt: number, code: Promise<number>) {
    this.startedAt = startedAt
    this.init = init
    this.ended = code.then((it) => (this.exit = this.#exitWith(it)))
  }

  /** Resolves once it runs and everything that it may see is in place. */
  static async start({ container, root, command, env }: Program): Promise<StartedProgram> {
    const startedAt = Date.now()
    const [program = '', ...args] = [...APART, container, root, ...AS_AGENT, ...env, ...command]
    const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const
    const child = spawn(program, args, { detached: true, env: { PATH }, stdio: [...stdio] })
    const [, stdout, trouble, numbers, stderr] = child.stdio as Readable[]
    const code = once(child, 'exit').then(([exit]) => (exit as number | null) ?? KILLED)
    const said = trouble!.toArray()
    const init = await firstLine(numbers!)
    if (init > 0) {
      const started = new StartedProgram(init, startedAt, code)
      for (const stream of [stdout!, stderr!]) stream.on('data', (bytes: Buffer) => started.#hear(bytes))
      return started
    }
    throw new EngineError('refused', `the container could not be started: ${(await said).join('').trim()}`)
  }

  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves once nothing of it runs. */
  async stop(graceMs: number): Promise<void> {
    if (this.exit) return
    this.#stopped = true
    if (graceMs > 0) this.#signal('SIGTERM')
    const killer = setTimeout(() => this.#signal('SIGKILL'), graceMs)
    await this.ended
    clearTimeout(killer)
  }

  /** Kills it, as somebody else would. */
  async kill(): Promise<void> {
    this.#outside = !this.exit
    this.#signal('SIGKILL')
    await this.ended
  }

  #hear(bytes: Buffer): void {
    this.words = `${this.words}${bytes.toString()}`.slice(-MOST_WORDS)
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.exit) return
    this.#killed ||= signal === 'SIGKILL'
    try {
      process.kill(this.init, signal)
    } catch {
      // it has just ended
    }
  }

  /** unshare(1) does not always end the way its killed child did. */
  #exitWith(unshared: number): Exit {
    const code = this.#killed ? KILLED : unshared
    const killed = (code === KILLED || code === TERMINATED) && !this.#stopped
    const outside = this.#outside ? { outside: true } : {}
    return {
      code,
      oomKilled: false,
      lost: false,
      killed,
      ...outside,
      startedAt: this.startedAt,
      finishedAt: Date.now(),
    }
  }
}

/** The number in the stream's first line; 0 if it ends without one. */
const firstLine = (stream: Readable): Promise<number> =>
  new Promise((resolve) => {
    stream.once('data', (bytes) => resolve(Number(bytes)))
    stream.once('end', () => resolve(0))
  })
