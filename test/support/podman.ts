import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

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

/** Why there is none here that can be used; null when there is. */
export async function podmanIsMissing(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'rootful Podman wants root'
  for (const program of ['podman', 'runc'])
    try {
      await promisify(execFile)(program, ['--version'])
    } catch {
      return `there is no ${program}: apt-get install --no-install-recommends podman runc catatonit`
    }
  return null
}

/** A rootful Podman with its own storage and a socket that speaks Docker's API. */
export class Podman {
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'bl-podman-'))
  readonly #env: NodeJS.ProcessEnv
  readonly #service: ChildProcess

  private constructor() {
    const at = (name: string) => join(this.#folder, name)
    this.host = `unix://${at('podman.sock')}`
    writeFileSync(at('containers.conf'), CONTAINERS_CONF)
    const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${at('images')}"\nrunroot = "${at('run')}"\n`
    writeFileSync(at('storage.conf'), storage)
    mkdirSync(at('tmp'))
    this.#env = {
      ...process.env,
      CONTAINERS_CONF: at('containers.conf'),
      CONTAINERS_STORAGE_CONF: at('storage.conf'),
      TMPDIR: at('tmp'),
    }
    const log = openSync(at('log'), 'w')
    const args = ['system', 'service', '--time=0', this.host]
    this.#service = spawn('podman', args, { env: this.#env, stdio: ['ignore', log, log] })
  }

  /** It begins with the base image that Docker has, where Docker has one: to make it takes a minute. */
  static async start(): Promise<Podman> {
    const podman = new Podman()
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
    // What it has mounted is its own to give back.
    execFileSync('podman', ['system', 'reset', '--force'], { env: this.#env, stdio: 'ignore' })
    rmSync(this.#folder, { recursive: true, force: true })
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
