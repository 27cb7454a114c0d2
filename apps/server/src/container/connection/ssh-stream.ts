import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { Duplex } from 'node:stream'
import { startProcess } from '../../process/start-process.ts'
import type { Environment } from '../../process/settings/settings.ts'
import type { SshAddress } from './address.ts'
import { noSsh, sshError } from './ssh-error.ts'

/** A call of the engine has 15 s: ssh's own sentence should come before that. */
const CONNECT_S = 10
/** A lost network is noticed after three of these. */
const ALIVE_S = 15
const KEPT_CHARACTERS = 8 * 1024

/**
 * The arguments with which the docker command reaches an engine by ssh. Nobody is at a keyboard, so ssh may ask
 * nothing; forwardings in the user's own configuration would be opened again by each of many connections.
 */
export function sshArguments({ host, user, port, socket }: SshAddress): string[] {
  const options = {
    BatchMode: 'yes',
    ConnectTimeout: CONNECT_S,
    ServerAliveInterval: ALIVE_S,
    ServerAliveCountMax: 3,
    ClearAllForwardings: 'yes',
  }
  const command = ['docker', ...(socket === null ? [] : [`--host=unix://${socket}`]), 'system', 'dial-stdio']
  return [
    '-T',
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...(port === null ? [] : ['-p', String(port)]),
    ...(user === null ? [] : ['-l', user]),
    '--',
    host,
    ...command,
  ]
}

/** The user's own, because programs that ssh starts need it (an agent, a proxy command), but without keys of models. */
export const sshEnvironment = (env: Environment): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.endsWith('_API_KEY'))),
  LC_ALL: 'C',
})

/**
 * One connection to the engine of another machine: the standard streams of an ssh. It is a process group of its own, so
 * a Ctrl-C for the server does not end it while the server still needs it to end in order.
 */
export class SshStream extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams
  #stderr = ''
  #idle: NodeJS.Timeout | null = null

  constructor(address: SshAddress, env: Environment) {
    super({ allowHalfOpen: false })
    this.on('error', ignore) // nobody listens to one that is kept for the next request
    const child = startProcess('ssh', sshArguments(address), { env: sshEnvironment(env), detached: true })
    this.#child = child
    child.stdout.on('data', (bytes: Buffer) => {
      this.#idle?.refresh()
      if (!this.push(bytes)) child.stdout.pause()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_CHARACTERS)
    })
    child.on('error', (error: NodeJS.ErrnoException) => this.destroy(error.code === 'ENOENT' ? noSsh(address) : error))
    // The end of the output comes before the reason for it: a reader waits for both.
    child.on('close', (code, signal) => {
      if (code !== 0) return void this.destroy(sshError(address, { code, signal, stderr: this.#stderr }))
      this.once('end', () => this.destroy()) // data still to be written would reach nobody
      this.push(null)
      this.read(0) // a connection kept for the next request has no reader to notice the end
    })
  }

  override _read(): void {
    this.#child.stdout.resume()
  }

  /** Writing to an ssh that has ended is no error here: `close` reports the end. */
  override _write(bytes: Buffer, _: BufferEncoding, done: () => void): void {
    this.#child.stdin.write(bytes, () => done())
  }

  override _final(done: () => void): void {
    this.#child.stdin.end(() => done())
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#idle) clearTimeout(this.#idle)
    this.#child.kill()
    done(error)
  }

  /** Node's HTTP client calls it after an answer: nothing more will come. */
  destroySoon(): void {
    this.end(() => this.destroy())
  }

  /** Emits `timeout` after so many milliseconds in which nothing came; 0: never. */
  setTimeout(ms: number): this {
    if (this.#idle) clearTimeout(this.#idle)
    this.#idle = ms > 0 && !this.destroyed ? setTimeout(() => this.emit('timeout'), ms).unref() : null
    return this
  }

  /** ssh does that by itself. */
  setKeepAlive(): this {
    return this
  }

  /** A connection that waits for the next request does not keep the process alive. */
  ref(): this {
    for (const part of this.#parts()) part.ref?.()
    return this
  }

  unref(): this {
    for (const part of this.#parts()) part.unref?.()
    return this
  }

  /** Pipes are sockets, which the type declarations do not know. */
  #parts(): { ref?: () => void; unref?: () => void }[] {
    const { stdin, stdout, stderr } = this.#child
    return [this.#child, stdin, stdout, stderr] as { ref?: () => void; unref?: () => void }[]
  }
}

function ignore(): void {}
