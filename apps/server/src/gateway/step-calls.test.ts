import { expect, test } from 'vitest'
import { STEP_HEADER } from '@beadloom/core/agents/step-header.ts'
import { delta, errorOf, openStream, sse, startWorld, type Upstream } from './testing/gateway-world.ts'
import { StepCalls } from './step-calls.ts'

const cut: Upstream = (response) => void openStream(response).write(delta('half'), () => response.destroy())
const whole: Upstream = (response) => void openStream(response).end(delta('whole') + sse('[DONE]'))
const asked = (step?: string): RequestInit => (step === undefined ? {} : { headers: { [STEP_HEADER]: step } })
const drained = (response: Response) => response.text().catch(() => 'cut')

type Question = (call: number) => [body: object, init: RequestInit]
const steps: [string, Question][] = [
  ['named in a header, whatever the request says', (call: number) => [{ stream: true, seed: call }, asked('7.0')]],
  ['known by its request, whatever name it has', (call: number) => [{ stream: true }, asked(`7.${call}`)]],
  ['known by its request, without a name', () => [{ stream: true }, asked()]],
]

test.each(steps)(
  'a step whose every answer is cut off is asked six times, then refused for good: %s',
  async (_, question) => {
    const world = await startWorld(cut)
    for (let call = 1; call <= 6; call++) {
      const [body, init] = question(call)
      expect(await drained(await world.ask(body, init))).toBe('cut')
      expect(world.problems.at(-1)).toContain(`(call ${call} of at most 6 for this step)`)
    }
    for (let again = 7; again <= 60; again++) {
      const [body, init] = question(again)
      const refused = await world.ask(body, init)
      expect(refused.status).toBe(400)
      expect((await errorOf(refused)).message).toMatch(
        /^the model's answer broke off .*; this step was asked 6 times and no answer arrived whole, so it is not asked again$/,
      )
    }
    expect(world.received).toHaveLength(6)
  },
)

test('the gateway’s own retries count too', async () => {
  const world = await startWorld((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"cho', () => response.destroy())
  })
  for (let call = 0; call < 5; call++) await drained(await world.ask({}, asked('1.0')))
  expect(world.received).toHaveLength(6)
})

test('a whole answer ends the step: the same request may come again', async () => {
  const world = await startWorld((response, received, call) => (call % 6 === 0 ? whole : cut)(response, received, call))
  for (let call = 1; call <= 18; call++) await drained(await world.ask({ stream: true }, asked('1.0')))
  expect(world.received).toHaveLength(18)
})

test('calls that are not billed do not count: refusals, and connections that cannot be made', async () => {
  const world = await startWorld((response) => void response.writeHead(500).end('{}'))
  for (let call = 0; call < 5; call++) await drained(await world.ask({}, asked('1.0')))
  expect(world.received).toHaveLength(20) // four each
})

test('sessions and steps are counted apart, and only as many are kept as can ask at once', () => {
  const counted = new StepCalls(2)
  const of = (session: string, step: string) =>
    counted.of(session, { [STEP_HEADER]: step }, Buffer.from(`${session} ${step}`))
  of('a', '1').begin()
  of('a', '1').begin()
  expect([of('a', '1').isUsedUp, of('a', '2').isUsedUp, of('b', '1').isUsedUp]).toEqual([true, false, false])
  for (let session = 0; session < 1000; session++) of(`s-${session}`, '1')
  expect(of('a', '1').isUsedUp).toBe(false)
})

test('a session that renames each of its calls does not use memory without end', () => {
  const counted = new StepCalls(2)
  const ask = (call: number) => counted.of('a', { [STEP_HEADER]: `1.${call}` }, Buffer.from(`${call}`))
  for (let call = 0; call < 1000; call++) ask(call).begin()
  ask(700).begin()
  expect(ask(700).calls).toBe(1)
})
