import { mkdtempSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContainerSpec, Engine, Exit, ImageId, OutputFrame } from '@beadloom/server/src/ports/engine.ts'

/** An adapter, and the hands of somebody else on the same machine. */
export type Adapter = {
  engine: Engine
  /** A new object for the same server: what a server has after it was started anew. */
  again: () => Engine
  /** For another server beside this one. */
  foreign: () => Engine
  /** An image whose containers run `/run/beadloom/program.mjs`. */
  image: ImageId
  /** For what the tests write. */
  folder: string
  /** What the names of containers begin with; nobody else's do. */
  prefix: string
  /** By somebody who is not asked whose it is. */
  kill: (container: string) => Promise<void>
  close: () => Promise<void>
}

export const never = new AbortController().signal
export const EXECUTION = 'ex-0123456789'
/** A program that has said `ready` and does not end. */
export const ENDLESS = `setInterval(() => {}, 1000); console.log('ready')`

/** An adapter as the contract's tests use it. */
export class EngineUnderTest {
  readonly adapter: Adapter
  #containers = 0

  constructor(adapter: Adapter) {
    this.adapter = adapter
  }

  get engine(): Engine {
    return this.adapter.engine
  }

  /** For a container that will run `program` (a JavaScript module). */
  spec(program: string, changes: Partial<ContainerSpec> = {}): ContainerSpec {
    const { folder, image, prefix } = this.adapter
    const linkFolder = mkdtempSync(join(folder, 'link-'))
    chmodSync(linkFolder, 0o755)
    writeFileSync(join(linkFolder, 'program.mjs'), program)
    return {
      name: `${prefix}-${++this.#containers}`,
      image,
      labels: { execution: EXECUTION, kind: 'work' },
      network: 'none',
      linkFolder,
      cpus: 1,
      memoryBytes: 512 * 1024 ** 2,
      processes: 64,
      ...changes,
    }
  }

  async create(program: string, changes: Partial<ContainerSpec> = {}): Promise<string> {
    return (await this.engine.create(this.spec(program, changes))).id
  }

  /** A container that has said `ready`; its output is read on, so that nothing holds it back. */
  async started(program: string): Promise<string> {
    const id = await this.create(program)
    await this.startAgain(id)
    return id
  }

  /** The same for one that is there. */
  async startAgain(id: string): Promise<void> {
    const output = await this.engine.attach(id)
    await this.engine.start(id)
    await saying(output, 'ready')
  }

  /** One start, from attaching to its end. */
  async toTheEnd(id: string): Promise<{ stdout: Buffer; stderr: Buffer; exit: Exit }> {
    const output = collect(await this.engine.attach(id))
    await this.engine.start(id)
    const exit = await this.engine.waitForExit(id, never)
    return { ...(await output), exit }
  }

  async close(): Promise<void> {
    for (const engine of [this.engine, this.adapter.foreign()])
      for (const { id } of await engine.list()) await engine.remove(id)
    await this.adapter.close()
  }
}

export async function collect(frames: AsyncIterable<OutputFrame>): Promise<{ stdout: Buffer; stderr: Buffer }> {
  const parts: Record<OutputFrame['stream'], Buffer[]> = { stdout: [], stderr: [] }
  for await (const { stream, bytes } of frames) parts[stream].push(bytes)
  return { stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr) }
}

/** Resolves when the output has `word` in it; reads on, so that the container is not held back. */
export function saying(frames: AsyncIterable<OutputFrame>, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = async (): Promise<void> => {
      for await (const { bytes } of frames) {
        text += bytes.toString()
        if (text.includes(word)) resolve()
      }
      reject(new Error(`the output ended without ${JSON.stringify(word)}: ${text}`))
    }
    read().catch(reject)
  })
}
