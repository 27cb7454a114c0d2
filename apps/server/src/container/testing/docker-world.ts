import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseInstanceId } from '@beadloom/core/records/ids.ts'
import type { ContainerSpec, ImageId } from '../containers.ts'
import type { Exit } from '../../ports/sandbox.ts'
import { systemClock } from '../../process/clock.ts'
import { DockerClient } from '../docker-client.ts'
import { DockerContainers } from '../docker-containers.ts'
import type { DockerEngineOptions } from '../docker-options.ts'
import { readHostEnvironment } from '../host-environment.ts'
import { findNodeBinary } from '../node-binary.ts'

export const dockerFolder = fileURLToPath(new URL('../../../../../docker', import.meta.url))
export const never = new AbortController().signal

/** Replaces the supervisor: it runs the program that the test put into the link's folder. */
const SUPERVISOR = "await import('/run/beadloom/program.mjs')\n"
/** Makes the container's output the program's own. */
const PROCESS_ONE = 'exec "$@"\n'

export type Env = Record<string, string | undefined>

/** Tells when there is no Docker; with `REQUIRE_ALL=1` that is a failure instead of a skip. */
export async function dockerIsHere(env: Env): Promise<boolean> {
  const world = await DockerWorld.open(env)
  const health = await world.engine.health()
  await world.close()
  if (health.ok) return true
  if (env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1, and there is no Docker: ${health.text}`)
  console.warn(`SKIPPED: tests on real Docker. ${health.text}`)
  return false
}

/**
 * An engine with an instance id of its own: only this test's containers are seen, and removed at the end.
 */
export class DockerWorld {
  readonly engine: DockerContainers
  readonly folder: string
  readonly options: DockerEngineOptions
  #containers = 0

  private constructor(options: DockerEngineOptions, folder: string) {
    this.options = options
    this.engine = new DockerContainers(options)
    this.folder = folder
  }

  static async open(env: Env, changes: Partial<DockerEngineOptions> = {}): Promise<DockerWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'bl-ct-'))
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'supervisor'))
    await writeFile(join(folder, 'supervisor', 'supervisor.mjs'), SUPERVISOR)
    await writeFile(join(folder, 'supervisor', 'process-one.sh'), PROCESS_ONE)
    await mkdir(join(folder, 'agent'))
    await writeFile(join(folder, 'agent', 'agent.mjs'), '')
    const { caBundle, proxy } = await readHostEnvironment(env)
    const random = folder
      .slice(-6)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '0')
    const options: DockerEngineOptions = {
      env,
      instance: parseInstanceId(`in-tests0${random}`.slice(0, 15)),
      dockerFolder,
      agentFolder: join(folder, 'agent'),
      supervisorFolder: join(folder, 'supervisor'),
      nodeBinary: await findNodeBinary(process),
      caBundle,
      proxy,
      clock: systemClock,
      ...changes,
    }
    try {
      return new DockerWorld(options, folder)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  runtimeImage(): Promise<ImageId> {
    return this.engine.runtimeImage({ from: 'default' }, () => {}, never)
  }

  /** Creates a container that will run `program` (a JavaScript module). */
  async create(
    image: ImageId,
    program: string,
    changes: Partial<ContainerSpec> = {},
  ): Promise<{ id: string; clamped: string[] }> {
    return this.engine.create(await this.spec(image, program, changes))
  }

  async spec(image: ImageId, program: string, changes: Partial<ContainerSpec> = {}): Promise<ContainerSpec> {
    const name = `${this.options.instance}-${++this.#containers}`
    const linkFolder = await mkdtemp(join(this.folder, 'link-'))
    await chmod(linkFolder, 0o755)
    await writeFile(join(linkFolder, 'program.mjs'), program)
    const labels = { execution: 'ex-0123456789', kind: 'work' }
    const limits = { cpus: 1, memoryBytes: 512 * 1024 ** 2, processes: 64 }
    return { name, image, labels, network: 'none', linkFolder, magic: '0'.repeat(32), ...limits, ...changes }
  }

  /** Attaches, starts, and waits for the exit. */
  async run(container: string): Promise<{ stdout: Buffer; stderr: Buffer; exit: Exit }> {
    const options = { stream: true, stdout: true, stderr: true, stdin: false, hijack: true }
    const { docker } = this.#client()
    const attached = await docker.getContainer(container).attach(options)
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    docker.modem.demuxStream(attached, stdout, stderr)
    attached.once('end', () => [stdout, stderr].forEach((stream) => stream.end()))
    const collected = Promise.all([stdout, stderr].map(buffer))
    await this.engine.start(container)
    const exit = await this.engine.waitForExit(container, never)
    const [out, error] = await collected
    return { stdout: out!, stderr: error!, exit }
  }

  async imageConfig(tag: string): Promise<{ labels: Record<string, string>; env: string[] }> {
    const { Config } = await this.#client().docker.getImage(tag).inspect()
    return { labels: Config.Labels, env: Config.Env }
  }

  async removeImage(tag: string): Promise<void> {
    await this.#client().docker.getImage(tag).remove({ force: true })
  }

  /** Also removes remains of failed builds. In rounds, because an image cannot go before those built on it. */
  async removeImagesWith(label: string): Promise<void> {
    const { docker } = this.#client()
    let left = Infinity
    while (true) {
      const found = await docker.listImages({ all: true, filters: { label: [label] } })
      if (found.length === 0 || found.length >= left) return
      left = found.length
      for (const { Id } of found.toSorted((a, b) => b.Created - a.Created)) {
        await docker
          .getImage(Id)
          .remove({ force: true })
          .catch(() => {})
      }
    }
  }

  #client(): DockerClient {
    return new DockerClient(this.options)
  }

  async close(): Promise<void> {
    const left = await this.engine.list().catch(() => [])
    for (const { id } of left) await this.engine.remove(id)
    await rm(this.folder, { recursive: true, force: true })
  }
}
