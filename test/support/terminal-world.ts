import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { instanceOf } from '../crash/stored.ts'
import { beadloom, startedServer, type CommandLine, type Ended, type Up } from './command-line.ts'
import { removeContainers } from './containers.ts'
import { issues, makeRepository, type BeadLine, type Files } from './repository.ts'

/** A server that is a process of its own, and the command line as a person and a script meet it. */
export class TerminalWorld {
  readonly folder = mkdtempSync(join(tmpdir(), 'bl-cli-'))
  readonly data = join(this.folder, 'data')
  server!: CommandLine
  up!: Up

  static async start(): Promise<TerminalWorld> {
    const world = new TerminalWorld()
    await world.startServer()
    return world
  }

  async startServer(): Promise<void> {
    const { line, up } = await startedServer(this.data)
    this.server = line
    this.up = up
  }

  async stopServer(): Promise<void> {
    this.server.child.kill('SIGTERM')
    await this.server.ended
  }

  async close(): Promise<void> {
    await this.stopServer()
    removeContainers(instanceOf(this.data))
    rmSync(this.folder, { recursive: true, force: true })
  }

  bl = (...args: string[]): Promise<Ended> => beadloom([...args, '--data', this.data])

  json = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await this.bl(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout) as T
  }

  /** A working tree on this machine, added as a project. */
  addProject = async (id: string, files: Files, beads: BeadLine[]): Promise<string> => {
    const tree = makeRepository(join(this.folder, 'trees', id), { '.beads/issues.jsonl': issues(...beads), ...files })
    expect(await this.bl('project', 'add', tree, '--id', id)).toMatchObject({ code: 0 })
    return tree
  }
}
