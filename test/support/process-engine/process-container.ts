import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LINK_FOLDER, SUPERVISOR_FOLDER, WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import type { ContainerSpec, ContainerState } from '@beadloom/server/src/container/containers.ts'
import type { Exit } from '@beadloom/server/src/ports/sandbox.ts'
import { AGENT_HOME, type PrivateRoot } from './private-root.ts'
import { StartedProgram } from './started-program.ts'

export type Making = {
  id: string
  instance: string
  /** Already holds the image's `files/workspace` and `files/home`. */
  folder: string
  spec: ContainerSpec
  root: PrivateRoot
  command: string[]
  env: string[]
  createdAt: number
}

const lost: Exit = { code: -1, oomKilled: false, lost: true, startedAt: 0, finishedAt: 0 }

/** One "container": a folder, and at most one program at a time in namespaces of its own. */
export class ProcessContainer {
  readonly made: Making
  readonly #gone = Promise.withResolvers<Exit>()
  #current: StartedProgram | null = null

  constructor(made: Making) {
    this.made = made
    mkdirSync(this.#own().supervisor, { mode: 0o700 })
    if (process.getuid?.() === 0) chownSync(this.#own().supervisor, 1000, 1000)
    writeFileSync(this.#in('fstab'), made.root.mounts(this.#own()))
  }

  /** The path on this machine for a path in the container. */
  path(inside: string): string {
    const own = this.#own()
    const places = {
      [WORKSPACE]: own.workspace,
      [AGENT_HOME]: own.home,
      [SUPERVISOR_FOLDER]: own.supervisor,
      '/tmp': own.tmp,
      [LINK_FOLDER]: own.link,
    }
    for (const [place, at] of Object.entries(places))
      if (inside === place || inside.startsWith(`${place}/`)) return join(at, inside.slice(place.length))
    throw new Error(`${inside} is no place of the container's own`)
  }

  /** The files that become an image. */
  get files(): string {
    return this.#in('files')
  }

  /** Process 1 of the running program, by this machine's number; 0 if nothing runs. */
  get init(): number {
    return this.#current && !this.#current.exit ? this.#current.init : 0
  }

  /** The supervisor's output since its last start. */
  get words(): string {
    return this.#current?.words ?? ''
  }

  state(): ContainerState {
    if (!this.#current) return { state: 'created', startedAt: 0 }
    const { exit, startedAt } = this.#current
    return exit ? { state: 'exited', exit } : { state: 'running', startedAt }
  }

  async start(): Promise<void> {
    if (this.state().state === 'running') return
    const { folder, root, command, env } = this.made
    this.#emptyTmp()
    this.#current = await StartedProgram.start({ container: folder, root: root.folder, command, env })
  }

  /** The end of the current or last start; lost if the container goes first. */
  ended(): Promise<Exit> {
    const ended = this.#current?.ended ?? new Promise<Exit>(() => {})
    return Promise.race([this.#gone.promise, ended])
  }

  async stop(graceMs: number): Promise<void> {
    await this.#current?.stop(graceMs)
  }

  async kill(): Promise<void> {
    await this.#current?.kill()
  }

  /** Moved into place, so a reader finds the whole file. */
  write(path: string, text: string): void {
    const at = this.path(path)
    writeFileSync(`${at}.part`, text)
    renameSync(`${at}.part`, at)
  }

  /** Tells everyone who waits for the end that it is unknown; the container runs on. */
  lose(why?: string): void {
    this.#gone.resolve({ ...lost, ...(why !== undefined && { why }) })
  }

  async remove(): Promise<void> {
    this.lose()
    await this.stop(0)
    rmSync(this.made.folder, { recursive: true, force: true })
  }

  #in(name: string): string {
    return join(this.made.folder, name)
  }

  #own() {
    const link = this.made.spec.linkFolder ?? this.#in('tmp')
    const supervisor = this.#in('supervisor')
    return {
      workspace: this.#in('files/workspace'),
      home: this.#in('files/home'),
      tmp: this.#in('tmp'),
      link,
      supervisor,
    }
  }

  /** In the image, /tmp is in memory, so it is new at each start. */
  #emptyTmp(): void {
    const { tmp } = this.#own()
    rmSync(tmp, { recursive: true, force: true })
    mkdirSync(tmp)
    chmodSync(tmp, 0o1777)
  }
}
