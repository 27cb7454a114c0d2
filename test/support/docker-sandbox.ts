import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Duplex } from 'node:stream'
import { promisify } from 'node:util'
import type Docker from 'dockerode'
import { Orders } from '../../packages/agent/src/supervisor/testing/orders.ts'
import { containerConfig } from '../../apps/server/src/container/container-config.ts'
import { DockerClient } from '../../apps/server/src/container/docker-client.ts'
import type { Carrier } from '../../apps/server/src/link/carried-link.ts'
import type { DockerWorld } from '../../apps/server/src/container/testing/docker-world.ts'

const agent = join(import.meta.dirname, '..', '..', 'packages', 'agent')
const vite = join(import.meta.dirname, '..', '..', 'node_modules', 'vite', 'bin', 'vite.js')
/** On the container's own disk, in the folder of its user. */
export const SPOOLS = '/home/agent/.sessions'

/** A supervisor as one file, and process 1 beside it, in a folder that a container can mount. */
export async function buildSupervisor(world: DockerWorld, entry: 'main' | 'testing/sandbox-main'): Promise<string> {
  const folder = join(world.folder, entry.replace('/', '-'))
  const args = [vite, 'build', '--logLevel', 'warn', '--ssr', `src/supervisor/${entry}.ts`, '--outDir', folder]
  await promisify(execFile)(process.execPath, args, { cwd: agent })
  await copyFile(join(agent, 'src', 'supervisor', 'process-one.sh'), join(folder, 'process-one.sh'))
  return folder
}

/** An image whose process 1 and Node may be run and not be read, so that the kernel lets nobody look into them. */
export async function unreadableImage(world: DockerWorld, image: string): Promise<string> {
  const { docker } = new DockerClient(world.options)
  const line = 'cp /bin/sh /opt/beadloom/bin/one && chmod 711 /opt/beadloom/bin/one /opt/beadloom/bin/node'
  const container = await docker.createContainer({ Image: image, User: '0:0', Entrypoint: ['/bin/sh', '-c', line] })
  try {
    await container.start()
    const { StatusCode } = (await container.wait()) as { StatusCode: number }
    if (StatusCode !== 0) throw new Error(`the image could not be made: exit code ${StatusCode}`)
    const { Id } = (await container.commit({ changes: 'LABEL beadloom.test=supervisor' })) as { Id: string }
    return Id
  } finally {
    await container.remove({ force: true })
  }
}

export type DockerSandboxOptions = {
  image: string
  /** From `buildSupervisor`. */
  supervisor: string
  shell?: string
  memoryBytes?: number
  processes?: number
  spoolBytes?: number
}

/** Starts a container with our settings in which process 1 is the supervisor's. */
export async function startSupervised(
  world: DockerWorld,
  options: DockerSandboxOptions,
  args: string[],
  mounts: Docker.MountSettings[] = [],
): Promise<Docker.Container> {
  const changes = { memoryBytes: options.memoryBytes ?? 512 * 1024 ** 2, processes: options.processes ?? 256 }
  const spec = await world.spec(options.image, '', { ...changes, linkFolder: options.supervisor })
  const config = containerConfig(spec, { cpus: 1, memoryBytes: spec.memoryBytes, clamped: [] }, world.options)
  const at = '/run/beadloom'
  const node = ['/opt/beadloom/bin/node', '--disable-sigusr1', `${at}/agent.mjs`]
  const container = await new DockerClient(world.options).docker.createContainer({
    ...config,
    Entrypoint: [options.shell ?? '/bin/sh', `${at}/process-one.sh`, ...node, ...args],
    HostConfig: {
      ...config.HostConfig,
      Init: false, // process 1 reaps, and cannot be killed, only where it is the supervisor's own
      Mounts: [...(config.HostConfig.Mounts ?? []), ...mounts],
    },
  })
  await container.start()
  return container
}

/**
 * A process in the container that is nothing but a way to its supervisor (`packages/agent/src/supervisor/carriers.ts`).
 * It ends at once where the supervisor is not ready yet.
 */
export async function execCarrier(container: Docker.Container, folder: string): Promise<Carrier> {
  const line = `: > ${folder}/carriers/$$ && exec sleep 2147483647`
  const exec = await container.exec({ Cmd: ['sh', '-c', line], AttachStdin: true, AttachStdout: true })
  const stream = await exec.start({ hijack: true, stdin: true })
  const input = new PassThrough()
  ;(container.modem as { demuxStream: (from: Duplex, out: PassThrough, err: PassThrough) => void }).demuxStream(stream, input, new PassThrough()) // prettier-ignore
  stream.on('error', () => {}).on('close', () => input.end())
  return { input, output: stream }
}

/** A real container with the settings of ours, in which process 1 is the supervisor's. */
export class DockerSandbox extends Orders {
  readonly container: Docker.Container
  readonly #shared: string
  #execs = 0

  private constructor(shared: string, container: Docker.Container) {
    super(join(shared, 'orders.sock'))
    this.#shared = shared
    this.container = container
  }

  static async open(world: DockerWorld, options: DockerSandboxOptions): Promise<DockerSandbox> {
    const shared = await mkdtemp(join(world.folder, 'orders-'))
    await chmod(shared, 0o777)
    const args = [SPOOLS, '/orders/orders.sock', String(options.spoolBytes ?? 256 * 1024 ** 2)]
    const mount = { Type: 'bind', Source: shared, Target: '/orders' } as const
    const sandbox = new DockerSandbox(shared, await startSupervised(world, options, args, [mount]))
    try {
      await sandbox.ready()
      return sandbox
    } catch (error) {
      await sandbox[Symbol.asyncDispose]()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.container.remove({ force: true, v: true })
  }

  /** Something that the engine starts in it beside the supervisor; resolves with its pid in there. */
  async exec(line: string): Promise<number> {
    const name = `started-${++this.#execs}`
    const exec = await this.container.exec({ Cmd: ['sh', '-c', `echo $$ > /orders/.${name}; mv /orders/.${name} /orders/${name}; ${line}`] }) // prettier-ignore
    await exec.start({ Detach: true })
    for (;;) {
      const pid = await readFile(join(this.#shared, name), 'utf8').catch(() => null)
      if (pid !== null) return Number(pid)
      await new Promise(setImmediate)
    }
  }

  /** A folder of it as a tar stream, whether it runs or not. */
  async archive(path: string): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of await this.container.getArchive({ path })) parts.push(part as Buffer)
    return Buffer.concat(parts)
  }
}
