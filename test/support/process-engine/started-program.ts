import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { EngineError } from '@beadloom/server/src/ports/engine.ts'
import type { Exit } from '@beadloom/server/src/ports/sandbox.ts'

const ENTER = join(import.meta.dirname, 'enter.sh')
const isRoot = process.getuid?.() === 0

const words = (text: string): string[] => text.split(' ')

/** Everything ends with process 1, and process 1 with whoever started it, even where that one is killed. */
const APART = [
  ...words(
    `setpriv --pdeathsig=KILL unshare ${isRoot ? '' : '--user --map-root-user '}--mount --pid --net --ipc --uts`,
  ),
  ...words('--fork --kill-child sh'),
  ENTER,
]
/**
 * An ordinary user without any rights; who is not root here has to pretend in one more namespace. Another user would no
 * longer end with its parent, so that is said anew.
 */
const AS_AGENT = [
  ...words(
    isRoot
      ? 'setpriv --reuid=1000 --regid=1000 --clear-groups --bounding-set=-all'
      : 'unshare --map-user=1000 --map-group=1000 setpriv',
  ),
  ...words('--pdeathsig=KILL --inh-caps=-all --no-new-privs env -i'),
]
/** Where the commands above are, whatever the PATH of the tests. */
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
  /** The end of what it has printed. */
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

  /** Resolves when it runs, with everything that it may see in its place. */
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

  /** SIGTERM, `graceMs`, SIGKILL; resolves when nothing of it runs any more. */
  async stop(graceMs: number): Promise<void> {
    if (this.exit) return
    this.#stopped = true
    if (graceMs > 0) this.#signal('SIGTERM')
    const killer = setTimeout(() => this.#signal('SIGKILL'), graceMs)
    await this.ended
    clearTimeout(killer)
  }

  /** As somebody else would end it. */
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
      // it has ended in this moment
    }
  }

  /** unshare(1) does not always end as its child did when that was killed. */
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

/** 0 when it ends without one. */
const firstLine = (stream: Readable): Promise<number> =>
  new Promise((resolve) => {
    stream.once('data', (bytes) => resolve(Number(bytes)))
    stream.once('end', () => resolve(0))
  })
