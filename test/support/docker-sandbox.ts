import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type Docker from 'dockerode'
import { Orders } from '../../packages/agent/src/supervisor/testing/orders.ts'
import { containerConfig } from '../../apps/server/src/container/container-config.ts'
import { DockerClient } from '../../apps/server/src/container/docker-client.ts'
import type { DockerWorld } from '../../apps/server/src/container/testing/docker-world.ts'

const agent = join(import.meta.dirname, '..', '..', 'packages', 'agent')
const vite = join(import.meta.dirname, '..', '..', 'node_modules', 'vite', 'bin', 'vite.js')
/** A folder on the container's own disk, in its user's home. */
export const SPOOLS = '/home/agent/.sessions'

/** The tests' supervisor as one file, and process 1 beside it, in a folder that a container can mount. */
export async function buildSupervisor(world: DockerWorld): Promise<string> {
  const folder = join(world.folder, 'supervisor')
  const args = [vite, 'build', '--logLevel', 'warn', '--ssr', 'src/supervisor/testing/sandbox-main.ts', '--outDir', folder] // prettier-ignore
  await promisify(execFile)(process.execPath, args, { cwd: agent })
  await copyFile(join(agent, 'src', 'supervisor', 'process-one.sh'), join(folder, 'process-one.sh'))
  return folder
}

export type DockerSandboxOptions = {
  image: string
  /** The folder from `buildSupervisor`. */
  supervisor: string
  /** Replaces the image's own shell, which nobody may read. */
  shell?: string
  memoryBytes?: number
  processes?: number
  spoolBytes?: number
}

/** Starts a container with our settings and the tests' supervisor, which takes its orders in the folder `shared`. */
async function start(world: DockerWorld, options: DockerSandboxOptions, shared: string): Promise<Docker.Container> {
  const changes = { memoryBytes: options.memoryBytes ?? 512 * 1024 ** 2, processes: options.processes ?? 256 }
  const spec = await world.spec(options.image, '', { ...changes, linkFolder: options.supervisor })
  const config = containerConfig(spec, { cpus: 1, memoryBytes: spec.memoryBytes, clamped: [] }, world.options)
  const at = '/run/beadloom'
  const node = ['/opt/beadloom/bin/node', '--disable-sigusr1', `${at}/agent.mjs`]
  const args = [SPOOLS, '/orders/orders.sock', String(options.spoolBytes ?? 256 * 1024 ** 2)]
  const orders = { Type: 'bind', Source: shared, Target: '/orders' } as const
  const container = await new DockerClient(world.options).docker.createContainer({
    ...config,
    Entrypoint: [options.shell ?? '/opt/beadloom/bin/sh', `${at}/process-one.sh`, ...node, ...args],
    HostConfig: { ...config.HostConfig, Mounts: [...(config.HostConfig.Mounts ?? []), orders] },
  })
  await container.start()
  return container
}

/** A real container with our settings; its process 1 is the supervisor's. */
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
    const sandbox = new DockerSandbox(shared, await start(world, options, shared))
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

  /** Starts a command in it beside the supervisor; resolves with its pid inside. */
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
