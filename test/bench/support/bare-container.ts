import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/records/ids.ts'
import { containerConfig } from '@beadloom/server/src/container/container-config.ts'
import { DockerClient } from '@beadloom/server/src/container/docker-client.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import type Docker from 'dockerode'

/** Does only what running a container takes: create, attach, start, read. With the server's own HostConfig. */
export class BareDocker {
  readonly docker: Docker
  #size: Promise<{ NCPU: number; MemTotal: number }>
  #rounds = 0

  constructor(env: NodeJS.ProcessEnv = process.env) {
    this.docker = new DockerClient({ env, clock: systemClock }).docker
    this.#size = this.docker.info() as Promise<{ NCPU: number; MemTotal: number }>
  }

  /** Runs `command` to its end, tells every chunk of its output as it arrives, and removes the container. */
  async run(image: string, command: string[], hear: (chunk: Buffer) => void): Promise<void> {
    const { NCPU, MemTotal } = await this.#size
    const linkFolder = mkdtempSync(join(tmpdir(), 'bl-bare-'))
    const spec = {
      name: `beadloom-bench-${process.pid}-${++this.#rounds}`,
      image,
      labels: { execution: 'bench', kind: 'bench' },
      network: 'none' as const,
      linkFolder,
      magic: '0'.repeat(32),
      cpus: NCPU,
      memoryBytes: MemTotal,
      processes: 512,
    }
    const granted = { cpus: Math.min(4, NCPU), memoryBytes: Math.min(8 * 1024 ** 3, MemTotal), clamped: [] }
    const config = containerConfig(spec, granted, { instance: 'bench' as InstanceId, caBundle: null })
    const container = await this.docker.createContainer({ ...config, Entrypoint: command })
    try {
      const output = await container.attach({ stream: true, stdout: true, stderr: true, hijack: true })
      const ended = new Promise<void>((resolve, reject) => {
        output.on('data', hear)
        output.on('end', resolve)
        output.on('error', reject)
      })
      await container.start()
      await ended
      await container.wait()
    } finally {
      await container.remove({ force: true, v: true })
      rmSync(linkFolder, { recursive: true, force: true })
    }
  }

  /**
   * The memory of an execution's agent container, in millions of bytes; 0 while there is none. `''`: a container that
   * waits for an execution.
   */
  async memoryMB(execution: string): Promise<number> {
    const container = await this.#agentOf(execution)
    if (!container) return 0
    // It may end in between: then there are no figures, or no container.
    const stats = await container.stats({ stream: false, 'one-shot': true }).catch(() => null)
    const memory = stats?.memory_stats
    if (!memory?.stats) return 0
    // As `docker stats` counts: without the files that the kernel would drop at once.
    const { inactive_file: v2 = 0, total_inactive_file: v1 = v2 } = memory.stats as unknown as Record<string, number>
    return Math.max(0, (memory.usage ?? 0) - v1) / 1e6
  }

  /** The pid on this machine of the first process of an execution's agent container. Its network is entered by it. */
  async firstProcess(execution: string): Promise<number> {
    const pid = (await (await this.#agentOf(execution))?.inspect())?.State.Pid ?? 0
    if (pid === 0) throw new Error(`${execution} has no container that runs`)
    return pid
  }

  async #agentOf(execution: string): Promise<Docker.Container | null> {
    const filters = { label: [`beadloom.execution=${execution}`, 'beadloom.kind=work'] }
    const [found] = await this.docker.listContainers({ filters })
    return found ? this.docker.getContainer(found.Id) : null
  }

  /** The image that the server made for a project. */
  async projectImage(project: string): Promise<string> {
    const [image] = await this.#imagesOf(project)
    if (!image) throw new Error(`there is no image of the project ${project}`)
    return image
  }

  async removeImages(project: string): Promise<void> {
    for (const tag of await this.#imagesOf(project)) await this.docker.getImage(tag).remove({ force: true })
  }

  async #imagesOf(project: string): Promise<string[]> {
    const filters = { reference: [`beadloom/project-${project}`] }
    return (await this.docker.listImages({ filters })).flatMap(({ RepoTags }) => RepoTags ?? [])
  }
}
