import { execFile } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Stream } from './notebook-line.ts'

const run = promisify(execFile)

type Reading = {
  execution: string
  container: string
  notes: Record<Stream, Buffer[]>
  sizes: Record<Stream, number>
}
/** A start of an agent, and its lines in the workspace, as seen on the engine's disk. */
export type Seen = { start: string; execution: string; container: string; out: Buffer; err: Buffer }

const STREAMS: Stream[] = ['out', 'err']

/**
 * Sees what agents have written, without asking anyone: it reads their workspaces on the engine's disk. Nothing that it
 * has seen may ever get lost. Needs root, and an engine with overlay2.
 */
export class Witness {
  readonly #docker: string[]
  readonly #instance: string
  /** Execution and layer of each container. */
  readonly #containers = new Map<string, { execution: string; layer: string }>()
  readonly #notes = new Map<string, Reading>()
  /** Containers in whose workspace an agent has written. */
  readonly used = new Set<string>()
  /** Executions with two agents in one list of the engine, and the containers of both. */
  readonly pairs = new Map<string, string>()
  /** Starts that were taken. Later workspaces begin with them. */
  readonly #taken = new Set<string>()

  constructor(host: string | undefined, instance: string) {
    this.#docker = host === undefined ? [] : ['-H', host]
    this.#instance = instance
  }

  /** Containers with a running agent, and their executions. Throws while the engine is away. */
  async running(): Promise<{ container: string; execution: string }[]> {
    const filters = [`label=beadloom.instance=${this.#instance}`, 'label=beadloom.kind=work']
    const format = '{{.ID}} {{.Label "beadloom.execution"}}'
    const args = ['ps', '--no-trunc', ...filters.flatMap((one) => ['--filter', one]), '--format', format]
    const { stdout } = await run('docker', [...this.#docker, ...args])
    const found = stdout.split('\n').flatMap((line) => {
      const [container, execution] = line.split(' ')
      return container && execution ? [{ container, execution }] : []
    })
    for (const [execution, its] of Map.groupBy(found, (one) => one.execution))
      if (its.length > 1)
        this.pairs.set(
          execution,
          `the engine listed ${its.map(({ container }) => container.slice(0, 6)).join(' and ')}`,
        )
    return found
  }

  /** Continues to read every workspace; while the engine is away, the known ones. */
  async look(): Promise<void> {
    for (const { container, execution } of await this.running().catch(() => [])) {
      if (this.#containers.has(container)) continue
      const args = ['inspect', '--format', '{{.GraphDriver.Data.UpperDir}}', container]
      const layer = await run('docker', [...this.#docker, ...args]).then(
        ({ stdout }) => stdout.trim(),
        () => null, // it is gone
      )
      if (layer !== null) this.#containers.set(container, { execution, layer })
    }
    for (const [container, { execution, layer }] of this.#containers) {
      const folder = join(layer, 'workspace', 'notes')
      for (const start of namesIn(folder)) {
        const seen = this.#notes.get(start) ?? {
          execution,
          container,
          notes: { out: [], err: [] },
          sizes: { out: 0, err: 0 },
        }
        // Files from the image belong to another container.
        if (seen.container !== container || this.#taken.has(start)) continue
        this.#notes.set(start, seen)
        this.used.add(container)
        for (const stream of STREAMS) {
          const bytes = readFrom(join(folder, start, stream), seen.sizes[stream])
          seen.sizes[stream] += bytes.length
          if (bytes.length > 0) seen.notes[stream].push(bytes)
        }
      }
    }
  }

  /** Returns and forgets everything that was seen of these executions, which are over. */
  take(executions: ReadonlySet<string>): Seen[] {
    const seen: Seen[] = []
    for (const [start, { execution, container, notes }] of this.#notes) {
      if (!executions.has(execution)) continue
      seen.push({ start, execution, container, out: Buffer.concat(notes.out), err: Buffer.concat(notes.err) })
      this.#notes.delete(start)
      this.#taken.add(start)
      this.#containers.delete(container)
    }
    return seen
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[0-9a-f]{8}$/.test(name))
  } catch {
    return []
  }
}

function readFrom(file: string, from: number): Buffer {
  try {
    const fd = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(1 << 20)
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from))
    } finally {
      closeSync(fd)
    }
  } catch {
    return Buffer.alloc(0)
  }
}
