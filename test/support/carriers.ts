import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * The carrier of a link between a test's server and its containers: a mounted socket, or processes that the engine
 * starts.
 */
export type CarrierKind = 'socket' | 'exec'
export const carriers: readonly CarrierKind[] = ['socket', 'exec']

/** The default carrier: `CARRIER=exec` runs whole suites over the engine's exec. */
export const usualCarrier: CarrierKind = kindIn(process.env['CARRIER'])

function kindIn(asked = 'socket'): CarrierKind {
  const kind = carriers.find((one) => one === asked)
  if (!kind) throw new Error(`CARRIER: there is no ${asked}; there are ${carriers.join(' and ')}`)
  return kind
}

/**
 * The same engine by TCP on the loopback. A server cannot know whether such an engine is on another machine: it mounts
 * nothing, and every link goes over exec. The forwarder is a process of its own, because tests block now and then.
 */
export class EngineByTcp {
  readonly host: string
  readonly #forwarder: ChildProcess

  private constructor(forwarder: ChildProcess, port: number) {
    this.#forwarder = forwarder
    this.host = `tcp://127.0.0.1:${port}`
  }

  /** @param engine the address of its socket; absent: the machine's engine */
  static async start(engine = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'): Promise<EngineByTcp> {
    if (!engine.startsWith('unix://')) throw new Error(`${engine} is no socket that a forwarder could lead to`)
    const program = join(import.meta.dirname, 'forwarder.ts')
    const forwarder = spawn(process.execPath, [program, '0', engine.slice('unix://'.length)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(forwarder.stdout, 'data')) as [Buffer]
    return new EngineByTcp(forwarder, Number(said.toString()))
  }

  /** Lets nothing pass and tells nobody, like a pulled cable, until `passes`. */
  hang(): void {
    this.#forwarder.kill('SIGSTOP')
  }

  passes(): void {
    this.#forwarder.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    if (this.#forwarder.exitCode !== null || this.#forwarder.signalCode !== null) return
    const gone = once(this.#forwarder, 'exit')
    this.#forwarder.kill('SIGKILL')
    await gone
  }
}
