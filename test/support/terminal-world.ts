import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { instanceOf } from '../crash/stored.ts'
import { beadloom, startedServer, type CommandLine, type Ended, type Up } from './command-line.ts'
import { removeContainers } from './containers.ts'
import { hasNoSetup, issues, makeRepository, type BeadLine, type Files } from './repository.ts'
import { World } from './world.ts'

/**
 * The command line for a person and a script, and its server: a process of its own on Docker, or in this process on the
 * process engine, for tests of what the commands say.
 */
export class TerminalWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'bl-cli-'))
  readonly data = join(this.folder, 'data')
  readonly #engine: 'docker' | 'process'
  readonly #worlds: World[] = []
  #server: CommandLine | null = null
  up!: Up

  private constructor(engine: 'docker' | 'process') {
    this.#engine = engine
  }

  static async start({ engine = 'docker' }: { engine?: 'docker' | 'process' } = {}): Promise<TerminalWorld> {
    const world = new TerminalWorld(engine)
    await world.startServer()
    return world
  }

  async startServer(): Promise<void> {
    if (this.#engine === 'process') return this.#startHere()
    const { line, up } = await startedServer(this.data)
    this.#server = line
    this.up = up
  }

  async stopServer(): Promise<void> {
    await this.#worlds.at(-1)?.server.stop()
    this.#server?.child.kill('SIGTERM')
    await this.#server?.ended
  }

  async close(): Promise<void> {
    await this.stopServer()
    for (const world of this.#worlds.toReversed()) await world.stop()
    if (this.#server) removeContainers(instanceOf(this.data))
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #startHere(): Promise<void> {
    const host = this.#worlds.at(-1)?.host ?? null
    const world = await World.start({ engine: 'process', data: this.data, host })
    this.#worlds.push(world)
    const { url, token } = world.server
    this.up = { url, dashboard: `${url}/?token=${token}`, data: this.data, pid: process.pid }
  }

  bl = (...args: string[]): Promise<Ended> => beadloom([...args, '--data', this.data])

  json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await this.bl(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as T
  }

  /** Adds a working tree on this machine as a project. */
  addProject = async (id: string, files: Files, beads: BeadLine[]): Promise<string> => {
    const tree = makeRepository(join(this.folder, 'trees', id), { '.beads/issues.jsonl': issues(...beads), ...files })
    if (hasNoSetup(files)) this.#worlds.at(-1)?.host?.prepare(id)
    expect(await this.bl('project', 'add', tree, '--id', id)).toMatchObject({ code: 0 })
    return tree
  }
}
