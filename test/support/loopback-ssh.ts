import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const START_LIMIT_MS = 30_000
const POLL_MS = 50
const SSHD = '/usr/sbin/sshd'

/** Why sshd cannot be used here; null if it can. */
export function sshdIsMissing(): string | null {
  for (const program of [SSHD, '/usr/bin/ssh', '/usr/bin/ssh-keygen'])
    if (!existsSync(program))
      return `there is no ${program}: apt-get install --no-install-recommends openssh-server openssh-client`
  return null
}

/**
 * An sshd on a port of the loopback interface, with its own host key and one user's key, and an `ssh` in a folder for
 * `PATH` that knows only both: the `~/.ssh` of the machine's user is neither read nor written.
 */
export class LoopbackSsh {
  readonly port: number
  readonly #folder: string
  readonly #server: ChildProcess
  #said = ''

  private constructor(port: number, folder: string) {
    this.port = port
    this.#folder = folder
    mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
    this.#server = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#server.stderr?.on('data', (bytes: Buffer) => (this.#said += String(bytes)))
  }

  /** Tries again if another program takes the free port before the start. */
  static async start(tries = 3): Promise<LoopbackSsh> {
    const folder = mkdtempSync(join(tmpdir(), 'bl-sshd-'))
    const at = (name: string) => join(folder, name)
    for (const name of ['host', 'user', 'stranger'])
      execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
    const port = await freePort()
    const [type, key] = readFileSync(at('host.pub'), 'utf8').split(' ')
    writeFileSync(at('known'), `[127.0.0.1]:${port} ${type} ${key}\n`)
    writeFileSync(at('unknown'), '')
    writeFileSync(
      at('sshd_config'),
      [
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${at('host')}`,
        `AuthorizedKeysFile ${at('user.pub')}`,
        'PidFile none',
        'StrictModes no',
        'UsePAM no',
        'PermitRootLogin prohibit-password',
        'PasswordAuthentication no',
        'KbdInteractiveAuthentication no',
        'MaxStartups 100',
        // sshd's shell has a PATH of its own, which may lack a test's docker.
        `SetEnv PATH=${process.env['PATH']}`,
        '',
      ].join('\n'),
    )
    const ssh = new LoopbackSsh(port, folder)
    try {
      await ssh.#answering()
      return ssh
    } catch (error) {
      await ssh.stop()
      if (tries > 1) return LoopbackSsh.start(tries - 1)
      throw error
    }
  }

  /** The address of an engine behind it. */
  address(socket = ''): string {
    return `ssh://${userInfo().username}@127.0.0.1:${this.port}${socket}`
  }

  /** The environment of a user whose ssh has the user's key and knows the host, or lacks one of the two. */
  env(lacks: 'nothing' | 'host key' | 'user key' = 'nothing'): Record<string, string | undefined> {
    const folder = join(this.#folder, lacks.replace(' ', '-'))
    mkdirSync(folder, { recursive: true })
    const options = [
      `UserKnownHostsFile=${join(this.#folder, lacks === 'host key' ? 'unknown' : 'known')}`,
      'GlobalKnownHostsFile=/dev/null',
      `IdentityFile=${join(this.#folder, lacks === 'user key' ? 'stranger' : 'user')}`,
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
    ]
    const words = options.map((option) => `-o '${option}'`).join(' ')
    writeFileSync(join(folder, 'ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F none ${words} "$@"\n`)
    chmodSync(join(folder, 'ssh'), 0o755)
    return { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
  }

  /** The number of connections: an unused ssh would be one too many. */
  connections(): number {
    const found = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
    return found.filter((args) => /^\S*ssh /.test(args) && args.includes(` -p ${this.port} `)).length
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once('exit', resolve))
    if (this.#server.exitCode === null && this.#server.kill()) await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answering(): Promise<void> {
    for (let waited = 0; waited < START_LIMIT_MS && this.#server.exitCode === null; waited += POLL_MS) {
      if (await answers(this.port)) return
      await delay(POLL_MS)
    }
    throw new Error(`sshd did not start: ${this.#said}`)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })
