import { execFile, execFileSync, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import type { ProcessContainer } from './process-engine/process-container.ts'
import type { ProcessHost } from './process-engine/process-host.ts'

/** Everything that somebody else on the machine can do to containers, on any engine. */
export type Containers = {
  /** Containers of an execution, in every state; `kind` as in its sessions. */
  of: (execution: string, kind?: string) => Promise<string[]>
  /** The number of containers made for an execution so far, including removed ones. */
  made: (execution: string, kind: string) => Promise<number>
  /** Puts a file into a running container. */
  write: (container: string, path: string, text?: string) => Promise<void>
  kill: (container: string) => Promise<void>
  /** Sends SIGTERM, and after ten seconds SIGKILL. */
  stop: (container: string) => Promise<void>
  remove: (...containers: string[]) => Promise<void>
  /** Its id and the time of its last start: a new start changes it. */
  startOf: (container: string) => Promise<string>
  /** Removes the images of a project's containers. */
  removeImages: (project: string) => Promise<void>
  /** Removes everything that the servers of this instance left; they must be gone for good. */
  removeAll: (instance: string) => Promise<void>
}

export const inDocker: Containers = {
  of: async (execution, kind) => {
    const labels = [`execution=${execution}`, ...(kind === undefined ? [] : [`kind=${kind}`])]
    const filters = labels.flatMap((label) => ['--filter', `label=beadloom.${label}`])
    return words(await docker(['ps', '--all', '--quiet', '--no-trunc', ...filters]))
  },
  made: async (execution, kind) => {
    const labels = [`execution=${execution}`, `kind=${kind}`].map((one) => `--filter=label=beadloom.${one}`)
    const until = Math.floor(Date.now() / 1000) + 1
    return words(await docker(['events', '--since=1h', `--until=${until}`, '--filter=event=create', ...labels])).length
  },
  write: (container, path, text = '') =>
    // Moved into place, so a reader finds the whole file.
    piped(['exec', '-i', container, 'sh', '-c', 'cat > "$0.part" && mv "$0.part" "$0"', path], text),
  kill: async (container) => void (await docker(['kill', container])),
  stop: async (container) => void (await docker(['stop', container])),
  remove: async (...containers) => void (await docker(['rm', '--force', ...containers])),
  startOf: (container) => docker(['inspect', '--format', '{{.Id}} {{.State.StartedAt}}', container]),
  removeImages: async (project) => {
    const images = words(await docker(['images', '--quiet', `beadloom/project-${project}`]))
    if (images.length > 0) await docker(['rmi', '--force', ...images])
  },
  removeAll: async (instance) => removeContainers(instance),
}

export const onHost = (host: ProcessHost): Containers => {
  const found = (container: string) => {
    const it = host.find(container)
    if (!it) throw new Error(`there is no container ${container}`)
    return it
  }
  const are = (execution: string, kind?: string) => (container: ProcessContainer) => {
    const { labels } = container.made.spec
    return labels.execution === execution && (kind === undefined || labels.kind === kind)
  }
  return {
    of: async (execution, kind) =>
      [...host.containers.values()].filter(are(execution, kind)).map(({ made }) => made.id),
    made: async (execution, kind) => [...host.containers.values(), ...host.removed].filter(are(execution, kind)).length,
    write: async (container, path, text = '') => host.write(container, path, text),
    kill: (container) => found(container).kill(),
    stop: (container) => found(container).stop(10_000),
    remove: async (...containers) => {
      for (const container of containers) await host.remove(found(container))
    },
    startOf: async (container) => `${container} ${JSON.stringify(found(container).state())}`,
    removeImages: async (project) => host.forgetImages(project),
    removeAll: async (instance) => {
      for (const container of host.containers.values())
        if (container.made.instance === instance) await host.remove(container)
    },
  }
}

/**
 * Removes what a stopped server left: it leaves running containers to the next one, and a failed test may have left an
 * agent that never ends. Call it when the server of this instance is gone for good.
 */
export function removeContainers(instance: string): void {
  const label = `label=beadloom.instance=${instance}`
  const left = words(execFileSync('docker', ['ps', '-aq', '--filter', label], { encoding: 'utf8' }))
  if (left.length > 0) execFileSync('docker', ['rm', '-f', ...left], { stdio: 'ignore' })
}

/** The container in which an execution's agent runs now, or null. */
export async function workContainer(execution: string): Promise<string | null> {
  const filters = [`label=beadloom.execution=${execution}`, 'label=beadloom.kind=work'].flatMap((one) => [
    '--filter',
    one,
  ])
  return (await docker(['ps', '-q', ...filters])) || null
}

/** Containers in which an agent of the execution runs a command with these words now. */
export async function containersRunning(execution: string, words: string): Promise<string[]> {
  const found = await Promise.all(
    (await inDocker.of(execution, 'work')).map(async (container) => {
      // It may end in between.
      const running = await docker(['top', container, '-o', 'pid,args']).catch(() => '')
      return running.includes(words) ? [container] : []
    }),
  )
  return found.flat()
}

/** The command lines that run in its container; empty as long as there is none. */
export async function processesOf(execution: string): Promise<string> {
  const container = await workContainer(execution)
  if (container === null) return ''
  return docker(['top', container, '-o', 'pid,args']).catch(async (error: unknown) => {
    if ((await workContainer(execution)) === container) throw error
    return '' // it ended in between
  })
}

const words = (text: string): string[] => text.split('\n').filter(Boolean)

/** Asynchronous: the server may be in this process, and would block meanwhile. */
const docker = async (args: string[]): Promise<string> =>
  (await promisify(execFile)('docker', args, { maxBuffer: 2 ** 28 })).stdout.trim()

function piped(args: string[], text: string): Promise<void> {
  const child = spawn('docker', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.end(text)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`docker ${args[0]} ended with ${code}`))))
  })
}
