import { expect, test } from 'vitest'
import type { CallInHand } from '../ports/gateway.ts'
import { startWorld } from './testing/gateway-world.ts'

const tools = [{ type: 'function', function: { name: 'bash', parameters: {} } }]

/** The number of calls that count as a step of the agent after each of these. */
async function steps(bodies: object[], commandLine?: { usesTools: boolean }): Promise<number[]> {
  const calls: CallInHand[] = []
  const turn = {
    begin: (call: CallInHand) => void calls.push(call),
    settled: async () => {},
    answering() {},
    over() {},
  }
  const world = await startWorld(
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: 'yes' } }], usage: {} }))
    },
    { who: { turn, ...(commandLine && { commandLine }) } },
  )
  const seen: number[] = []
  for (const body of bodies) {
    await (await world.ask(body)).text()
    seen.push(calls.length)
  }
  return seen
}

test('the calls of a command line that knows no tools are steps of its own', async () => {
  expect(await steps([{}, {}])).toEqual([0, 0])
  expect(await steps([{}, {}], { usesTools: false })).toEqual([1, 2])
})

test('once a command line has used tools, a call without any is beside its work', async () => {
  expect(await steps([{ tools }, {}, { tools }], { usesTools: false })).toEqual([1, 1, 2])
})
