import type { Check } from '@beadloom/core/api/server/server-api.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import type { Preparing, SystemContainer, SystemEngine, SystemView } from '@beadloom/core/api/server/system-api.ts'
import type { Engines } from '../../ports/engines.ts'
import type { OwnedSandbox } from '../../ports/sandbox.ts'
import type { Store } from '../../ports/store.ts'
import { memoryUse } from '../../process/memory-use.ts'
import type { Clock } from '../../process/clock.ts'
import type { Activities } from '../views/activity.ts'
import type { ServerFacts } from '../engines/server-facts.ts'
import { EventRate } from './event-rate.ts'
import type { LiveIndex } from '../scheduling/live-index.ts'

export type SystemDeps = {
  store: Pick<Store, 'execution' | 'container' | 'sessions' | 'seq' | 'epoch' | 'onEvent'>
  engines: Pick<Engines, 'of'>
  facts: Pick<ServerFacts, 'enginesInUse' | 'engine'>
  index: LiveIndex
  slotsOf: (engine: string) => SystemEngine['slots']
  activities: Pick<Activities, 'of'>
  /** The checks of `beadloom doctor`, except the engine and the network. */
  checks: () => Promise<Check[]>
  images: () => Promise<SystemView['images']>
  readers: () => SystemView['readers']
  version: string
  clock: Clock
}

const MOST_CONTAINERS = 200

/** The server's internals. Counts events from its start on. */
export class System {
  readonly #deps: SystemDeps
  readonly #rate: EventRate
  readonly stop: () => void

  constructor(deps: SystemDeps) {
    this.#deps = deps
    this.#rate = new EventRate(deps.clock)
    this.stop = deps.store.onEvent((execution, seq) => this.#rate.take(execution, seq))
  }

  view = (): Promise<SystemView> => systemView(this.#deps, this.#rate.perMinute())
}

/** Asks the engine; if that fails, the reason is part of the answer. */
async function systemView(deps: SystemDeps, perMinute: number[]): Promise<SystemView> {
  const { store, clock } = deps
  const [found, images, checks] = await Promise.all([ownedOf(deps), deps.images(), deps.checks()])
  return {
    now: clock.now(),
    version: deps.version,
    node: process.versions.node,
    memoryBytes: memoryUse().rss,
    epoch: store.epoch,
    seq: store.seq(),
    containers: found.items === null ? null : containersOf(deps, found.items),
    why: found.why,
    engines: enginesOf(deps, found.items ?? []),
    images,
    preparing: preparing(deps),
    events: { lastMinute: perMinute.at(-1) ?? 0, perMinute },
    readers: deps.readers(),
    checks,
  }
}

type Owned = OwnedSandbox & { engine: string }

/** The containers of all engines that answer; null: none does. */
async function ownedOf({ engines, facts }: SystemDeps): Promise<{ items: Owned[] | null; why: string | null }> {
  const asked = facts.enginesInUse().map(async (engine) =>
    engines
      .of(engine)
      .owned()
      .then((items) => items.map((one) => ({ ...one, engine })))
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
  )
  const answers = await Promise.all(asked)
  const failed = answers.find((answer) => answer instanceof Error)
  const items = answers.flatMap((answer) => (answer instanceof Error ? [] : answer))
  const isNone = answers.every((answer) => answer instanceof Error)
  return { items: isNone ? null : items, why: failed ? oneLine(failed.message).slice(0, 500) : null }
}

function enginesOf({ facts, slotsOf }: SystemDeps, owned: readonly Owned[]): SystemEngine[] {
  return facts.enginesInUse().map((name) => {
    const { ok, text, where, weaker, nodes } = facts.engine(name)
    const here = owned.filter(({ engine }) => engine === name)
    const nodesOf = nodes?.map(({ name: node, ok: takes, why, cpus, memoryBytes }) => ({
      name: node,
      ok: takes,
      why,
      cpus,
      memoryBytes,
      containers: here.filter((one) => one.node === node).length,
    }))
    return { name, ok, text, where, weaker, slots: slotsOf(name), containers: here.length, nodes: nodesOf ?? null }
  })
}

function containersOf({ store }: SystemDeps, found: readonly Owned[]): SystemView['containers'] {
  const items = found
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .slice(0, MOST_CONTAINERS)
    .map(({ id, name, owner, purpose, state, createdAt, engine, node = null }): SystemContainer => {
      const row = store.container(name)
      const known = store.execution(row?.owner ?? (owner as ExecutionId)) // no row has an invalid id
      return {
        id: shortOf(id),
        engine,
        node,
        execution: known && { id: known.id, project: known.project, bead: known.bead },
        waitsFor: row?.state === 'warm' ? row.project : null,
        kind: purpose,
        state,
        createdAt,
      }
    })
  return { items, total: found.length }
}

/** Executions that hold a slot and have no agent yet. */
function preparing({ store, index, activities }: SystemDeps): Preparing[] {
  index.refresh()
  return index
    .live()
    .filter(({ state }) => state === 'RUNNING')
    .flatMap((execution: Execution) => {
      const { id, project, bead, startedAt } = execution
      const sessions = store.sessions(id)
      const setup = sessions.find(({ kind, state }) => kind === 'setup' && state !== 'ended')
      if (setup === undefined && sessions.some(({ kind }) => kind !== 'setup' && kind !== 'service')) return []
      return {
        execution: id,
        project,
        bead,
        what: activities.of(id) ?? 'preparing',
        since: setup?.startedAt ?? startedAt,
      }
    })
}

/** For Docker's ids the first twelve characters are enough; a cluster's names of pods are longer, and readable. */
const shortOf = (id: string): string => (/^[0-9a-f]{64}$/.test(id) ? id.slice(0, 12) : (id.split('/')[1] ?? id))
