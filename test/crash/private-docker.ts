import { execFile, execFileSync, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { forwarder } from '../support/forwarder.ts'

const START_LIMIT_MS = 60_000
const START_TRIES = 3
const POLL_MS = 100
/** The port in its own namespace. */
const PORT = 2376

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended
  }
}

/**
 * Holds the namespaces. If an engine must not see some folders, it gets its own mounts, with an empty folder over each;
 * its own data is mounted back in place.
 */
const HOLD = `set -e
own=$1; shift
if [ $# -gt 0 ]; then
  mount --bind "$own" /mnt
  for hidden; do [ ! -d "$hidden" ] || mount -t tmpfs hidden "$hidden"; done
  mkdir -p "$own"
  mount --bind /mnt "$own"
  umount /mnt
fi
echo held
exec sleep infinity`

/**
 * `data`: its folder of images and containers, if not beside the rest. `certificates`: a folder with ca.pem, cert.pem
 * and key.pem; it then listens on TCP too (`port`). `images` false: it begins with none, instead of those from which
 * every container starts. `runtimes`: programs that run containers, by names of the test. `hides`: folders that are
 * empty for it and its containers, as if it were on another machine.
 */
export type PrivateOptions = {
  liveRestore: boolean
  data?: string
  certificates?: string
  images?: boolean
  runtimes?: Readonly<Record<string, string>>
  hides?: readonly string[]
}

/**
 * An engine that may be killed: a dockerd with its own data, socket and, above all, its own network namespace, so that
 * the bridges and rules of the machine's engine are out of its reach. Needs root.
 */
export class PrivateDocker {
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'bl-dockerd-'))
  readonly #args: string[]
  /** The folder of its images and containers. */
  readonly data: string
  /** Holds its namespaces while no daemon runs in them. */
  readonly #holder: ChildProcessByStdio<null, Readable, null>
  /** Whether it has mounts of its own. */
  readonly #isApart: boolean
  #daemon: ChildProcess | null = null
  #forwarder: ChildProcess | null = null
  #server: Server | null = null

  #runtimes: Readonly<Record<string, string>>

  private constructor({ liveRestore, data, certificates, runtimes = {}, hides = [] }: PrivateOptions) {
    const at = (name: string) => join(this.#folder, name)
    this.data = data ?? at('data')
    this.host = `unix://${at('docker.sock')}`
    this.#isApart = hides.length > 0
    this.#runtimes = runtimes
    const apart = this.#isApart ? ['--net', '--mount', '--propagation', 'private'] : ['--net']
    this.#holder = spawn('unshare', [...apart, 'sh', '-c', HOLD, 'sh', this.#folder, ...hides], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#configure(liveRestore)
    if (certificates !== undefined) cpSync(certificates, at('certificates'), { recursive: true })
    const paths = [
      '--data-root',
      this.data,
      '--exec-root',
      at('exec'),
      '--pidfile',
      at('pid'),
      '--config-file',
      at('daemon.json'),
    ]
    const pem = (name: string) => join(at('certificates'), `${name}.pem`)
    const tls = ['--tlsverify', '--tlscacert', pem('ca'), '--tlscert', pem('cert'), '--tlskey', pem('key')]
    const tcp = certificates === undefined ? [] : ['-H', `tcp://127.0.0.1:${PORT}`, ...tls]
    this.#args = ['-H', this.host, ...tcp, ...paths, '--bridge=none', '--iptables=false', '--ip6tables=false']
  }

  static async start(options: PrivateOptions): Promise<PrivateDocker> {
    const docker = new PrivateDocker(options)
    await docker.#held()
    if (options.certificates !== undefined) await docker.#listen()
    await docker.begin()
    if (options.images === false) return docker
    const images = execFileSync('docker', ['images', '--format', '{{.Repository}}:{{.Tag}}'], {
      encoding: 'utf8',
    }).split('\n')
    // All bases: the certificates of a server's environment decide which one it needs.
    const bases = images.filter((one) => one.startsWith('beadloom/base:'))
    const runtime = images.find((one) => one.startsWith('beadloom/runtime:'))
    const needed = runtime ? [...bases, runtime] : bases
    execFileSync('sh', ['-c', `docker save ${needed.join(' ')} | docker -H ${docker.host} load`], { stdio: 'ignore' })
    return docker
  }

  /** Resolves once its namespaces exist; its daemon and its certificates' listener enter them. */
  async #held(): Promise<void> {
    await once(this.#holder, 'spawn')
    await once(this.#holder.stdout, 'readable')
    const said = String(this.#holder.stdout.read() ?? '')
    if (said !== 'held\n') throw new Error('there are no namespaces for a private dockerd: unshare or mount failed')
  }

  #namespace(kind: 'net' | 'mnt'): string {
    return `/proc/${this.#holder.pid}/ns/${kind}`
  }

  /** Sets up its namespace's loopback, and forwards a port of this machine to it. */
  async #listen(): Promise<void> {
    const namespace = `--net=${this.#namespace('net')}`
    execFileSync('nsenter', [namespace, 'ip', 'link', 'set', 'lo', 'up'])
    const inside = join(this.#folder, 'tcp.sock')
    const program = join(import.meta.dirname, '..', 'support', 'forwarder.ts')
    const inNamespace = spawn('nsenter', [namespace, process.execPath, program, inside, String(PORT)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#forwarder = inNamespace
    await once(inNamespace.stdout, 'data')
    const server = forwarder({ path: inside })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  /** The port of this machine's loopback on which it listens with TLS. */
  get port(): number {
    const address = this.#server?.address()
    if (!address || typeof address === 'string') throw new Error('it was started without certificates')
    return address.port
  }

  /** Starts the daemon. If it ends while it starts, it is started again, as a supervisor would. */
  async begin(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const daemon = this.#spawn()
      this.#daemon = daemon
      for (let waited = 0; daemon.exitCode === null && waited < START_LIMIT_MS; waited += POLL_MS) {
        if (await this.#isUp()) return
        await delay(POLL_MS)
      }
      const log = join(this.#folder, 'log')
      if (tries === START_TRIES || daemon.exitCode === null)
        throw new Error(
          `a private dockerd did not start: ${existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : ''}`,
        )
    }
  }

  #spawn(): ChildProcess {
    const namespaces = [`--net=${this.#namespace('net')}`]
    if (this.#isApart) namespaces.push(`--mount=${this.#namespace('mnt')}`)
    const log = join(this.#folder, 'log')
    // In the machine's own namespace, the daemon would rewrite its network: rather start none.
    const script = `[ "$(readlink /proc/self/ns/net)" != "$(readlink /proc/${process.pid}/ns/net)" ] || exit 9; exec dockerd "$@" >> ${log} 2>&1`
    return spawn('nsenter', [...namespaces, 'sh', '-c', script, 'sh', ...this.#args], { stdio: 'ignore' })
  }

  /** Like `answers`, but asynchronous. */
  #isUp(): Promise<boolean> {
    return new Promise((resolve) =>
      execFile('docker', ['-H', this.host, 'version'], (error) => resolve(error === null)),
    )
  }

  answers(): boolean {
    try {
      execFileSync('docker', ['-H', this.host, 'version'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

  /** Adds a program that runs containers, while the engine runs. */
  async addRuntime(name: string, path: string): Promise<void> {
    this.#runtimes = { ...this.#runtimes, [name]: path }
    this.#configure(false)
    this.#daemon?.kill('SIGHUP')
    const asked = ['-H', this.host, 'info', '--format', '{{json .Runtimes}}']
    while (!execFileSync('docker', asked, { encoding: 'utf8' }).includes(`"${name}"`)) await delay(POLL_MS)
  }

  /** Takes effect at once, also for running containers. */
  async liveRestore(on: boolean): Promise<void> {
    this.#configure(on)
    this.#daemon?.kill('SIGHUP')
    const asked = ['-H', this.host, 'info', '--format', '{{.LiveRestoreEnabled}}']
    while (
      execFileSync('docker', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() !== String(on)
    )
      await delay(POLL_MS)
  }

  #configure(liveRestore: boolean): void {
    const named = Object.entries(this.#runtimes).map(([name, path]) => [name, { path }])
    const settings = { 'live-restore': liveRestore, runtimes: Object.fromEntries(named) }
    writeFileSync(join(this.#folder, 'daemon.json'), JSON.stringify(settings))
  }

  async kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const daemon = this.#daemon
    if (!daemon) return
    const gone = once(daemon, 'exit')
    daemon.kill(signal)
    await gone
    this.#daemon = null
    await this.#containerdGone()
  }

  /**
   * Waits until containerd is gone. It dies a moment after its dockerd, and the next dockerd would take it for a live
   * one. Also removes both pid files: their numbers soon belong to other processes, and a daemon that finds one alive
   * does not start.
   */
  async #containerdGone(): Promise<void> {
    const file = join(this.#folder, 'exec', 'containerd', 'containerd.pid')
    const pid = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    const isLeft = () => pid !== '' && commandOf(pid).includes(`${this.#folder}/`)
    for (let waited = 0; isLeft() && waited < START_LIMIT_MS; waited += POLL_MS) await delay(POLL_MS)
    for (const left of [file, join(this.#folder, 'pid')]) rmSync(left, { force: true })
  }

  /** Removes it with everything that it started and mounted. */
  async remove(): Promise<void> {
    if (!this.answers()) await this.begin()
    const left = execFileSync('docker', ['-H', this.host, 'ps', '-aq'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
    if (left.length > 0) execFileSync('docker', ['-H', this.host, 'rm', '-f', ...left], { stdio: 'ignore' })
    await this.kill('SIGTERM')
    this.#server?.close()
    this.#forwarder?.kill('SIGKILL')
    this.#holder.kill('SIGKILL')
    // Leftovers of a killed daemon: shims of containers that its successor never knew.
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      if (commandOf(pid).includes(`${this.#folder}/`)) process.kill(Number(pid), 'SIGKILL')
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '')
    const its = (path: string) => path.startsWith(`${this.#folder}/`) || path.startsWith(`${this.data}/`)
    for (const mount of mounts.filter(its).toReversed()) execFileSync('umount', ['-l', mount])
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
