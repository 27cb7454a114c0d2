import { expect, test } from 'vitest'
import { parseExecutionId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { EngineHealth } from '../../ports/engine.ts'
import type { EngineSettings } from '../../process/settings/engine-settings.ts'
import { SlotPlaces, type PlacesDeps } from './slot-places.ts'

const GIB = 1024 ** 3
const cluster = { kubernetes: {} } as EngineSettings
const machines = [4, 8].map((cpus) => ({ cpus, memoryBytes: 64 * GIB }))
const health = (ok: boolean): EngineHealth => ({
  ok,
  text: '',
  where: null,
  weaker: [],
  cpus: 8,
  memoryBytes: 64 * GIB,
  ...(ok && { machines }),
})

/** Projects by their engines, all of them with sandboxes of two CPUs. */
function places(engines: Record<string, EngineSettings>, projects: Record<string, string>, found = health(true)) {
  const rows = Object.entries(projects).map(([id, engine]) => ({
    id: parseProjectId(id),
    settings: JSON.stringify({ engine, slots: { limit: 4, weight: 2 }, limits: { cpus: 2, memoryBytes: GIB } }),
  }))
  const store = {
    projects: () => rows,
    project: (id: string) => rows.find((row) => row.id === id),
    liveExecutions: () => [{ id: parseExecutionId('ex-0000000001'), project: 'a', state: 'RUNNING' }],
    startedSettings: () => ({ engine: 'old' }),
  } as unknown as PlacesDeps['store']
  return new SlotPlaces({
    store,
    settings: { slots: 3, engines: new Map(Object.entries(engines)) },
    engines: { nameOf: (asked) => asked ?? 'local' },
    health: () => found,
  })
}

test("the local engine has the server's number, another the one beside its name, and a missing one none", () => {
  const all = places({ box: { docker: 'ssh://box', slots: 7 }, other: { docker: 'ssh://other' } }, { a: 'box' })
  expect(['local', 'box', 'other', 'gone'].map((engine) => all.of(engine))).toEqual([3, 7, 3, 0])
})

test('a cluster has three quarters of what fits on its nodes, until somebody sets a number, and none while it is away', () => {
  expect(places({ cluster }, { a: 'cluster' }).of('cluster')).toBe(2 + 4 - 2)
  expect(places({ cluster: { ...cluster, slots: 2 } }, { a: 'cluster' }).of('cluster')).toBe(2)
  expect(places({ cluster }, { a: 'cluster' }, health(false)).of('cluster')).toBe(0)
  expect(places({ box: { docker: 'ssh://box', slots: 'capacity' } }, { a: 'box' }).of('box')).toBe(6)
})

test('sandboxes that are larger than a node are clamped to the largest, and as many fit as then do', () => {
  const small = {
    ...health(true),
    cpus: 1.5,
    machines: [1.6, 1.6, 0.8].map((cpus) => ({ cpus, memoryBytes: 64 * GIB })),
  }
  expect(places({ cluster }, { a: 'cluster' }, small).of('cluster')).toBe(2 - 1)
})

test('engines count if a project is on them, or an execution still runs there', () => {
  const all = places({ cluster }, { a: 'cluster' })
  expect(all.engines).toEqual(['local', 'cluster', 'old'])
  expect(all.total).toBe(3 + 4 + 0)
  expect(all.ofProject(parseProjectId('a'))).toEqual({ engine: 'cluster', limit: 4, weight: 2 })
  expect(all.ofProject(parseProjectId('gone'))).toEqual({ engine: 'local', limit: null, weight: 1 })
})
