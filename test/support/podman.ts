import { execFile, spawn, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { asRootless, becomeRootless, endRootless, rootlessEnvironment } from './rootless.ts'

const START_LIMIT_MS = 60_000
const POLL_MS = 100
/** Podman refuses a longer path for the state of running containers, and reports it where nobody sees it. */
const LONGEST_RUNROOT = 50

/**
 * Podman's settings as Beadloom wants them: runc, limits no higher than its own, and Docker's meaning of short names.
 */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=8192:8192", "nproc=32768:32768"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
compat_api_enforce_docker_hub = true
`

/** Own state: otherwise every Podman of root shares locks and the record of ended containers, which a reset removes. */
const ownState = (folder: string): string => `tmp_dir = "${folder}"\nlock_type = "file"\n`

/** The owner: root, or a user that only this Podman sees. */
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

/** Why Podman cannot be used here; null if it can. */
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

const PREFIX = 'bl-podman-'
/** A file in its folder with the pid of the tests' process. */
const OWNER = 'owner'

/** A Podman with its own storage and a socket that speaks Docker's API. */
export class Podman {
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), PREFIX))
  readonly #service: ChildProcess

  private constructor(kind: PodmanKind) {
    const at = (name: string) => join(this.#folder, name)
    this.host = `unix://${at('podman.sock')}`
    writeFileSync(at(OWNER), String(process.pid))
    writeFileSync(at('containers.conf'), CONTAINERS_CONF + (kind === 'rootful' ? ownState(at('state')) : ''))
    const storage = `[storage]\ndriver = "overlay"\ngraphroot = "${at('images')}"\nrunroot = "${at('run')}"\nrootless_storage_path = "${at('images')}"\n`
    writeFileSync(at('storage.conf'), storage)
    mkdirSync(at('tmp'))
    chmodSync(this.#folder, 0o755)
    if (kind === 'rootless') {
      if (runrootOf(this.#folder).length > LONGEST_RUNROOT)
        throw new Error(
          `a rootless Podman needs a shorter folder for temporary files than ${tmpdir()}: set TMPDIR=/tmp`,
        )
      becomeRootless(this.#folder)
    }
    const log = openSync(at('log'), 'w')
    const [program, ...args] = commandIn(this.#folder, 'system', 'service', '--time=0', this.host)
    const env = environmentIn(this.#folder)
    this.#service = spawn(program, args, { env, stdio: ['ignore', log, log], detached: true })
  }

  /**
   * Starts it with Docker's base image, if Docker has one: making it takes a minute.
   *
   * @param say gets a line for everything that takes a while
   */
  static async start(kind: PodmanKind, say: (line: string) => void): Promise<Podman> {
    for (const folder of abandoned()) {
      say(`removing what an interrupted run of these tests has left in ${folder}`)
      await remove(folder)
    }
    say('starting')
    const podman = new Podman(kind)
    try {
      await podman.#answering()
      const base = ['images', '--quiet', '--filter', 'reference=beadloom/base', '--format', '{{.Repository}}:{{.Tag}}']
      const [found] = await promisify(execFile)('docker', base).then(
        ({ stdout }) => stdout.split('\n').filter(Boolean),
        () => [],
      )
      if (!found) return podman
      say(`bringing it the base image that Docker has (${found})`)
      await promisify(execFile)('sh', ['-c', `docker save ${found} | podman --url ${podman.host} load`])
      return podman
    } catch (error) {
      await podman.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#service.once('exit', resolve))
    if (this.#service.exitCode === null && this.#service.kill()) await ended
    await remove(this.#folder)
  }

  async #answering(): Promise<void> {
    for (let waited = 0; waited < START_LIMIT_MS && this.#service.exitCode === null; waited += POLL_MS) {
      if (await answers(this.host.slice('unix://'.length))) return
      await delay(POLL_MS)
    }
    throw new Error(`Podman did not start: ${readFileSync(join(this.#folder, 'log'), 'utf8').slice(-2000)}`)
  }
}

/** The path for a rootless Podman. */
const runrootOf = (folder: string): string => join(rootlessEnvironment(folder).XDG_RUNTIME_DIR, 'containers')

const isRootless = (folder: string): boolean => existsSync(join(folder, 'etc'))

const commandIn = (folder: string, ...args: string[]): [string, ...string[]] =>
  isRootless(folder) ? asRootless(folder, ['podman', ...args]) : ['podman', ...args]

const environmentIn = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  CONTAINERS_CONF: join(folder, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
  TMPDIR: join(folder, 'tmp'),
  ...(isRootless(folder) && rootlessEnvironment(folder)),
})

/** Folders of dead processes: a Podman, with its mounts, outlives the process that started it. */
const abandoned = (): string[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter((folder) => !existsSync(join(folder, OWNER)) || !isAlive(readFileSync(join(folder, OWNER), 'utf8')))

const isAlive = (pid: string): boolean => existsSync(`/proc/${pid.trim()}`)

/** Removes a service that still runs, its containers, and everything they kept. */
async function remove(folder: string): Promise<void> {
  // A rootless service is two processes, and the second may outlive the first.
  killThose(`unix://${join(folder, 'podman.sock')}`)
  // Podman itself unmounts its mounts.
  const [program, ...args] = commandIn(folder, 'system', 'reset', '--force')
  await promisify(execFile)(program, args, { env: environmentIn(folder) }) // a failure says why
  if (isRootless(folder)) endRootless(folder)
  killThose(`${folder}/`) // a process that held an exec waits five minutes before it cleans up
  rmSync(folder, { recursive: true, force: true })
}

/** Kills processes whose command line has this text. */
function killThose(text: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended
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
