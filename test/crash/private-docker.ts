import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const START_LIMIT_MS = 60_000
const POLL_MS = 100

/**
 * An engine that may be killed: a dockerd with its own data, socket and, above all, its own network namespace, so that
 * the bridges and rules of the machine's engine are out of its reach. Needs root.
 */
export class PrivateDocker {
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'bl-dockerd-'))
  readonly #args: string[]
  /** Holds the namespace while no daemon runs in it. */
  readonly #holder: ChildProcess
  #daemon: ChildProcess | null = null

  private constructor(liveRestore: boolean) {
    const at = (name: string) => join(this.#folder, name)
    this.host = `unix://${at('docker.sock')}`
    this.#holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
    writeFileSync(at('daemon.json'), JSON.stringify({ 'live-restore': liveRestore }))
    const paths = [
      '--data-root',
      at('data'),
      '--exec-root',
      at('exec'),
      '--pidfile',
      at('pid'),
      '--config-file',
      at('daemon.json'),
    ]
    this.#args = ['-H', this.host, ...paths, '--bridge=none', '--iptables=false', '--ip6tables=false']
  }

  static async start(options: { liveRestore: boolean }): Promise<PrivateDocker> {
    const docker = new PrivateDocker(options.liveRestore)
    await once(docker.#holder, 'spawn')
    const own = readlinkSync('/proc/self/ns/net')
    while (readlinkSync(`/proc/${docker.#holder.pid}/ns/net`) === own) await delay(POLL_MS)
    await docker.begin()
    const images = execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}'], {
      encoding: 'utf8',
    }).split('\n')
    const needed = ['beadloom/base:', 'beadloom/runtime:'].flatMap(
      (name) => images.find((one) => one.startsWith(name)) ?? [],
    )
    execFileSync('sh', ['-c', `docker save ${needed.join(' ')} | docker -H ${docker.host} load`], { stdio: 'ignore' })
    return docker
  }

  async begin(): Promise<void> {
    const namespace = `--net=/proc/${this.#holder.pid}/ns/net`
    const log = join(this.#folder, 'log')
    // A namespace that is the machine's own would let the daemon rewrite its network: better none at all.
    const script = `[ "$(readlink /proc/self/ns/net)" != "$(readlink /proc/${process.pid}/ns/net)" ] || exit 9; exec dockerd "$@" >> ${log} 2>&1`
    this.#daemon = spawn('nsenter', [namespace, 'sh', '-c', script, 'sh', ...this.#args], { stdio: 'ignore' })
    for (let waited = 0; !this.answers(); waited += POLL_MS) {
      if (waited > START_LIMIT_MS || this.#daemon.exitCode !== null)
        throw new Error(
          `a private dockerd did not start: ${existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : ''}`,
        )
      await delay(POLL_MS)
    }
  }

  answers(): boolean {
    try {
      execFileSync('docker', ['-H', this.host, 'version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

  async kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const daemon = this.#daemon
    if (!daemon) return
    const gone = once(daemon, 'exit')
    daemon.kill(signal)
    await gone
    this.#daemon = null
  }

  /** With everything that it started and mounted. */
  async remove(): Promise<void> {
    if (!this.answers()) await this.begin()
    const left = execFileSync('docker', ['-H', this.host, 'ps', '-aq'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
    if (left.length > 0) execFileSync('docker', ['-H', this.host, 'rm', '-f', ...left], { stdio: 'ignore' })
    await this.kill('SIGTERM')
    this.#holder.kill('SIGKILL')
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
    for (const mount of mounts.filter((path) => path.startsWith(`${this.#folder}/`)).toReversed())
      execFileSync('umount', ['-l', mount])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
