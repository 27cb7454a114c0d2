import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventBody } from '@beadloom/core/log/event-line.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import { unrecorded } from '../ports/store/sessions.ts'
import { Desk, err, lines, out, session } from './testing.ts'

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})
afterEach(() => desk.remove())

describe('a break', () => {
  const message = (text: string): EventBody => ({ type: 'message', text })

  test('of the engine is reported, keeps the received part, and does not complete the record', async () => {
    async function* breaks(): AsyncIterable<OutputFrame> {
      yield out(`${lines(1, message('one'))}half a line`)
      throw new Error('the engine is gone')
    }
    await expect(desk.record(breaks())).rejects.toThrow('the engine is gone')
    expect(desk.text).toBe('› one\nhalf a line\n')
    expect(desk.store.checkpoint(session)).toMatchObject({ n: 1, complete: false })
  })

  test('is resumed without repeating recorded output', async () => {
    async function* breaks(): AsyncIterable<OutputFrame> {
      yield out(lines(1, message('one'), message('two')))
      throw new Error('the engine is gone')
    }
    await desk.record(breaks()).catch(() => undefined)
    desk.again()
    const { result } = await desk.record([out(lines(1, message('one'), message('two'), message('three')))])
    expect(result).toBeNull()
    expect(desk.text).toBe('› one\n› two\n› three\n')
    expect(desk.store.checkpoint(session)).toMatchObject({ n: 3, complete: true })
  })

  test('that lost events says how many', async () => {
    desk.store.checkpoints.set(session, { ...unrecorded, n: 2 })
    await desk.record([out(lines(6, message('six')))])
    expect(desk.text).toBe('! 3 events are missing here: no server was listening when they were written\n› six\n')
  })

  test('of a listener costs the record nothing', async () => {
    const { recorder } = desk.parts
    async function* frames(): AsyncIterable<OutputFrame> {
      yield out(lines(1, message('one')))
    }
    await recorder.record(session, frames(), {
      onActivity: () => undefined,
      whileOurs: (wait) => wait(),
      onEvent: () => {
        throw new Error('a bad listener')
      },
    })
    expect(desk.text).toBe('› one\n')
    expect(String(desk.reported)).toContain('a bad listener')
  })

  test('of the store reaches the caller', async () => {
    desk.store.failing = true
    await expect(desk.record([out('one\n')])).rejects.toThrow('the disk is full')
  })
})

test('a complete record is not recorded twice: reading it again only reports it', async () => {
  const frames = [out(lines(1, { type: 'message', text: 'one' })), err('two')]
  const first = await desk.record(frames)
  desk.again()
  expect(await desk.record(frames)).toEqual(first)
  expect(desk.text).toBe('› one\ntwo\n')
})
