import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** An event of a container, as the engine reports it. */
export type Happening = {
  action: string
  container: string
  execution: string
  kind: string
  /** The time in seconds UTC by the engine's clock; null: concluded from its list when it was back. */
  at: number | null
}

/** `time`: in seconds; `timeNano` has more digits than a number holds; the rest still tells two events apart. */
type EngineEvent = {
  Action: string
  Actor: { ID: string; Attributes: Record<string, string> }
  time: number
  timeNano: number
}

const LOOKED_AT = new Set(['create', 'start', 'die', 'destroy'])

/** Everything that happens to the containers of one instance, heard from Docker and not from the server. */
export class ContainerWatch {
  readonly happenings: Happening[] = []
  #child: ChildProcess
  readonly #instance: string
  #wake: () => void = () => {}
  /** In seconds: when listening again, the engine repeats its events from here. */
  #since: number | null = null
  readonly #told = new Set<string>()

  readonly #host: string[]

  private constructor(child: ChildProcess, instance: string, host: string[]) {
    this.#child = child
    this.#host = host
    this.#instance = instance
    this.#listen()
  }

  /** `host`: that of an engine other than the machine's. */
  static async start(instance: string, host?: string): Promise<ContainerWatch> {
    const engine = host === undefined ? [] : ['-H', host]
    return new ContainerWatch(await events(instance, engine), instance, engine)
  }

  async end(): Promise<void> {
    const left = this.left()
    if (left.length > 0) execFileSync('docker', [...this.#host, 'rm', '-f', ...left], { stdio: 'ignore' })
    await this.#deaf()
  }

  /**
   * Listens again to an engine that was away. A container that no longer runs counts as ended. The engine repeats its
   * last events, so that none is missed before it listens to us.
   */
  async again(): Promise<void> {
    await this.#deaf()
    this.#child = await events(this.#instance, this.#host, this.#since)
    this.#listen()
    const running = new Set(this.#ids('-q'))
    for (const start of this.happenings.filter(({ action }) => action === 'start'))
      if (!running.has(start.container)) this.happenings.push({ ...start, action: 'die', at: null })
  }

  /** Containers of this instance, in any state. */
  left(): string[] {
    return this.#ids('-aq')
  }

  #ids(which: '-q' | '-aq'): string[] {
    const label = `label=beadloom.instance=${this.#instance}`
    const ids = execFileSync('docker', [...this.#host, 'ps', which, '--no-trunc', '--filter', label], {
      encoding: 'utf8',
    })
    return ids.split('\n').filter(Boolean)
  }

  #listen(): void {
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.#take(JSON.parse(line) as EngineEvent))
  }

  async #deaf(): Promise<void> {
    if (this.#child.exitCode !== null) return // its engine went away
    const gone = once(this.#child, 'exit')
    this.#child.kill()
    await gone
  }

  /** Resolves when Docker says that the last container of this instance has gone. */
  async emptied(): Promise<void> {
    while (this.left().length > 0) await new Promise<void>((resolve) => (this.#wake = resolve))
  }

  /** Containers in which agents of this execution were started. */
  agents(execution: string): string[] {
    const starts = this.happenings.filter(
      (one) => one.action === 'start' && one.kind === 'work' && one.execution === execution,
    )
    return [...new Set(starts.map(({ container }) => container))]
  }

  /** The events of an execution's agents, in order: for a person who has to find out what happened. */
  story(execution: string): string {
    const its = this.happenings.filter((one) => one.execution === execution && one.kind === 'work')
    return its
      .map(
        ({ action, container, at }) =>
          `${action} ${container.slice(0, 6)} ${at === null ? 'by the list' : at.toFixed(1)}`,
      )
      .join(', ')
  }

  /**
   * Executions that had containers of two agents running at the same time. `hadAgent`: whether a container ever had an
   * agent; one that was started early, and could not be removed because its engine was away, never gets one.
   */
  doubles(hadAgent: (container: string) => boolean = () => true): string[] {
    const running = new Map<string, Set<string>>()
    const doubles = new Set<string>()
    for (const { action, container, execution, kind } of this.happenings) {
      if (kind !== 'work' || !hadAgent(container)) continue
      const its = running.get(execution) ?? new Set()
      running.set(execution, its)
      if (action === 'start') its.add(container)
      if (action === 'die' || action === 'destroy') its.delete(container)
      if (its.size > 1) doubles.add(execution)
    }
    return [...doubles]
  }

  #take({ Action, Actor, time, timeNano }: EngineEvent): void {
    if (!LOOKED_AT.has(Action)) return
    const what = `${timeNano} ${Action} ${Actor.ID}`
    if (this.#told.has(what)) return
    this.#told.add(what)
    this.#since = time
    const { 'beadloom.execution': execution = '', 'beadloom.kind': kind = '' } = Actor.Attributes
    this.#wake()
    this.happenings.push({ action: Action, container: Actor.ID, execution, kind, at: timeNano / 1e9 })
  }
}

async function events(instance: string, engine: string[], since: number | null = null): Promise<ChildProcess> {
  const label = `label=beadloom.instance=${instance}`
  const args = [...engine, 'events', '--filter', label, '--filter', 'type=container', '--format', '{{json .}}']
  if (since !== null) args.push('--since', String(since))
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child, 'spawn')
  return child
}

export type ContainerFacts = { id: string; pid: number; startedAt: string; restarts: number }

export function containerFacts(id: string, host?: string): ContainerFacts {
  const engine = host === undefined ? [] : ['-H', host]
  const format = '{{json .State.Pid}} {{json .State.StartedAt}} {{json .RestartCount}}'
  const [pid, startedAt, restarts] = execFileSync('docker', [...engine, 'inspect', '--format', format, id], {
    encoding: 'utf8',
  })
    .trim()
    .split(' ')
    .map((text) => JSON.parse(text) as string | number)
  return { id, pid: Number(pid), startedAt: String(startedAt), restarts: Number(restarts) }
}
