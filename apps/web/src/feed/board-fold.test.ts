import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { BoardOp } from '@beadloom/core/api/stream/protocol.ts'
import { describe, expect, test } from 'vitest'
import { BoardFeed } from './board-feed.ts'
import { BoardFold } from './board-fold.ts'
import { startWorld } from './testing/fake-server.ts'

const put = (id: string, title = id): BoardOp => ({ op: 'put', kind: 'bead', value: { id, title } as BeadCard })
const gone = (id: string): BoardOp => ({ op: 'remove', kind: 'bead', id })
const snapshot = (seq: number, ops: BoardOp[], epoch = 'e1') => ({ type: 'snapshot' as const, ch: 1, epoch, seq, ops })
const delta = (seq: number, ops: BoardOp[]) => ({ type: 'delta' as const, ch: 1, seq, ops })
const ids = (fold: BoardFold) => [...(fold.view()?.beads.keys() ?? [])]

describe('the board', () => {
  test('is unknown, not empty, before the first snapshot', () => {
    const fold = new BoardFold()
    expect(fold.view()).toBeNull()
    expect(fold.cursor()).toEqual({ next: 0 })
  })

  test('is replaced by a snapshot, even by one with a lower number after a restart', () => {
    const fold = new BoardFold()
    fold.apply(snapshot(9000, [put('a'), put('b')]))
    fold.apply(snapshot(1, [put('c')], 'e2'))
    expect(ids(fold)).toEqual(['c'])
    expect(fold.cursor()).toEqual({ next: 1, epoch: 'e2' })
  })

  test('continues from each frame that it applied: the cursor is part of the data', () => {
    const fold = new BoardFold()
    fold.apply(snapshot(5, [put('a')]))
    fold.apply(delta(6, [put('b')]))
    expect(fold.cursor()).toEqual({ next: 6, epoch: 'e1' })
    fold.clear()
    expect(fold.cursor()).toEqual({ next: 0 })
    expect(fold.view()).toBeNull()
  })

  test('takes a repeated delta once', () => {
    const fold = new BoardFold()
    fold.apply(snapshot(5, []))
    fold.apply(delta(6, [put('a', 'new')]))
    expect(fold.apply(delta(6, [put('a', 'old')]))).toBe('ignored')
    expect(fold.view()?.beads.get('a')?.title).toBe('new')
  })

  test('asks again when a delta comes before there is anything to change', () => {
    expect(new BoardFold().apply(delta(6, [put('a')]))).toBe('resync')
  })

  test('may come in parts, and only the last one carries the true number', () => {
    const fold = new BoardFold()
    fold.apply(snapshot(0, [put('a')]))
    fold.apply(delta(1, [put('b')]))
    expect(fold.cursor().next).toBe(1)
    fold.apply(delta(4242, [put('c')]))
    expect(ids(fold)).toEqual(['a', 'b', 'c'])
    expect(fold.cursor().next).toBe(4242)
  })

  test('shows the same object until something changes, and never changes one that was shown', () => {
    const fold = new BoardFold()
    fold.apply(snapshot(5, [put('a')]))
    const first = fold.view()
    expect(fold.view()).toBe(first)
    fold.apply(delta(6, [gone('a'), put('b')]))
    expect([...(first?.beads.keys() ?? [])]).toEqual(['a'])
    expect(ids(fold)).toEqual(['b'])
  })

  test('keeps the same maps if nothing changed, and names the beads that it knows more about', () => {
    const fold = new BoardFold()
    fold.apply(snapshot(5, [put('a'), put('b')]))
    const first = fold.view()
    expect(first?.since).toBeUndefined()
    fold.apply(delta(6, []))
    const same = fold.view()
    expect(same).not.toBe(first)
    expect([same?.beads, same?.executions, same?.projects]).toEqual([first?.beads, first?.executions, first?.projects])
    expect(same?.beads).toBe(first?.beads)
    expect(same?.executions).toBe(first?.executions)
    fold.apply(delta(7, [gone('a')]))
    fold.apply(delta(8, [put('c')]))
    const next = fold.view()
    expect(next?.since).toEqual({ view: same?.mark, beads: new Set(['a', 'c']) })
    expect(next?.since?.view).toBe(same?.mark)
    expect(next?.executions).toBe(first?.executions)
    fold.apply(snapshot(9, [put('d')]))
    expect(fold.view()?.since).toBeUndefined()
  })
})

describe('topics', () => {
  test('are subscribed once for all their viewers, and left by the last one', () => {
    const { wire, socket } = startWorld()
    const feed = new BoardFeed(socket, () => undefined)
    wire().open()
    const one = feed.hold('home')
    const two = feed.hold('home')
    expect(wire().sentOf('sub')).toHaveLength(1)
    one()
    one()
    expect(wire().sentOf('unsub')).toHaveLength(0)
    two()
    expect(wire().sentOf('unsub')).toHaveLength(1)
  })

  test('keep their data, so coming back costs a delta', () => {
    const { wire, socket } = startWorld()
    const feed = new BoardFeed(socket, () => undefined)
    wire().open()
    const leave = feed.hold('board:a')
    wire().say({ ...snapshot(77, [put('x')]), ch: wire().sub('board:a').ch })
    leave()
    expect(feed.read()['board:a']?.view?.beads.size).toBe(1)
    feed.hold('board:a')
    expect(wire().sub('board:a')).toMatchObject({ next: 77, epoch: 'e1' })
  })

  test('are the same objects as long as nothing in them changes', () => {
    const { wire, socket } = startWorld()
    const feed = new BoardFeed(socket, () => undefined)
    wire().open()
    feed.hold('home')
    feed.hold('board:a')
    wire().say({ ...snapshot(1, []), ch: wire().sub('home').ch })
    wire().say({ ...snapshot(77, [put('x')]), ch: wire().sub('board:a').ch })
    const before = feed.read()
    wire().say({ ...delta(78, [put('y')]), ch: wire().sub('board:a').ch })
    const after = feed.read()
    expect(after['home']).toBe(before['home'])
    expect(after['board:a']).not.toBe(before['board:a'])
  })

  test('keep their data while the connection is lost', () => {
    const { wire, socket } = startWorld()
    const feed = new BoardFeed(socket, () => undefined)
    wire().open()
    feed.hold('board:a')
    const { ch } = wire().sub('board:a')
    wire().say({ ...snapshot(77, [put('x')]), ch })
    wire().events.closed(1006)
    expect(feed.read()['board:a']?.view?.beads.size).toBe(1)
  })

  test('say when there is nothing behind them', () => {
    const { wire, socket } = startWorld()
    const feed = new BoardFeed(socket, () => undefined)
    wire().open()
    feed.hold('board:a')
    wire().say({ type: 'expired', ch: wire().sub('board:a').ch, reason: 'There is no project a.' })
    expect(feed.read()['board:a']?.gone).toBe('There is no project a.')
  })
})
