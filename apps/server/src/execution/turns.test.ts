import { expect, test } from 'vitest'
import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import type { Clock } from '../process/clock.ts'
import { Turn, Turns } from './turns.ts'

/** Time passes only in sleeps; `during` is what happens meanwhile. */
function ticking(during: (now: number) => void = () => {}): Clock {
  let now = 10_000
  return {
    now: () => now,
    monotonic: () => now,
    sleep: async (ms) => {
      now += ms
      during(now)
    },
  }
}

test('the answer of a model is cut, and commands are left alone meanwhile', async () => {
  const asked: number[] = []
  const turn = new Turn(ticking(), async (ms) => asked.push(ms), 1_000)
  let cuts = 0
  turn.begin({ cut: () => void cuts++ })
  turn.begin({ cut: null }) // held: there is no answer to cut
  let ended = 0
  await turn.stop(() => void ended++)
  expect([cuts, ended, asked]).toEqual([1, 1, []])
})

test('commands since the last answer are ended, again and again until the next call', async () => {
  const asked: number[] = []
  const call = { cut: null }
  const turn: Turn = new Turn(
    ticking((now) => now > 11_000 && turn.begin(call)),
    async (ms) => {
      asked.push(ms)
      return asked.length === 2 ? 1 : 0 // it began its command late
    },
    9_000,
  )
  let ended = 0
  await turn.stop(() => void ended++)
  expect(asked).toEqual([1_020, 1_320, 1_620, 1_920])
  expect(ended).toBe(1)
})

test('the next answer waits until nothing is being ended any more', async () => {
  const order = Promise.withResolvers<number>()
  const turn = new Turn(ticking(), () => order.promise, 9_000)
  await turn.settled()
  const stopping = turn.stop(() => {})
  turn.begin({ cut: null })
  let isSettled = false
  const settled = turn.settled().then(() => (isSettled = true))
  await Promise.resolve()
  expect(isSettled).toBe(false)
  order.resolve(1)
  await Promise.all([settled, stopping])
  const broken = new Turn(ticking(), () => Promise.reject(new Error('the link broke')), 9_000)
  await expect(broken.stop(() => {})).rejects.toThrow('the link broke')
  await broken.settled()
})

test('nothing is ended before the first answer, and looking for it has an end', async () => {
  const asked: number[] = []
  const before = new Turn(ticking(), async (ms) => asked.push(ms), null)
  await before.stop(() => expect.unreachable())
  expect(asked).toEqual([])
  before.answering()
  expect(before.answeredAt).toBe(10_000)
  const idle = new Turn(ticking(), async (ms) => (asked.push(ms), 0), 9_000)
  await idle.stop(() => expect.unreachable())
  expect(asked.length).toBe(102)
})

test('one agent is stopped, or all of them; a session that has ended has none', async () => {
  const execution = parseExecutionId('ex-0123456789')
  const [first, second] = [sessionIdOf(execution, 1), sessionIdOf(execution, 2)]
  const turns = new Turns()
  for (const id of [first, second]) {
    const turn = new Turn(ticking(), async () => null, null)
    turn.begin({ cut: () => {} })
    turns.open(id, turn)
  }
  const ended: string[] = []
  await turns.stop([second], (id) => ended.push(id))
  expect(ended).toEqual([second])
  turns.close(second)
  await turns.stop(null, (id) => ended.push(id))
  expect(ended).toEqual([second, first])
})
