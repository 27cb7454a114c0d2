import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { asRootless, becomeRootless, endRootless, rootlessEnvironment } from './rootless.ts'

const START_LIMIT_MS = 60_000
const POLL_MS = 100

/** As Beadloom wants Podman: runc, limits that are no higher than its own, and Docker's meaning of short names. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=8192:8192", "nproc=32768:32768"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
compat_api_enforce_docker_hub = true
`

/** Every Podman of root has the same locks and the same record of ended containers, which the first to be reset removes. */
const ownState = (folder: string): string => `tmp_dir = "${folder}"\nlock_type = "file"\n`

/** Whose it is: of root, or of a user of its own that only it can see. */
export type PodmanKind = 'rootful' | 'rootless'

const programs: Record<PodmanKind, readonly (readonly [program: string, ...asked: string[]])[]> = {
  rootful: [
    ['podman', '--version'],
    ['runc', '--version'],
  ],
  rootless: [
    ['podman', '--version'],
    ['runc', '--version'],
    ['unshare', '--version'],
    ['sh', '-c', 'command -v newuidmap'],
  ],
}

/** Why there is none here that can be used; null when there is. */
export async function podmanIsMissing(kind: PodmanKind): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'a Podman of the tests is started by root, also a rootless one'
  for (const [program, ...asked] of programs[kind])
    try {
      await promisify(execFile)(program, asked)
    } catch {
      return `${[program, ...asked].join(' ')} fails: apt-get install --no-install-recommends podman runc catatonit uidmap`
    }
  return null
}

/** A Podman with its own storage and a socket that speaks Docker's API. */
export class Podman {
  readonly host: string
  readonly #kind: PodmanKind
  readonly #folder = mkdtempSync(join(tmpdir(), 'bl-podman-'))
  readonly #env: NodeJS.ProcessEnv
  readonly #service: ChildProcess

  private constructor(kind: PodmanKind) {
    const at = (name: string) => join(this.#folder, name)
    this.#kind = kind
    this.host = `unix://${at('podman.sock')}`
    writeFileSync(at('containers.conf'), CONTAINERS_CONF + (kind === 'rootful' ? ownState(at('state')) : ''))
    const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${at('images')}"\nrunroot = "${at('run')}"\nrootless_storage_path = "${at('images')}"\n`
    writeFileSync(at('storage.conf'), storage)
    mkdirSync(at('tmp'))
    chmodSync(this.#folder, 0o755)
    this.#env = {
      ...process.env,
      CONTAINERS_CONF: at('containers.conf'),
      CONTAINERS_STORAGE_CONF: at('storage.conf'),
      TMPDIR: at('tmp'),
    }
    if (kind === 'rootless') {
      becomeRootless(this.#folder)
      Object.assign(this.#env, rootlessEnvironment(this.#folder))
    }
    const log = openSync(at('log'), 'w')
    const [program, ...args] = this.#command('system', 'service', '--time=0', this.host)
    this.#service = spawn(program, args, { env: this.#env, stdio: ['ignore', log, log], detached: true })
  }

  /** It begins with the base image that Docker has, where Docker has one: to make it takes a minute. */
  static async start(kind: PodmanKind): Promise<Podman> {
    const podman = new Podman(kind)
    try {
      await podman.#answering()
      const base = ['images', '--quiet', '--filter', 'reference=beadloom/base', '--format', '{{.Repository}}:{{.Tag}}']
      const [found] = await promisify(execFile)('docker', base).then(
        ({ stdout }) => stdout.split('\n').filter(Boolean),
        () => [],
      )
      if (found)
        execFileSync('sh', ['-c', `docker save ${found} | podman --url ${podman.host} load`], { stdio: 'ignore' })
      return podman
    } catch (error) {
      await podman.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#service.once('exit', resolve))
    if (this.#service.exitCode === null && this.#service.kill()) await ended
    this.#killRest()
    // What it has mounted is its own to give back.
    const [program, ...args] = this.#command('system', 'reset', '--force')
    execFileSync(program, args, { env: this.#env, stdio: ['ignore', 'ignore', 'pipe'] }) // a failure says why
    if (this.#kind === 'rootless') endRootless(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** A rootless one is two processes, of which the second may outlive the first. */
  #killRest(): void {
    try {
      if (this.#service.pid !== undefined) process.kill(-this.#service.pid, 'SIGKILL')
    } catch {
      // both have ended
    }
  }

  #command(...args: string[]): [string, ...string[]] {
    return this.#kind === 'rootful' ? ['podman', ...args] : asRootless(this.#folder, ['podman', ...args])
  }

  async #answering(): Promise<void> {
    for (let waited = 0; waited < START_LIMIT_MS && this.#service.exitCode === null; waited += POLL_MS) {
      if (await answers(this.host.slice('unix://'.length))) return
      await delay(POLL_MS)
    }
    throw new Error(`Podman did not start: ${readFileSync(join(this.#folder, 'log'), 'utf8').slice(-2000)}`)
  }
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path }, () => {
      resolve(true)
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })
