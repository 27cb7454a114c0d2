import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { InPlace } from './in-place.ts'
import { connect } from './connection.ts'
import { Patience } from './patience.ts'
import type { ToDisk } from './to-disk.ts'
import { openStore } from '../open-store.ts'
import { bead, demo, running, seededRandom, stepClock, tracked, world } from '../testing.ts'
import { News, writerOf } from './writer.ts'

let folder: string
let file: string
let store: Store
const reported: unknown[] = []
const open = () =>
  openStore(file, {
    clock: stepClock(),
    random: seededRandom(),
    keepChanges: 100,
    report: (error) => reported.push(error),
  })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-writing-'))
  file = join(folder, 'beadloom.db')
  store = open()
  reported.length = 0
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a reader gets each changed thing once, in its newest place', () => {
  world(store, ['a-1', 'a-2'])
  const start = store.seq()
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  store.moveBead(demo, bead('a-2'), { type: 'closed' })
  store.moveBead(demo, bead('a-1'), { type: 'reopened' })
  const changes = store.changesAfter(start, 10)!
  expect(changes.map(({ kind, project, id }) => [kind, project, id])).toEqual([
    ['bead', demo, 'a-2'],
    ['bead', demo, 'a-1'],
  ])
  expect(changes.at(-1)?.seq).toBe(store.seq())
  expect(store.changesAfter(store.seq(), 10)).toEqual([])
  expect(store.changesAfter(start, 1)).toHaveLength(1)
})

test('a cursor that is too old, or from lost data, has to begin again', () => {
  world(store, [])
  const ids = Array.from({ length: 600 }, (_, index) => `a-${index}`)
  store.replaceBeads(
    demo,
    ids.map((id) => tracked(id)),
  )
  store.replaceBeads(
    demo,
    ids.map((id) => tracked(id, { title: 'again' })),
  )
  expect(store.changesAfter(1, 10)).toBeNull()
  expect(store.changesAfter(store.seq() - 50, 100)).toHaveLength(50)
  expect(store.changesAfter(store.seq() + 1, 10)).toBeNull()
})

test('numbers continue after a restart', () => {
  world(store, ['a-1'])
  const before = store.seq()
  store.close()
  store = open()
  expect(store.seq()).toBe(before)
  store.touch('status', null, ['server'])
  expect(store.changesAfter(before, 10)).toEqual([{ seq: before + 1, kind: 'status', project: null, id: 'server' }])
})

test('listeners hear of committed changes, and see them', () => {
  world(store, ['a-1'])
  const heard: [number, string | undefined][] = []
  store.onChange((seq) => heard.push([seq, store.bead(demo, bead('a-1'))?.status]))
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  expect(heard).toEqual([[store.seq(), 'done']])
  store.moveBead(demo, bead('a-1'), { type: 'closed' }) // refused: nothing to hear
  expect(heard).toHaveLength(1)
})

test('a listener that throws is reported, undoes nothing and keeps nobody else from hearing', () => {
  world(store, ['a-1'])
  const heard: number[] = []
  store.onChange(() => {
    throw new Error('a bad listener')
  })
  store.onChange((seq) => heard.push(seq))
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  expect(store.bead(demo, bead('a-1'))?.status).toBe('done')
  expect(heard).toHaveLength(1)
  expect(String(reported)).toContain('a bad listener')
})

test('a listener that writes makes a round of its own: numbers never go back', () => {
  world(store, ['a-1', 'a-2'])
  const heard: number[] = []
  let wrote = false
  store.onChange(() => {
    if (wrote) return
    wrote = true
    store.moveBead(demo, bead('a-2'), { type: 'closed' })
    expect(() => store.removeProject('nope' as never)).toThrow(/no project/) // and a failure takes nothing with it
  })
  store.onChange((seq) => heard.push(seq))
  store.moveBead(demo, bead('a-1'), { type: 'closed' })
  expect(heard).toHaveLength(2)
  expect(heard).toEqual([...heard].sort((a, b) => a - b))
})

test('a removed listener hears nothing', () => {
  const heard: number[] = []
  store.onChange((seq) => heard.push(seq))()
  world(store, [])
  expect(heard).toEqual([])
})

test('sessions move one way, their first end counts, and their tokens add up', () => {
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  const id = sessionIdOf(execution, 1)
  store.startSession({ id, execution, number: 1, kind: 'work', attempt: 1 })
  store.sessionRunning(id, 'c1')
  store.sessionRunning(id, 'c1')
  expect(() => store.sessionRunning(id, 'c2')).toThrow(/cannot become running/)
  store.addTokens(execution, id, { input: 100, output: 20, cached: 40, reasoning: 5, costMicros: 7 })
  store.addTokens(execution, id, { input: 1, output: 2 })
  expect(store.session(id)?.context).toBeUndefined()
  const context = { tokens: 30, window: 100, peak: 95, compactions: 1 }
  store.addTokens(execution, id, { input: 0, output: 1 }, { context })
  expect(store.session(id)?.context).toEqual(context)
  expect(store.execution(execution)?.tokens).toEqual({
    input: 101,
    output: 23,
    cached: 40,
    reasoning: 5,
    costMicros: 7,
  })
  expect(store.tokensOfDay(demo, 0)).toMatchObject({ input: 101, output: 23, costMicros: 7 })
  const ended = store.endSession(id, 'failed', 3, 'exit code 3', 'model_busy')
  expect(ended).toMatchObject({
    state: 'ended',
    exitCode: 3,
    cause: 'model_busy',
    context,
    tokens: { input: 101, output: 23, cached: 40, reasoning: 5, costMicros: 7 },
  })
  expect(store.endSession(id, 'success', 0, 'no')).toEqual(ended)
  expect(() => store.sessionRunning(id, 'c1')).toThrow(/cannot become running/)
})

test('a record’s checkpoint and its events are written together', () => {
  world(store, ['a-1'])
  const execution = running(store, 'a-1')
  const id = sessionIdOf(execution, 1)
  store.startSession({ id, execution, number: 1, kind: 'work', attempt: 1 })
  expect(store.checkpoint(id)).toBeNull()
  const heard: number[] = []
  store.onEvent((_, seq) => heard.push(seq))
  const checkpoint = { n: 2, logBytes: 30, logLines: 3, complete: false, stdout: 70, stderr: 8, tail: 5 }
  store.commitRecord(id, checkpoint, [
    { type: 'message', at: 5, line: 0, data: { text: 'hello' } },
    { type: 'step', at: 6, line: 2, data: { step: 1 } },
  ])
  expect(store.checkpoint(id)).toEqual(checkpoint)
  expect(store.session(id)).toMatchObject({ logLines: 3, logBytes: 30 })
  expect(store.events(execution, 0, 100).slice(-2)).toMatchObject([
    { session: id, type: 'message', line: 0, data: { text: 'hello' } },
    { session: id, type: 'step', line: 2 },
  ])
  expect(heard).toEqual([store.events(execution, 0, 100).at(-1)?.seq])
  const seq = store.seq()
  store.commitRecord(id, { ...checkpoint, logBytes: 40 }, [])
  expect(store.seq()).toBe(seq) // plain output is the log's business
})

test('acknowledged writes survive a kill -9', async () => {
  store.close()
  const writer = `
    import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../open-store.ts'))}
    import { systemClock } from ${JSON.stringify(join(import.meta.dirname, '../../process/clock.ts'))}
    const store = openStore(${JSON.stringify(file)}, { clock: systemClock, random: Math.random })
    store.addProject({ id: 'demo', source: '/x' })
    for (let i = 0; i < 20_000; i++) { // it is not there for ever, whoever has started it
      store.updateProject('demo', { name: String(i) })
      process.stdout.write(i + '\\n')
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer], { stdio: ['ignore', 'pipe', 'inherit'] })
  let acknowledged = -1
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line)
    if (acknowledged === 200) child.kill('SIGKILL')
  }
  store = open()
  expect(Number(store.project(demo)?.name)).toBeGreaterThanOrEqual(acknowledged)
  expect(acknowledged).toBeGreaterThanOrEqual(200)
})

test('only a write that has to last is flushed to the disk, whatever becomes of the others', async () => {
  const { db, close } = connect(join(folder, 'another.db'))
  try {
    const lasting: number[] = []
    const news = new News((error) => reported.push(error))
    const patience = new Patience(stepClock())
    const disk = { committed: () => lasting.push(1) } as unknown as ToDisk
    const checkpoints = { committed: () => {} } as unknown as Checkpoints
    const inPlace = { admit: () => {} } as unknown as InPlace
    const write = writerOf(db, news, file, { patience, disk, checkpoints, inPlace })
    const failing = () => {
      throw new Error('no')
    }
    write(() => {}, false)
    expect(() => write(failing)).toThrow('no')
    expect(lasting).toHaveLength(0)
    write(() => {})
    expect(lasting).toHaveLength(1)
  } finally {
    close()
  }
})
