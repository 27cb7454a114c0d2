import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { systemClock } from '../../process/clock.ts'
import { defaultGatewayBounds } from '../bounds.ts'
import { AnswerSource } from './answer-source.ts'
import { WholeAnswers } from './whole-answers.ts'

const KIB = 1024
const bounds = { ...defaultGatewayBounds, wholeAnswerBytes: 1000 * KIB }
const [one, other] = ['ex-0000000001', 'ex-0000000002'].map((id) => ({ execution: parseExecutionId(id) }))

/** Gives this caller an answer of so many bytes, which it reads when the test says so. */
function asked(answers: WholeAnswers, who = one!, content = Buffer.alloc(500 * KIB, 'x')) {
  const response = new PassThrough()
  const stop = new AbortController()
  const body = Readable.from([content.subarray(0, 300 * KIB), content.subarray(300 * KIB)])
  const source = new AnswerSource(body, (why) => body.destroy(new Error(why.message)), { clock: systemClock, bounds })
  const state = { over: false }
  const read = source.next().then((first) => answers.read({ who, response }, source, first!, stop.signal))
  const over = () => (state.over = true)
  read.then(over, over)
  return { response, stop, read, state, body }
}

test("a container's second large answer is not read before its caller has the first; another container's is", async () => {
  const answers = new WholeAnswers(bounds)
  const first = asked(answers)
  expect((await first.read)?.length).toBe(500 * KIB)
  const second = asked(answers)
  expect((await asked(answers, other).read)?.length).toBe(500 * KIB)
  expect([second.state.over, second.body.readableEnded]).toEqual([false, false])
  first.response.destroy()
  expect((await second.read)?.length).toBe(500 * KIB)
})

test('small answers never wait', async () => {
  const answers = new WholeAnswers(bounds)
  await asked(answers).read
  const small = Buffer.alloc(200 * KIB, 'x')
  for (let n = 0; n < 20; n++) expect((await asked(answers, one, small).read)?.length).toBe(200 * KIB)
})

test('a caller that breaks off, is too long or hangs up while waiting blocks nobody else', async () => {
  const answers = new WholeAnswers(bounds)
  await expect(asked(answers, one, Buffer.alloc(1200 * KIB)).read).rejects.toThrow(/longer than/)
  const held = asked(answers)
  await held.read
  const waiting = asked(answers)
  waiting.stop.abort({ message: 'the caller hung up' })
  await expect(waiting.read).rejects.toThrow()
  held.response.destroy()
  expect((await asked(answers).read)?.length).toBe(500 * KIB)
})

test('an answer of millions of empty values is not made into objects', async () => {
  const answers = new WholeAnswers(bounds)
  const values = Buffer.from(`{"choices":[${'[],'.repeat(300_000)}[]]}`)
  expect(await asked(answers, one, values).read).toBeNull()
})
